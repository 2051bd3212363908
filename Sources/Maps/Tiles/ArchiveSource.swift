import Bytes
import Glibc

/// The bytes of an archive: a file read by position, or memory. Reading takes no lock.
final class ArchiveSource: Sendable {
    private enum Store: Sendable {
        case file(descriptor: Int32)
        case memory(SharedBytes)
    }

    private let store: Store
    let byteCount: UInt64
    /// Modification time, which tells states of the source apart; 0 for memory.
    let modifiedNanoseconds: Int64

    init(path: String) throws(TileError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .cannotOpen(code: errno) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw .cannotOpen(code: code)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .notRegularFile
        }
        store = .file(descriptor: descriptor)
        byteCount = UInt64(max(0, status.st_size))
        modifiedNanoseconds = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    }

    init(bytes: SharedBytes) {
        store = .memory(bytes)
        byteCount = UInt64(bytes.count)
        modifiedNanoseconds = 0
    }

    deinit {
        if case .file(let descriptor) = store { close(descriptor) }
    }

    var isMemory: Bool { if case .memory = store { true } else { false } }

    func holds(offset: UInt64, count: UInt64) -> Bool { offset <= byteCount && count <= byteCount - offset }

    /// Reads exactly `count` bytes from `offset`; memory is shared, not copied. Throws
    /// ``TileError/truncatedArchive(offset:byteCount:)`` when some are missing, or ``TileError/readFailed(code:)``.
    func read(offset: UInt64, count: Int) throws(TileError) -> SharedBytes {
        guard count >= 0, holds(offset: offset, count: UInt64(count)), let start = Int(exactly: offset) else {
            throw .truncatedArchive(offset: offset, byteCount: UInt64(max(0, count)))
        }
        guard count > 0 else { return SharedBytes([]) }
        switch store {
        case .memory(let bytes): return bytes.slice(start..<start + count)
        case .file(let descriptor): return try Self.read(descriptor, offset: start, count: count)
        }
    }

    private static func read(_ descriptor: Int32, offset: Int, count: Int) throws(TileError) -> SharedBytes {
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
        var filled = 0
        while filled < count {
            let got = unsafe pread(descriptor, buffer + filled, count - filled, off_t(offset + filled))
            if got > 0 {
                filled += got
            } else if got == 0 || errno != EINTR {
                let code = errno
                unsafe buffer.deallocate()
                if got == 0 { throw .truncatedArchive(offset: UInt64(offset), byteCount: UInt64(count)) }
                throw .readFailed(code: code)
            }
        }
        return unsafe SharedBytes(
            adopting: buffer, count: count, release: { unsafe UnsafeMutableRawPointer(mutating: $0).deallocate() })
    }
}
