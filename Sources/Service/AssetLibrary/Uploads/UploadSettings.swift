package import Bytes
import Glibc

/// Where a library of uploads is, and what it may hold.
package struct UploadSettings: Sendable {
    /// Its folder, made if it is missing. One process at a time has it.
    package var path: String
    /// The most bytes of one upload.
    package var byteLimit: Int
    package var countLimit: Int
    /// The most bytes of all assets together.
    package var totalByteLimit: Int
    /// What content is whose first bytes, at most `sniffedByteCount`, are these; nil for what is not taken.
    package var mediaType: @Sendable (SharedBytes) -> String?
    /// The time in nanoseconds since 1970.
    package var unixNanoseconds: @Sendable () -> Int64

    /// How many bytes `mediaType` gets to see.
    package static let sniffedByteCount = 4096

    /// A library at `path`; without bounds unless they are given.
    package init(
        path: String, byteLimit: Int = .max, countLimit: Int = .max, totalByteLimit: Int = .max,
        unixNanoseconds: @escaping @Sendable () -> Int64 = Self.systemTime,
        mediaType: @escaping @Sendable (SharedBytes) -> String?
    ) {
        self.path = path
        self.byteLimit = byteLimit
        self.countLimit = countLimit
        self.totalByteLimit = totalByteLimit
        self.unixNanoseconds = unixNanoseconds
        self.mediaType = mediaType
    }

    /// The wall clock of the operating system, which counts on within a tick of the file system's.
    package static let systemTime: @Sendable () -> Int64 = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
