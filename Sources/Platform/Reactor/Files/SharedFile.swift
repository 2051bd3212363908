package import Bytes
import Glibc

/// An open regular file whose bytes several threads may send and read at once; it closes with its last reference.
///
/// Reading and sending name their offset, so the holders do not share a position. From the first shared file on the
/// process ignores `SIGPIPE`: sendfile(2) has no flag for it, and loop threads block all signals anyway.
package struct SharedFile: Sendable {
    private final class Owner: Sendable {
        let descriptor: FileDescriptor
        init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
    }

    private let owner: Owner
    /// How many bytes are shared, from the first on; the file may have been cut since.
    package let byteCount: Int

    private static let ignoreBrokenPipes: Void = {
        _ = signal(SIGPIPE, SIG_IGN)
    }()

    /// Takes over the open regular file `descriptor`, of which the first `byteCount` bytes are shared.
    package init(adopting descriptor: consuming FileDescriptor, byteCount: Int) {
        Self.ignoreBrokenPipes
        self.owner = Owner(descriptor)
        self.byteCount = byteCount
    }

    private init(_ owner: Owner, byteCount: Int) {
        self.owner = owner
        self.byteCount = byteCount
    }

    /// The same open file, of which the first `byteCount` bytes are shared.
    package func resized(to byteCount: Int) -> SharedFile { SharedFile(owner, byteCount: byteCount) }

    /// Writes `bytes` from `offset` on; whoever does so sees to it that nobody reads there yet. It may wait for the disk.
    ///
    /// Errors: see ``FileDescriptor/write(all:at:)``.
    package func write(_ bytes: [UInt8], at offset: Int) throws(Errno) {
        try unsafe write(bytes.span.bytes, at: offset)
    }

    /// The same for bytes that are not in an array.
    package func write(_ bytes: RawSpan, at offset: Int) throws(Errno) {
        let outcome: Result<Void, Errno> = unsafe bytes.withUnsafeBytes { buffer in
            do throws(Errno) {
                return .success(try unsafe owner.descriptor.write(all: buffer, at: offset))
            } catch {
                return .failure(error)
            }
        }
        try outcome.get()
    }

    /// The number of its descriptor, valid as long as this object lives.
    package var rawValue: Int32 { owner.descriptor.rawValue }

    /// Reads into `buffer` from `offset` on and returns how many bytes it got, fewer than asked at the end of the file.
    ///
    /// One system call in the usual case; it may wait for the disk. Errors: `EIO`, `EINVAL` (negative offset).
    package func read(into buffer: UnsafeMutableRawBufferPointer, from offset: Int) throws(Errno) -> Int {
        var filled = 0
        while filled < buffer.count, let base = buffer.baseAddress {
            let count = try systemCall { unsafe pread(rawValue, base + filled, buffer.count - filled, offset + filled) }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// All of it in memory; nil where it cannot be read, or was cut. It waits for the disk.
    package func wholeContent() -> SharedBytes? {
        let whole = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
        let content = unsafe SharedBytes(adopting: UnsafeRawPointer(whole.baseAddress), count: byteCount) {
            unsafe UnsafeMutableRawPointer(mutating: $0).deallocate()
        }
        guard let count = try? unsafe read(into: whole, from: 0), count == byteCount else { return nil }
        return content
    }
}

extension FileDescriptor {
    /// The most bytes that the kernel moves by one call (sendfile(2)).
    private static var sendLimit: Int { 0x7FFF_F000 }

    /// Sends `count` bytes of `file` from `offset` on, or as many of them as fit, without copying them through this
    /// process (sendfile(2)). One system call, never a `SIGPIPE`; it may wait for the disk.
    ///
    /// `.failed(.fileTooShort)` when the file ends at or before `offset`, because it was cut.
    package borrowing func send(file: SharedFile, from offset: Int, count: Int) -> TransferResult {
        guard count > 0 else { return .bytes(0) }
        var position = off_t(offset)
        let number = rawValue
        let result = sent(.sendFile) {
            unsafe sendfile(number, file.rawValue, &position, min(count, FileDescriptor.sendLimit))
        }
        return result == .bytes(0) ? .failed(.fileTooShort) : result
    }
}
