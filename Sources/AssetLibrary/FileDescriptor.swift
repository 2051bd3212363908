import Glibc

/// An open file or folder of this process; closed when the last use ends.
///
/// AssetLibrary works below Reactor's level of the module table, so it keeps its own few system calls, and this file is the
/// one place where an interrupted call is made again.
struct FileDescriptor: ~Copyable {
    let number: Int32

    /// Takes over `number`.
    init(adopting number: Int32) { self.number = number }

    deinit { close(number) }  // Linux frees the number even when it answers EINTR: never again.

    /// Opens `name` beneath the folder `folder`, never through a link in its place.
    static func open(_ name: String, beneath folder: Int32, flags: Int32) throws(SystemError) -> FileDescriptor {
        FileDescriptor(
            adopting: try SystemError.check { openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC) })
    }

    borrowing func status() throws(SystemError) -> FileStatus {
        var raw = stat()
        try SystemError.check { fstat(number, &raw) }
        return FileStatus(raw)
    }
}

/// Opens a folder for passing through, which takes the right to search it, not to read it: `O_PATH | O_DIRECTORY`.
///
/// Glibc's module leaves `O_PATH` out as a GNU extension; this is its value on every Linux that Swift runs on.
let passFolder: Int32 = 0o10_000_000 | O_DIRECTORY

/// What of a file's state the library looks at.
struct FileStatus: Equatable {
    let byteCount: Int64
    let modifiedUnixSeconds: Int64
    let modifiedNanoseconds: Int
    let mode: mode_t
    let linkCount: UInt

    init(_ raw: stat) {
        byteCount = Int64(raw.st_size)
        modifiedUnixSeconds = Int64(raw.st_mtim.tv_sec)
        modifiedNanoseconds = Int(raw.st_mtim.tv_nsec)
        mode = raw.st_mode
        linkCount = UInt(raw.st_nlink)
    }

    var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
    var isFolder: Bool { mode & S_IFMT == S_IFDIR }

    /// Whether the content may be taken to be the same: the link count may differ, as when a new file took the name.
    func hasSameContent(as other: FileStatus) -> Bool {
        byteCount == other.byteCount && modifiedUnixSeconds == other.modifiedUnixSeconds
            && modifiedNanoseconds == other.modifiedNanoseconds
    }
}

/// The `errno` of a failed call.
struct SystemError: Error, Equatable {
    let code: Int32

    /// Calls `body` until it is not interrupted, and turns a negative result into its `errno`.
    @discardableResult
    static func check<Result: BinaryInteger>(_ body: () -> Result) throws(SystemError) -> Result {
        while true {
            let result = body()
            if result >= 0 { return result }
            let code = errno
            if code != EINTR { throw SystemError(code: code) }
        }
    }

    /// What the failure means for a name within the library.
    var libraryError: LibraryError {
        switch code {
        case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP: .notFound
        case EISDIR, ENXIO, ENODEV: .notRegularFile
        case EACCES, EPERM: .accessDenied
        default: .io(errno: code)
        }
    }
}
