package import Bytes
import Digest
import Glibc
package import Reactor

/// One original, open for reading; closed when the value ends.
///
/// Size, times and content come from the same open file, so that what `validator` names is what `read` returns, also
/// when another file takes the name meanwhile.
package struct OpenedAsset: ~Copyable {
    private let file: FileDescriptor
    let status: FileStatus

    /// Size and times when it was opened.
    package let state: AssetState

    init(
        adopting file: consuming FileDescriptor, status: FileStatus, digest: Digest256? = nil
    ) throws(LibraryError) {
        self.state = try AssetState(status, digest: digest)
        self.file = file
        self.status = status
    }

    /// The number of bytes when it was opened.
    package var byteCount: Int { state.byteCount }

    /// When the content was last written to, in whole seconds since 1970 (for `Last-Modified`).
    package var modifiedUnixSeconds: Int64 { state.modifiedUnixSeconds }

    /// The part of the second, 0…999,999,999, that `modifiedUnixSeconds` leaves out.
    package var modifiedNanoseconds: Int { state.modifiedNanoseconds }

    /// Names this state of the content; see `AssetState.validator`.
    package var validator: String { state.validator }

    /// Reads all of the content; may be called again.
    ///
    /// Blocks on the file system. Copies rather than maps: a mapped file that shrinks raises SIGBUS.
    ///
    /// - Throws: `LibraryError.tooLarge` before anything is read, if there are more than `limit` bytes;
    ///   `.changedWhileReading` if the file is no longer what was opened; `.io`.
    package borrowing func read(limit: Int) throws(LibraryError) -> SharedBytes {
        guard byteCount <= limit else { throw .tooLarge(limit: limit) }
        // One byte more than there should be: a file that grew shows at once, and an empty one needs no case of its
        // own.
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

    /// Reads the first bytes, at most `limit`; fewer when the file has fewer.
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

    /// The file for sending; it stays open as long as somebody has it.
    package consuming func share() -> SharedFile {
        let byteCount = byteCount
        return SharedFile(adopting: file, byteCount: byteCount)
    }

    /// Reads until `capacity` bytes are there or the file ends, and returns how many there are.
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
