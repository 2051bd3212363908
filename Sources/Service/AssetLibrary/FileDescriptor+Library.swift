import Glibc
import Reactor

// The few calls of the library that Reactor has no use for: it opens names for passing through, and asks what links
// are.
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

/// Opens a folder for passing through, which takes the right to search it, not to read it: `O_PATH | O_DIRECTORY`.
///
/// Glibc's module leaves `O_PATH` out as a GNU extension; this is its value on every Linux that Swift runs on.
let passFolder: Int32 = 0o10_000_000 | O_DIRECTORY

extension Errno {
    /// Calls `body` until it is not interrupted, and turns a negative result into its `errno`.
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
