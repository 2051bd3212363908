import CLinux
import Glibc

package struct FileState: Sendable, Equatable {
    package enum Kind: Sendable, Equatable { case file, folder, other }

    package let kind: Kind
    package let byteCount: Int
    package let allocatedByteCount: Int
    /// Since 1970.
    package let modifiedNanoseconds: Int64
    /// Of content, names or rights, since 1970; nobody can set it back without setting the clock.
    package let changedNanoseconds: Int64
    package let mode: UInt32
    /// 0 for a file that never had a name.
    package let nameCount: Int
    /// The inode number.
    package let fileNumber: UInt64

    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        default: kind = .other
        }
        byteCount = Int(status.st_size)
        let (blocks, overflow) = Int(status.st_blocks).multipliedReportingOverflow(by: 512)
        allocatedByteCount = overflow ? .max : blocks
        modifiedNanoseconds = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        changedNanoseconds = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
        mode = status.st_mode & 0o7777
        nameCount = Int(status.st_nlink)
        fileNumber = UInt64(status.st_ino)
    }
    /// Follows a link. Errors: `ENOENT`, `ENOTDIR`, `EACCES`, `EIO`, …
    package static func following(_ path: String) throws(Errno) -> FileState {
        var status = stat()
        _ = try systemCall(.diskStat) { unsafe stat(path, &status) }
        return FileState(status)
    }
}
