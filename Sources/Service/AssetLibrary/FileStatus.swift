import Glibc

/// What of a file's state the library looks at.
struct FileStatus: Equatable {
    let byteCount: Int64
    let modifiedUnixSeconds: Int64
    let modifiedNanoseconds: Int
    let changedUnixSeconds: Int64
    let changedNanoseconds: Int
    let device: UInt64
    let number: UInt64
    let mode: mode_t
    let linkCount: UInt

    init(_ raw: stat) {
        byteCount = Int64(raw.st_size)
        modifiedUnixSeconds = Int64(raw.st_mtim.tv_sec)
        modifiedNanoseconds = Int(raw.st_mtim.tv_nsec)
        changedUnixSeconds = Int64(raw.st_ctim.tv_sec)
        changedNanoseconds = Int(raw.st_ctim.tv_nsec)
        device = UInt64(raw.st_dev)
        number = UInt64(raw.st_ino)
        mode = raw.st_mode
        linkCount = UInt(raw.st_nlink)
    }

    var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
    var isFolder: Bool { mode & S_IFMT == S_IFDIR }

    /// Whether it is the same file, and nothing of it was changed: neither its content nor its owner, its rights or its names.
    func isSameState(as other: FileStatus) -> Bool {
        hasSameContent(as: other) && number == other.number && device == other.device
            && changedUnixSeconds == other.changedUnixSeconds && changedNanoseconds == other.changedNanoseconds
    }

    /// Whether the content may be taken to be the same: the link count may differ, as when a new file took the name.
    func hasSameContent(as other: FileStatus) -> Bool {
        byteCount == other.byteCount && modifiedUnixSeconds == other.modifiedUnixSeconds
            && modifiedNanoseconds == other.modifiedNanoseconds
    }
}
