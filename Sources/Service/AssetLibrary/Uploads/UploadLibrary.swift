import Glibc
import Reactor
import SQLite
import Synchronization

/// Assets that clients upload, in a folder of this machine that this process has for itself.
///
/// Rendering (`state`, `open`) uses files alone. Managing assets reads the catalogue; changes write it,
/// one at a time. A change is over when it would survive the end of the process or of the power: the content is on the
/// disk as `incoming/<token>` before the row with that token is committed, and only then the file takes its place. A
/// removal takes the file back to `incoming` before the row goes: the row of a file there tells what was meant.
///
/// Safe to use from any thread; every call blocks on the file system.
package final class UploadLibrary: Sendable {
    /// Changed by one thread at a time.
    struct Writer {
        let catalogue: Catalogue
        var totals: CatalogueTotals
    }

    let settings: UploadSettings
    let folder: UploadFolder
    let readers: CatalogueReaders
    let writer: Mutex<Writer>
    let focalPoints: FocalPoints
    private let objects: FolderLibrary
    private let names: FolderLibrary
    private let lastToken: Atomic<Int64>
    private let lastStamp = Atomic<Int64>(0)
    /// The catalogue was missing beside files when the library was opened: they are unknown until it is repaired.
    package let isCatalogueNew: Bool

    /// Finishes or undoes what was under way when the library was last used.
    /// - Throws: `UploadError.inUse`, `.newerCatalogue`, `.damagedCatalogue`, `.noRoom`, `.catalogue`, `.io`.
    package init(_ settings: UploadSettings) throws(UploadError) {
        self.settings = settings
        folder = try UploadFolder(path: settings.path)
        let cataloguePath = settings.path + "/" + UploadFolder.catalogueName
        let isMissing = access(cataloguePath, F_OK) != 0
        let catalogue = try Catalogue(writing: cataloguePath)
        let totals: CatalogueTotals
        do throws(SQLiteError) {
            totals = try catalogue.totals()
            focalPoints = try FocalPoints(catalogue)
        } catch {
            throw UploadError(error)
        }
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

    /// Checks the grammar of `id`, whether or not anything is there; touches no disk.
    /// - Throws: `UploadError.invalidID`.
    package static func checkID(_ id: String) throws(UploadError) { _ = try UploadID(id) }

    package var byteLimit: Int { settings.byteLimit }

    /// Nameless files made here can become uploads without being copied.
    package var spoolFolder: String { Self.spoolFolder(settings.path) }
    package static func spoolFolder(_ path: String) -> String { path + "/incoming" }

    // MARK: Files

    /// Looks at the file alone, as `FolderLibrary.state(of:)` does, with its errors.
    package func state(of id: String) throws(LibraryError) -> AssetState {
        let (library, path) = try place(of: id)
        return try library.state(of: path)
    }

    /// As `FolderLibrary.open(id:)`, with its errors.
    package func open(id: String) throws(LibraryError) -> OpenedAsset {
        let (library, path) = try place(of: id)
        return try library.open(id: path)
    }

    private func place(of id: String) throws(LibraryError) -> (FolderLibrary, String) {
        guard id.utf8.first == UInt8(ascii: "~") else { return (names, id) }
        do { return (objects, try UploadID(id).libraryPath) } catch { throw .invalidID(.reservedPrefix) }
    }

    /// For readiness probes. One system call.
    package func checkAvailable() throws(LibraryError) { try objects.checkAvailable() }

    // MARK: Records

    /// Reads content that the catalogue does not know.
    /// - Throws: `UploadError.notFound`, `.invalidID`, `.catalogue`, `.io`.
    package func record(of id: String) throws(UploadError) -> AssetRecord {
        let id = try UploadID(id)
        if let row = try readers.read({ catalogue throws(SQLiteError) in try catalogue.row(id.text) }) {
            return row.record
        }
        guard let row = try rowFromFile(id, token: 0) else { throw .notFound }
        return row.record
    }

    /// The first `limit` assets after `id`, in the order of bytes.
    func records(after id: String, limit: Int) throws(UploadError) -> [AssetRecord] {
        try readers.read { catalogue throws(SQLiteError) in try catalogue.rows(after: id, limit: limit).map(\.record) }
    }

    package var totals: (count: Int, byteCount: Int) { writer.withLock { ($0.totals.count, $0.totals.byteCount) } }

    /// The row that follows from the file's content; nil without a file.
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

    /// Names another file under way; never given twice.
    func nextToken() -> Int64 { lastToken.wrappingAdd(1, ordering: .relaxed).newValue }

    /// The time, but later than any before: what is written twice within a tick has two times.
    func nextStamp() -> Int64 {
        let now = settings.unixNanoseconds()
        var last = lastStamp.load(ordering: .relaxed)
        while true {
            let next = max(now, last + 1)
            let (isExchanged, seen) = lastStamp.weakCompareExchange(expected: last, desired: next, ordering: .relaxed)
            if isExchanged { return next }
            last = seen
        }
    }
}

extension UploadLibrary {
    /// Ends what was under way: a file in `incoming` with a row takes its place, any other goes.
    static func recover(_ folder: UploadFolder, _ catalogue: Catalogue) throws(UploadError) {
        do {
            for token in try folder.tokensUnderWay() {
                guard let text = try catalogue.id(token: token) else {
                    folder.discard(token)
                    continue
                }
                let id = try UploadID(text)
                try folder.prepare(id)
                try folder.place(token, as: id)
                try folder.syncFolder(of: id)
            }
        } catch {
            throw UploadError(anyOf: error)
        }
    }
}
