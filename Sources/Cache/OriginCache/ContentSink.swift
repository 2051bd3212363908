package import Bytes
import Digest
import HTTPMessage
package import Origin
import Reactor
import Synchronization

package struct FetchAnswer: Sendable {
    package let result: Result<Fetched, OriginError>
    /// Nil if no content came.
    package let content: CachedAnswer.Content?
    let digest: String?
    package let requestTime: Int64
    package let responseTime: Int64

    /// Empty if the content is not in memory.
    package var bytes: SharedBytes { if case .memory(let bytes)? = content { bytes } else { SharedBytes([]) } }
}

/// Takes the content of a fetch, on the fetch thread. A resumed fetch continues the last answer.
protocol ContentSink: FetchSink {
    /// The content at the end; nil if none came.
    func whole() -> (content: CachedAnswer.Content, digest: String?)?
    /// Why content could not be held.
    var error: Errno? { get }
    var byteCount: Int { get }
}

/// Gathers content in memory, bounded by the limit of the request.
final class MemorySink: ContentSink {
    private let bytes = Mutex<[UInt8]>([])
    let error: Errno? = nil
    var byteCount: Int { bytes.withLock { $0.count } }

    func whole() -> (content: CachedAnswer.Content, digest: String?)? {
        (.memory(SharedBytes(bytes.withLock { $0 })), nil)
    }

    func began(_ head: ResponseHead) -> Bool {
        bytes.withLock { $0.removeAll(keepingCapacity: true) }
        return true
    }

    func received(_ part: RawSpan) -> Bool {
        bytes.withLock { bytes in part.withUnsafeBytes { bytes.append(contentsOf: $0) } }
        return true
    }
}

/// Writes content to a file without a name and digests it.
final class FileSink: ContentSink {
    private struct State: Sendable {
        var file: SharedFile?
        var byteCount = 0
        var hash = SHA256()
        var error: Errno?
    }

    private let folder: String
    private let state = Mutex(State())

    /// The first answer makes the file in `folder`.
    init(folder: String) { self.folder = folder }

    func whole() -> (content: CachedAnswer.Content, digest: String?)? {
        state.withLock { state in
            state.file.map { (.file($0.resized(to: state.byteCount)), state.hash.digest().base64URL(byteCount: 16)) }
        }
    }

    var error: Errno? { state.withLock { $0.error } }
    var byteCount: Int { state.withLock { $0.byteCount } }

    func began(_ head: ResponseHead) -> Bool {
        let folder = folder
        return state.withLock { state in
            // The file of an earlier answer may be longer than the next one: only what is counted is read.
            (state.byteCount, state.hash) = (0, SHA256())
            if state.file != nil { return true }
            do throws(Errno) {
                state.file = SharedFile(adopting: try FileDescriptor.openSpool(in: folder), byteCount: 0)
                return true
            } catch {
                state.error = error
                return false
            }
        }
    }

    func received(_ bytes: RawSpan) -> Bool {
        state.withLock { state in
            guard let file = state.file else { return false }
            do throws(Errno) {
                try file.write(bytes, at: state.byteCount)
            } catch {
                state.error = error
                return false
            }
            state.hash.update(bytes)
            state.byteCount += bytes.byteCount
            return true
        }
    }
}
