package import Digest
import Glibc

/// The state of an original's content: the size and time of its file, and the digest where it was read.
package struct AssetState: Equatable, Sendable {
    /// The number of bytes.
    package let byteCount: Int
    /// When the content was last written to, in whole seconds since 1970.
    package let modifiedUnixSeconds: Int64
    /// The part of the second, 0…999,999,999, that `modifiedUnixSeconds` leaves out.
    package let modifiedNanoseconds: Int
    /// Of the content; nil where size and time are all that is known.
    package let digest: Digest256?

    /// Throws `LibraryError.notRegularFile` for anything but a regular file.
    init(_ status: FileStatus, digest: Digest256? = nil) throws(LibraryError) {
        guard status.isRegularFile else { throw .notRegularFile }
        guard let byteCount = Int(exactly: status.byteCount), byteCount >= 0 else { throw .io(errno: EOVERFLOW) }
        self.byteCount = byteCount
        modifiedUnixSeconds = status.modifiedUnixSeconds
        modifiedNanoseconds = status.modifiedNanoseconds
        self.digest = digest
    }

    /// Names this state of the content: size and time of the last change to the nanosecond, in hexadecimal, and the digest.
    ///
    /// The same after a restart and on every replica whose copy kept its times; no inode, device or time of change goes in.
    package var validator: String {
        let size = String(byteCount, radix: 16)
        let seconds = String(modifiedUnixSeconds, radix: 16)
        let content = digest.map { "-" + $0.base64URL(byteCount: 16) } ?? ""
        return "\(size)-\(seconds).\(String(modifiedNanoseconds, radix: 16))\(content)"
    }
}
