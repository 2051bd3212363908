import Glibc

/// The state of an original's content, as far as the size and time of its file tell it.
package struct AssetState: Equatable, Sendable {
    /// The number of octets.
    package let byteCount: Int
    /// When the content was last written to, in whole seconds since 1970.
    package let modifiedUnixSeconds: Int64
    /// The part of the second, 0…999,999,999, that `modifiedUnixSeconds` leaves out.
    package let modifiedNanoseconds: Int

    /// Throws `LibraryError.notRegularFile` for anything but a regular file.
    init(_ status: FileStatus) throws(LibraryError) {
        guard status.isRegularFile else { throw .notRegularFile }
        guard let byteCount = Int(exactly: status.byteCount), byteCount >= 0 else { throw .io(errno: EOVERFLOW) }
        self.byteCount = byteCount
        modifiedUnixSeconds = status.modifiedUnixSeconds
        modifiedNanoseconds = status.modifiedNanoseconds
    }

    /// Names this state of the content: size and time of the last change to the nanosecond, in hexadecimal.
    ///
    /// The same after a restart and on every replica whose copy kept its times; no inode or device goes in. A file written
    /// twice within one tick of the file system's clock (some milliseconds) at the same size keeps its validator.
    package var validator: String {
        let size = String(byteCount, radix: 16)
        let seconds = String(modifiedUnixSeconds, radix: 16)
        return "\(size)-\(seconds).\(String(modifiedNanoseconds, radix: 16))"
    }
}
