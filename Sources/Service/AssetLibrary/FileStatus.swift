import Glibc
import Reactor

struct FileStatus: Equatable {
    let byteCount: Int64
    let modifiedUnixSeconds: Int64
    let modifiedNanoseconds: Int
    let changedUnixSeconds: Int64
    let changedNanoseconds: Int
    let device: UInt64
    let number: UInt64
    let mode: mode_t

    init(_ raw: stat) {
        byteCount = Int64(raw.st_size)
        modifiedUnixSeconds = Int64(raw.st_mtim.tv_sec)
        modifiedNanoseconds = Int(raw.st_mtim.tv_nsec)
        changedUnixSeconds = Int64(raw.st_ctim.tv_sec)
        changedNanoseconds = Int(raw.st_ctim.tv_nsec)
        device = UInt64(raw.st_dev)
        number = UInt64(raw.st_ino)
        mode = raw.st_mode
    }

    var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
    var isFolder: Bool { mode & S_IFMT == S_IFDIR }

    /// Whether it is the same file, and neither its content nor its owner, rights or names were changed.
    func isSameState(as other: FileStatus) -> Bool {
        hasSameContent(as: other) && number == other.number && device == other.device
            && changedUnixSeconds == other.changedUnixSeconds && changedNanoseconds == other.changedNanoseconds
    }

    /// Whether the content may be taken to be the same; the link count may differ, as when a new file took the name.
    func hasSameContent(as other: FileStatus) -> Bool {
        byteCount == other.byteCount && modifiedUnixSeconds == other.modifiedUnixSeconds
            && modifiedNanoseconds == other.modifiedNanoseconds
    }
}

extension FileDescriptor {
    /// Opens `name` beneath the folder `folder`, never through a link in its place.
    static func open(_ name: String, beneath folder: Int32, flags: Int32) throws(Errno) -> FileDescriptor {
        FileDescriptor(adopting: try Errno.check { openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC) })
    }

    borrowing func status() throws(Errno) -> FileStatus {
        var raw = stat()
        let number = rawValue
        try Errno.check { fstat(number, &raw) }
        return FileStatus(raw)
    }
}

/// For a folder that is only passed through, which takes the right to search it, not to read it: `O_PATH |
/// O_DIRECTORY`. Glibc's module leaves out `O_PATH`; this is its value on every Linux that Swift runs on.
let passFolder: Int32 = 0o10_000_000 | O_DIRECTORY

extension Errno {
    /// Repeats `body` while it is interrupted, and throws the `errno` of a negative result.
    @discardableResult
    static func check<Result: BinaryInteger>(_ body: () -> Result) throws(Errno) -> Result {
        while true {
            let result = body()
            if result >= 0 { return result }
            let code = errno
            if code != EINTR { throw Errno(code: code) }
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
