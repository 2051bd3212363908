import Glibc
import Reactor
import SQLite
import Synchronization

/// Assets that clients upload, in a folder of this machine that this process has for itself.
///
/// What is asked for each picture (`state`, `open`) looks at files alone. What is asked by people who manage assets
/// reads the catalogue, and what changes something writes it, one change at a time. A change is over when it would
/// survive the end of the process or of the power: the content is on the disk as `incoming/<token>` before the row with
/// that token is committed, and only then the file takes its place. A removal takes the file back to `incoming` before
/// the row goes. So whenever it ends, each file in `incoming` is one whose row tells what was meant.
///
/// Safe to use from any thread; every call blocks on the file system.
package final class UploadLibrary: Sendable {
    /// What is changed by one thread at a time.
    struct Writer {
        let catalogue: Catalogue
        var totals: CatalogueTotals
    }

    let settings: UploadSettings
    let folder: UploadFolder
    let readers: CatalogueReaders
    let writer: Mutex<Writer>
    private let objects: FolderLibrary
    private let names: FolderLibrary
    private let lastToken: Atomic<Int64>
    private let lastStamp = Atomic<Int64>(0)
    /// Whether the catalogue was missing when the library was opened, beside files: nobody knows of them until it is
    /// repaired.
    package let isCatalogueNew: Bool

    /// Opens the library and finishes or undoes what was under way when it was last used.
    ///
    /// - Throws: `UploadError.inUse`, `.newerCatalogue`, `.damagedCatalogue`, `.noRoom`, `.catalogue`, `.io`.
    package init(_ settings: UploadSettings) throws(UploadError) {
        self.settings = settings
        folder = try UploadFolder(path: settings.path)
        let cataloguePath = settings.path + "/" + UploadFolder.catalogueName
        let isMissing = access(cataloguePath, F_OK) != 0
        let catalogue = try Catalogue(writing: cataloguePath)
        let totals: CatalogueTotals
        do throws(SQLiteError) { totals = try catalogue.totals() } catch { throw UploadError(error) }
        readers = CatalogueReaders(path: cataloguePath)
        lastToken = Atomic(totals.lastToken)
        do throws(LibraryError) {
            objects = try FolderLibrary(rootPath: settings.path + "/objects", showsHidden: true)
            names = try FolderLibrary(rootPath: settings.path + "/names", showsHidden: true)
        } catch {
            throw .io(errno: ENOENT)
        }
        do throws(Errno) {
            try folder.sync()
            let files = try folder.names(in: "objects") + folder.names(in: "names")
            isCatalogueNew = isMissing && !files.isEmpty
        } catch {
            throw UploadError(error)
        }
        try Self.recover(folder, catalogue)
        writer = Mutex(Writer(catalogue: catalogue, totals: totals))
    }

    /// Checks that `id` keeps the grammar, whether or not anything is there; touches no disk.
    ///
    /// - Throws: `UploadError.invalidID`.
    package static func checkID(_ id: String) throws(UploadError) { _ = try UploadID(id) }

    /// The most bytes of one upload.
    package var byteLimit: Int { settings.byteLimit }

    /// Where files without a name are made that can become uploads without being copied.
    package var spoolFolder: String { Self.spoolFolder(settings.path) }

    /// The same of the library at `path`.
    package static func spoolFolder(_ path: String) -> String { path + "/incoming" }

    // MARK: Files

    /// The state of the asset `id`: looks at its file alone, as `FolderLibrary.state(of:)` does, with its errors.
    package func state(of id: String) throws(LibraryError) -> AssetState {
        let (library, path) = try place(of: id)
        return try library.state(of: path)
    }

    /// Opens the asset `id`, as `FolderLibrary.open(id:)` does, with its errors.
    package func open(id: String) throws(LibraryError) -> OpenedAsset {
        let (library, path) = try place(of: id)
        return try library.open(id: path)
    }

    private func place(of id: String) throws(LibraryError) -> (FolderLibrary, String) {
        guard id.utf8.first == UInt8(ascii: "~") else { return (names, id) }
        do throws(UploadError) {
            return (objects, try UploadID(id).libraryPath)
        } catch {
            throw .invalidID(.reservedPrefix)
        }
    }

    /// Checks that the folder is still the one that was opened, for readiness probes. One system call.
    package func checkAvailable() throws(LibraryError) { try objects.checkAvailable() }

    // MARK: Records

    /// What is known about the asset `id`. Content that the catalogue does not know is read.
    ///
    /// - Throws: `UploadError.notFound`, `.invalidID`, `.catalogue`, `.io`.
    package func record(of id: String) throws(UploadError) -> AssetRecord {
        let id = try UploadID(id)
        if let row = try readers.read({ catalogue throws(SQLiteError) in try catalogue.row(id.text) }) {
            return row.record
        }
        guard let row = try rowFromFile(id, token: 0) else { throw .notFound }
        return row.record
    }

    /// The first `limit` assets of the catalogue whose ids come after `id` in the order of their bytes.
    func records(after id: String, limit: Int) throws(UploadError) -> [AssetRecord] {
        try readers.read { catalogue throws(SQLiteError) in try catalogue.rows(after: id, limit: limit).map(\.record) }
    }

    /// How many assets there are, and their bytes.
    package var totals: (count: Int, byteCount: Int) {
        writer.withLock { ($0.totals.count, $0.totals.byteCount) }
    }

    /// The row that the file of `id` would have, from its content; nil without a file.
    func rowFromFile(_ id: UploadID, token: Int64) throws(UploadError) -> CatalogueRow? {
        do throws(Errno) {
            guard let state = try folder.state(of: id), state.kind == .file else { return nil }
            let file = try folder.open(id)
            let content = try UploadContent.file(number: file.rawValue, byteCount: state.byteCount).examine()
            return CatalogueRow(
                id: id.text, digest: content.digest, byteCount: state.byteCount,
                mediaType: settings.mediaType(content.head) ?? "application/octet-stream",
                created: state.modifiedNanoseconds, modified: state.modifiedNanoseconds, token: token, fileName: nil)
        } catch {
            if error == .noSuchEntry { return nil }
            throw UploadError(error)
        }
    }

    /// The name of another file under way; never given twice.
    func nextToken() -> Int64 { lastToken.wrappingAdd(1, ordering: .relaxed).newValue }

    /// The time, but later than any time that was given before: what is written twice within a tick has two times.
    func nextStamp() -> Int64 {
        let now = settings.unixNanoseconds()
        var last = lastStamp.load(ordering: .relaxed)
        while true {
            let next = max(now, last + 1)
            let (isExchanged, seen) = lastStamp.weakCompareExchange(
                expected: last, desired: next, ordering: .relaxed)
            if isExchanged { return next }
            last = seen
        }
    }
}
