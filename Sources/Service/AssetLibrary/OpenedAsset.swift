package import Bytes
package import Digest
import Glibc
package import Reactor

/// One original, open for reading; closed when the value ends. Size, times and content come from the same open file, so
/// that `validator` names what `read` returns, also when another file takes the name meanwhile.
package struct OpenedAsset: ~Copyable {
    private let file: FileDescriptor
    let status: FileStatus

    package let state: AssetState

    init(adopting file: consuming FileDescriptor, status: FileStatus, digest: Digest256? = nil) throws(LibraryError) {
        self.state = try AssetState(status, digest: digest)
        self.file = file
        self.status = status
    }

    package var byteCount: Int { state.byteCount }
    package var modifiedUnixSeconds: Int64 { state.modifiedUnixSeconds }
    package var modifiedNanoseconds: Int { state.modifiedNanoseconds }
    package var validator: String { state.validator }

    /// Reads all of the content. Copies rather than maps: a mapped file that shrinks raises SIGBUS.
    /// - Throws: `LibraryError.tooLarge` before anything is read, `.changedWhileReading` if the file is no longer what
    /// was opened, `.io`.
    package borrowing func read(limit: Int, forAnotherProcess: Bool = false) throws(LibraryError) -> SharedBytes {
        guard byteCount <= limit else { throw .tooLarge(limit: limit) }
        if forAnotherProcess, let content = try? file.sealedCopy(byteCount: byteCount),
            (try? file.status().hasSameContent(as: status)) == true
        {
            return content
        }
        // One byte more than there should be, so that a file that grew shows at once.
        guard let memory = malloc(byteCount + 1) else { throw .io(errno: ENOMEM) }
        let content = SharedBytes(
            adopting: memory, count: byteCount, release: { free(UnsafeMutableRawPointer(mutating: $0)) })
        do {
            let count = try fill(memory, byteCount + 1)
            guard count == byteCount, try file.status().hasSameContent(as: status) else {
                throw LibraryError.changedWhileReading
            }
        } catch let error as Errno {
            throw .io(errno: error.code)
        } catch {
            throw .changedWhileReading
        }
        return content
    }

    /// Reads at most the first `limit` bytes.
    package borrowing func readHead(limit: Int) throws(LibraryError) -> SharedBytes {
        let count = min(byteCount, limit)
        guard let memory = malloc(count + 1) else { throw .io(errno: ENOMEM) }
        do throws(Errno) {
            let filled = try fill(memory, count)
            return SharedBytes(
                adopting: memory, count: filled, release: { free(UnsafeMutableRawPointer(mutating: $0)) })
        } catch {
            free(memory)
            throw .io(errno: error.code)
        }
    }

    package consuming func share() -> SharedFile {
        let byteCount = byteCount
        return SharedFile(adopting: file, byteCount: byteCount)
    }

    /// Reads until `capacity` bytes are there or the file ends; returns how many there are.
    private borrowing func fill(_ memory: UnsafeMutableRawPointer, _ capacity: Int) throws(Errno) -> Int {
        var filled = 0
        while filled < capacity {
            let count = try Errno.check { pread(file.rawValue, memory + filled, capacity - filled, off_t(filled)) }
            if count == 0 { break }
            filled += count
        }
        return filled
    }
}

/// The state of an original's content: size and time of its file, and the digest where it was read.
package struct AssetState: Equatable, Sendable {
    package let byteCount: Int
    /// When it was last written to, in whole seconds since 1970.
    package let modifiedUnixSeconds: Int64
    /// The rest of the second, 0…999,999,999.
    package let modifiedNanoseconds: Int
    /// nil where only size and time are known.
    package let digest: Digest256?

    /// - Throws: `LibraryError.notRegularFile`.
    init(_ status: FileStatus, digest: Digest256? = nil) throws(LibraryError) {
        guard status.isRegularFile else { throw .notRegularFile }
        guard let byteCount = Int(exactly: status.byteCount), byteCount >= 0 else { throw .io(errno: EOVERFLOW) }
        self.byteCount = byteCount
        modifiedUnixSeconds = status.modifiedUnixSeconds
        modifiedNanoseconds = status.modifiedNanoseconds
        self.digest = digest
    }

    /// Names this state: size and time of the last change to the nanosecond, in hexadecimal, and the digest. The same
    /// after a restart and on every replica whose copy kept its times; no inode, device or time of change goes in.
    package var validator: String {
        let size = String(byteCount, radix: 16)
        let seconds = String(modifiedUnixSeconds, radix: 16)
        let content = digest.map { "-" + $0.base64URL(byteCount: 16) } ?? ""
        return "\(size)-\(seconds).\(String(modifiedNanoseconds, radix: 16))\(content)"
    }
}
