package import Bytes
import Glibc

/// An open regular file that several threads send and read at once, naming their offsets. The first one makes the
/// process ignore `SIGPIPE`: sendfile(2) has no flag for it, and loop threads block all signals anyway.
package struct SharedFile: Sendable {
    private final class Owner: Sendable {
        let descriptor: FileDescriptor
        init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
    }

    private let owner: Owner
    /// Shared from the first on; the file may have been cut since.
    package let byteCount: Int

    private static let ignoreBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    package init(adopting descriptor: consuming FileDescriptor, byteCount: Int) {
        Self.ignoreBrokenPipes
        self.owner = Owner(descriptor)
        self.byteCount = byteCount
    }

    private init(_ owner: Owner, byteCount: Int) {
        self.owner = owner
        self.byteCount = byteCount
    }

    package func resized(to byteCount: Int) -> SharedFile { SharedFile(owner, byteCount: byteCount) }

    /// Where nobody may read yet; it may wait for the disk. Errors: see ``FileDescriptor/write(all:at:_:)``.
    package func write(_ bytes: [UInt8], at offset: Int) throws(Errno) {
        try unsafe write(bytes.span.bytes, at: offset)
    }

    package func write(_ bytes: RawSpan, at offset: Int) throws(Errno) {
        try unsafe bytes.withUnsafeBytes { buffer throws(Errno) in
            try unsafe owner.descriptor.write(all: buffer, at: offset)
        }
    }

    package var rawValue: Int32 { owner.descriptor.rawValue }

    /// Returns how many bytes it got, fewer at the end of the file; it may wait for the disk. Errors: `EIO`, `EINVAL`.
    package func read(into buffer: UnsafeMutableRawBufferPointer, from offset: Int) throws(Errno) -> Int {
        try unsafe owner.descriptor.read(into: buffer, at: offset)
    }

    /// Nil if it cannot be read or was cut. Waits for the disk.
    package func wholeContent() -> SharedBytes? { content(of: 0..<byteCount) }

    /// The same for a part; nil also if that is not within the file.
    package func content(of range: Range<Int>) -> SharedBytes? {
        guard range.lowerBound >= 0, range.upperBound <= byteCount else { return nil }
        let part = UnsafeMutableRawBufferPointer.allocate(byteCount: range.count, alignment: 16)
        let content = unsafe SharedBytes(adopting: UnsafeRawPointer(part.baseAddress), count: range.count) {
            unsafe UnsafeMutableRawPointer(mutating: $0).deallocate()
        }
        guard let count = try? unsafe read(into: part, from: range.lowerBound), count == range.count else { return nil }
        return content
    }
}

extension FileDescriptor {
    /// sendfile(2).
    private static var sendLimit: Int { 0x7FFF_F000 }

    /// sendfile(2): one system call, never a `SIGPIPE`; it may wait for the disk. `.failed(.fileTooShort)` if cut before `offset`.
    package borrowing func send(file: SharedFile, from offset: Int, count: Int) -> TransferResult {
        guard count > 0 else { return .bytes(0) }
        var position = off_t(offset)
        let result = sent(.sendFile) {
            unsafe sendfile(rawValue, file.rawValue, &position, min(count, FileDescriptor.sendLimit))
        }
        return result == .bytes(0) ? .failed(.fileTooShort) : result
    }
}
