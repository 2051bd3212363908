package import Bytes
import Glibc

package struct UploadSettings: Sendable {
    /// Made if it is missing. One process at a time has it.
    package var path: String
    package var byteLimit: Int
    package var countLimit: Int
    package var totalByteLimit: Int
    /// Of focal points, which are held in memory.
    package var focalPointLimit = 100_000
    /// The media type of content with these first bytes, at most `sniffedByteCount`; nil for what is not taken.
    package var mediaType: @Sendable (SharedBytes) -> String?
    /// Since 1970.
    package var unixNanoseconds: @Sendable () -> Int64

    package static let sniffedByteCount = 4096

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

    /// The wall clock of the operating system, which advances within a tick of the file system's.
    package static let systemTime: @Sendable () -> Int64 = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
