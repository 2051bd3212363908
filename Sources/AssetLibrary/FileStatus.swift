import Glibc

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
