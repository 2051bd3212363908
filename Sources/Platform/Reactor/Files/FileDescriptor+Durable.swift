import CLinux
import Glibc

// To survive a power failure, a file's content is synced before the file gets its name, and the name before anybody is told.
extension FileDescriptor {
    /// `O_TMPFILE`, for reading and writing; mode 0600. Errors: `EOPNOTSUPP`, `ENOSPC`, `EROFS`, `EACCES`, …
    package borrowing func makeNamelessFile() throws(Errno) -> FileDescriptor {
        FileDescriptor(adopting: try systemCall(.diskOpen) { clinux_open_nameless(rawValue) })
    }

    /// Names a nameless file; the name must be free. Errors: `EEXIST`, `EXDEV`, `ENOENT` if `/proc` is missing, `ENOSPC`, …
    package borrowing func link(_ file: borrowing FileDescriptor, as path: RelativePath) throws(Errno) {
        try link(number: file.rawValue, as: path)
    }

    /// For a file that somebody else has open under `number`.
    package borrowing func link(number: Int32, as path: RelativePath) throws(Errno) {
        _ = try systemCall(.diskLink) { unsafe clinux_link(number, rawValue, path.bytes) }
    }

    /// Errors: `EIO`, `ENOSPC`, `EDQUOT`; what was written may be lost then, and a second call would not tell.
    package borrowing func sync() throws(Errno) { try FileDescriptor.sync(number: rawValue) }

    /// For a file that somebody else has open under `number`.
    package static func sync(number: Int32) throws(Errno) { _ = try systemCall(.diskSync) { fsync(number) } }

    /// In nanoseconds since 1970; file systems may keep less of it.
    package static func setModified(number: Int32, nanoseconds: Int64) throws(Errno) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        let times = [time, time]
        _ = try systemCall(.diskWrite) { unsafe futimens(number, times) }
    }

    /// Of a file that somebody else owns. Errors: `EBADF`, `EIO`.
    package static func state(number: Int32) throws(Errno) -> FileState {
        var status = stat()
        _ = try systemCall(.diskStat) { unsafe fstat(number, &status) }
        return FileState(status)
    }
}
