import Digest
import HTTPMessage
import Origin
import Reactor
import Synchronization

/// Takes the content of a fetch into a file without a name, and its digest. Written to on the fetch thread, through the page
/// cache; a resumed fetch goes on where the last answer broke off.
final class OriginalSpool: FetchSink {
    private struct State: Sendable {
        var file: SharedFile?
        var byteCount = 0
        var hash = SHA256()
        var error: Errno?
    }

    private let folder: String
    private let state = Mutex(State())

    /// The file is made in `folder` with the first answer.
    init(folder: String) {
        self.folder = folder
    }

    /// All that came, and its digest.
    var whole: (file: SharedFile, digest: Digest256)? {
        state.withLock { state in
            state.file.map { ($0.resized(to: state.byteCount), state.hash.digest()) }
        }
    }

    /// Why it could not be kept.
    var error: Errno? { state.withLock { $0.error } }

    func began(_ head: ResponseHead) -> Bool {
        let folder = folder
        return state.withLock { state in
            // A file that was begun by another answer may be longer than the next one: only what is counted is read.
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
