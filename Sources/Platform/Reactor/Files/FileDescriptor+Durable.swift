import CLinux
import Glibc

// What it takes that a file is there after the power has failed: its content is on the disk before it has its name, and
// the name is on the disk before anybody is told.
extension FileDescriptor {
    /// A new file in this folder that has no name (`O_TMPFILE`), for reading and writing; mode 0600. It may be given
    /// one. Errors: `EOPNOTSUPP` where the file system cannot do it, `ENOSPC`, `EROFS`, `EACCES`, …
    package borrowing func makeNamelessFile() throws(Errno) -> FileDescriptor {
        let number = rawValue
        return FileDescriptor(adopting: try systemCall(.diskOpen) { clinux_open_nameless(number) })
    }

    /// Gives the open file `file`, which has no name, the name `path` in this folder; the name must be free.
    /// Errors: `EEXIST`, `EXDEV` on another file system, `ENOENT` where `/proc` is missing, `ENOSPC`, …
    package borrowing func link(_ file: borrowing FileDescriptor, as path: RelativePath) throws(Errno) {
        try link(number: file.rawValue, as: path)
    }

    /// The same for a file that somebody else has open under the number `number`.
    package borrowing func link(number: Int32, as path: RelativePath) throws(Errno) {
        let folder = rawValue
        _ = try systemCall(.diskLink) { unsafe clinux_link(number, folder, path.bytes) }
    }

    /// Waits until all of the open file or folder is on the disk. Errors: `EIO`, `ENOSPC`, `EDQUOT`; what was written
    /// may be lost then, and asking again would not tell.
    package borrowing func sync() throws(Errno) {
        try FileDescriptor.sync(number: rawValue)
    }

    /// The same for a file that somebody else has open under the number `number`.
    package static func sync(number: Int32) throws(Errno) {
        _ = try systemCall(.diskSync) { fsync(number) }
    }

    /// Sets when the open file was last written to, in nanoseconds since 1970; file systems may keep less of it.
    package static func setModified(number: Int32, nanoseconds: Int64) throws(Errno) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        let times = [time, time]
        _ = try systemCall(.diskWrite) { unsafe futimens(number, times) }
    }

    /// What is open under the number `number`, which somebody else owns. Errors: `EBADF`, `EIO`.
    package static func state(number: Int32) throws(Errno) -> FileState {
        var status = stat()
        _ = try systemCall(.diskStat) { unsafe fstat(number, &status) }
        return FileState(status)
    }
}
