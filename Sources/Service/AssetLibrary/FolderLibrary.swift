import Digest
import Glibc
import Reactor
import Synchronization

/// The originals in one folder of this machine; ids are paths beneath it.
///
/// The root is opened once. Every id is then walked from there, one component at a time, by `openat` with `O_NOFOLLOW`:
/// the kernel never follows a link for us, so no name can be swapped for a link between a check and its use. Links are
/// read and resolved here, and only to places beneath the root. The kernel's own `openat2(RESOLVE_BENEATH)` refuses
/// absolute links that point back into the library, and container sandboxes that predate it refuse the call.
///
/// Safe to use from any thread; every call blocks on the file system.
package final class FolderLibrary: Sendable {
    private let rootNumber: Int32
    /// How absolute links may spell the root: as configured, and with its own links resolved.
    private let rootSpellings: [[String]]
    private let showsHidden: Bool
    private let digests = FileDigests()
    let runs = FolderRuns()
    /// Names that were read for pages, for tests.
    let listedNameCount = Atomic<Int>(0)
    private let digestLimit: Int
    let listedEndings: Set<String>

    /// Opens the folder at `rootPath`, which may itself be a link. Ids with a part that begins with a dot name nothing
    /// unless `showsHidden`; links may lead to such places.
    ///
    /// States of files of at most `digestLimit` bytes have the digest, so that a replaced file is noticed though size
    /// and time are the same. A file is read for that when it is first looked at and after each change of its inode; of
    /// a file written twice within one tick of the file system's clock (some milliseconds) the second time may go
    /// unseen.
    ///
    /// Lists have files with one of `endings` (`pdf`) besides the usual ones.
    /// - Throws: `LibraryError.rootUnavailable` if it is absent, not a folder or not accessible.
    package init(
        rootPath: String, showsHidden: Bool = false, digestLimit: Int = -1, listing endings: Set<String> = []
    ) throws(LibraryError) {
        self.showsHidden = showsHidden
        self.digestLimit = digestLimit
        listedEndings = Self.usualEndings.union(endings)
        do {
            rootNumber = try Errno.check { Glibc.open(rootPath, passFolder | O_CLOEXEC) }
        } catch {
            throw .rootUnavailable(errno: error.code)
        }
        var spellings = rootPath.utf8.first == UInt8(ascii: "/") ? [Self.linkComponents(rootPath)] : []
        if let resolved = realpath(rootPath, nil) {
            let components = Self.linkComponents(String(cString: resolved))
            if !spellings.contains(components) { spellings.append(components) }
            free(resolved)
        }
        rootSpellings = spellings
    }

    deinit { close(rootNumber) }

    /// Opens the original that `id` names.
    ///
    /// An id is relative, `photos/cat.jpg`: at most 1,024 bytes, components of at most 255, none empty, `.` or `..`, no
    /// control characters or backslashes; none begins with a dot, unless hidden files are shown. Links are followed
    /// while they stay beneath the root, at most 32 in one walk. The file is regular; opening never waits for the other
    /// end of a pipe.
    ///
    /// Reads the whole file where its digest is needed and not known; throws `.changedWhileReading` if it is written to
    /// meanwhile.
    package func open(id: String) throws(LibraryError) -> OpenedAsset { try open(try shownComponents(id)) }

    private func open(_ components: [String]) throws(LibraryError) -> OpenedAsset {
        let file = try openFile(components)
        let status = try Self.status(of: file)
        var digest: Digest256?
        if needsDigest(status) { digest = try self.digest(of: file, status) }
        return try OpenedAsset(adopting: file, status: status, digest: digest)
    }

    /// As `open(id:)`, but never reads the file: its state has no digest.
    func openUnread(id: String) throws(LibraryError) -> OpenedAsset { try openUnread(try shownComponents(id)) }

    private func openUnread(_ components: [String]) throws(LibraryError) -> OpenedAsset {
        let file = try openFile(components)
        let status = try Self.status(of: file)
        return try OpenedAsset(adopting: file, status: status)
    }

    /// The state of the original that `id` names. Where its digest is known or not needed, the file itself is not
    /// opened: one system call for an id of one component, where `open` takes three. Errors as `open(id:)`, except that
    /// a file which may not be read is not noticed then.
    package func state(of id: String) throws(LibraryError) -> AssetState {
        let components = try shownComponents(id)
        // The careful walk deals with links and with whatever else is not plainly there.
        if let status = statusWithoutLinks(components) {
            guard needsDigest(status) else { return try AssetState(status) }
            if let digest = digests.digest(of: status) { return try AssetState(status, digest: digest) }
        }
        return try open(components).state
    }

    private func shownComponents(_ id: String) throws(LibraryError) -> [String] {
        let components = try LibraryPath(id: id).components
        guard showsHidden || !components.contains(where: { $0.utf8.first == UInt8(ascii: ".") }) else {
            throw .notFound
        }
        return components
    }

    /// Whether `id` names a file or a folder, shown or hidden, or lies below a file.
    package func occupies(_ id: String) throws(LibraryError) -> Bool {
        let components = try LibraryPath(id: id).components
        for count in 1...components.count {
            let part = Array(components.prefix(count))
            do throws(LibraryError) {
                if let status = statusWithoutLinks(part) {
                    _ = try AssetState(status)
                } else {
                    _ = try openUnread(part)
                }
                return true
            } catch .notFound {
                return false
            } catch .notRegularFile {
                continue
            }
        }
        return true
    }

    /// Whether `state(of:)` can tell the state without reading the file. Errors as `open(id:)`.
    package func isStateKnown(of id: String) throws(LibraryError) -> Bool {
        let components = try shownComponents(id)
        guard let status = statusWithoutLinks(components) else { return isKnown(try openUnread(components).status) }
        _ = try AssetState(status)
        return isKnown(status)
    }

    /// Reads the file that `id` names where its digest is needed and not known, so that `state(of:)` need not. `goesOn` gets the
    /// number of bytes of each piece that was read; false ends the reading. Errors as `open(id:)`.
    package func readDigest(of id: String, whileTrue goesOn: (Int) -> Bool) throws(LibraryError) {
        let file = try openFile(try shownComponents(id))
        let status = try Self.status(of: file)
        if needsDigest(status) { _ = try digest(of: file, status, whileTrue: goesOn) }
    }

    private func needsDigest(_ status: FileStatus) -> Bool { status.isRegularFile && status.byteCount <= digestLimit }
    private func isKnown(_ status: FileStatus) -> Bool { !needsDigest(status) || digests.digest(of: status) != nil }

    private static func status(of file: borrowing FileDescriptor) throws(LibraryError) -> FileStatus {
        do throws(Errno) { return try file.status() } catch { throw error.libraryError }
    }

    /// Reads the open file where its digest is not known.
    private func digest(
        of file: borrowing FileDescriptor, _ status: FileStatus, whileTrue goesOn: (Int) -> Bool = { _ in true }
    ) throws(LibraryError) -> Digest256 {
        if let known = digests.digest(of: status) { return known }
        let content = UploadContent.file(number: file.rawValue, byteCount: Int(status.byteCount))
        var digest: Digest256?
        var failure: Errno?
        do throws(Errno) { digest = try content.examine(goesOn).digest } catch { failure = error }
        guard try Self.status(of: file).isSameState(as: status) else { throw .changedWhileReading }
        guard let digest else { throw failure?.libraryError ?? .changedWhileReading }
        digests.keep(digest, of: status)
        return digest
    }

    /// nil if there is a link on the way, or nothing.
    private func statusWithoutLinks(_ components: [String]) -> FileStatus? {
        var folder: FileDescriptor?
        for component in components.dropLast() {
            guard
                let next = try? FileDescriptor.open(
                    component, beneath: folder?.rawValue ?? rootNumber, flags: passFolder)
            else { return nil }
            folder = consume next
        }
        var raw = stat()
        guard let name = components.last, fstatat(folder?.rawValue ?? rootNumber, name, &raw, AT_SYMLINK_NOFOLLOW) == 0
        else { return nil }
        return raw.st_mode & S_IFMT == S_IFLNK ? nil : FileStatus(raw)
    }

    /// Checks that the root is still there, for readiness probes. One system call.
    /// - Throws: `LibraryError.rootUnavailable` once the folder was removed, or its file system fails.
    package func checkAvailable() throws(LibraryError) {
        var raw = stat()
        do { try Errno.check { fstat(rootNumber, &raw) } } catch { throw .rootUnavailable(errno: error.code) }
        guard raw.st_nlink > 0 else { throw .rootUnavailable(errno: ENOENT) }
    }

    /// Opens a folder beneath the root, or the root, to read its names; no component may be a link.
    func openFolder(_ components: [String]) throws(LibraryError) -> FileDescriptor {
        do {
            var folder = try FileDescriptor.open(".", beneath: rootNumber, flags: O_RDONLY | O_DIRECTORY)
            for component in components {
                folder = try .open(component, beneath: folder.rawValue, flags: O_RDONLY | O_DIRECTORY)
            }
            return folder
        } catch {
            throw error.libraryError
        }
    }

    /// Walks from the root to the last of `components`; after a link or a `..` in one, from the root again, so that no
    /// more than two descriptors are open at a time.
    private func openFile(_ components: [String]) throws(LibraryError) -> FileDescriptor {
        var route = LinkRoute(components)
        while true {
            switch try walk(route.components) {
            case .file(let file): return file
            case .link(let index, let target):
                try route.follow(
                    Self.linkComponents(target), isAbsolute: target.utf8.first == UInt8(ascii: "/"), at: index,
                    rootSpellings: rootSpellings)
            case .stepUp(let index): try route.stepUp(at: index)
            }
        }
    }

    private enum WalkResult: ~Copyable {
        case file(FileDescriptor)
        /// The component at `index` is a link to `target`.
        case link(index: Int, target: String)
        /// The component at `index` is `..`, and all before it are folders.
        case stepUp(index: Int)
    }

    private func walk(_ components: [String]) throws(LibraryError) -> WalkResult {
        var folder: FileDescriptor?
        for (index, component) in components.enumerated() {
            if component == ".." { return .stepUp(index: index) }
            let parent = folder?.rawValue ?? rootNumber
            let isLast = index == components.count - 1
            // O_NONBLOCK keeps a pipe without a writer from waiting for one.
            let flags = isLast ? O_RDONLY | O_NONBLOCK | O_NOCTTY : passFolder
            do {
                let opened = try FileDescriptor.open(component, beneath: parent, flags: flags)
                if isLast { return .file(opened) }
                folder = consume opened
            } catch {
                // A link is ELOOP where a file was asked for and ENOTDIR where a folder was.
                guard error.code == ELOOP || error.code == ENOTDIR, let target = linkTarget(component, in: parent)
                else { throw error.libraryError }
                return .link(index: index, target: target)
            }
        }
        throw .notRegularFile
    }

    /// nil if it is no link, is not UTF-8 or is too long.
    private func linkTarget(_ name: String, in folder: Int32) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let base = buffer.baseAddress,
                let count = try? Errno.check({ readlinkat(folder, name, base, buffer.count) }),
                count < buffer.count
            else { return nil }
            return String(
                validating: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]), as: UTF8.self)
        }
    }

    /// The components of a link's target or of the root's path; empty ones and `.` mean nothing there.
    private static func linkComponents(_ path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }
    }
}
