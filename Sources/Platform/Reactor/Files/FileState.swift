import CLinux
import Glibc

/// What a file is and how large.
package struct FileState: Sendable, Equatable {
    /// What kind of thing has the name.
    package enum Kind: Sendable, Equatable {
        case file
        case folder
        /// A symbolic link, a pipe, a socket, a device.
        case other
    }

    package let kind: Kind
    package let byteCount: Int
    /// What its blocks take.
    package let allocatedByteCount: Int
    /// When it was last written to, in nanoseconds since 1970.
    package let modifiedNanoseconds: Int64
    package let mode: UInt32
    /// How many names it has; 0 for a file that never had one.
    package let nameCount: Int
    /// What tells it from the other files of its file system while it exists.
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
        mode = status.st_mode & 0o7777
        nameCount = Int(status.st_nlink)
        fileNumber = UInt64(status.st_ino)
    }
}

extension FileState {
    /// What is at `path`, or where a link there leads. Errors: `ENOENT`, `ENOTDIR`, `EACCES`, `EIO`, …
    package static func following(_ path: String) throws(Errno) -> FileState {
        var status = stat()
        _ = try systemCall(.diskStat) { unsafe stat(path, &status) }
        return FileState(status)
    }
}
