package import Bytes
import Glibc
import Synchronization

/// Memory of its own for contents that live long, beside the C library's heap, whose holes the system would never see again.
///
/// Address space is reserved once. Pages that no content touches any more are given back to the system at once, so that what
/// is resident is known to the page. Finding room is O(1).
package final class ByteArena: Sendable {
    private let state: Mutex<ArenaRuns>

    /// Reserves address space for `byteCount` bytes, at most 32 GiB of it; nil where the system grants none.
    package init?(reserving byteCount: Int) {
        guard let runs = ArenaRuns(reserving: byteCount) else { return nil }
        state = Mutex(runs)
    }

    deinit {
        state.withLock { $0.release() }
    }

    /// A copy of `content` in the arena, or nil if there is no room. It goes back with its last reference, and holds
    /// the arena until then.
    package func copy(_ content: SharedBytes) -> SharedBytes? {
        guard content.count > 0, let start = state.withLock({ $0.allocate(content.count) }) else { return nil }
        guard let block = unsafe UnsafeMutableRawPointer(bitPattern: start) else { return nil }
        unsafe content.withUnsafeBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(start: block, count: bytes.count).copyMemory(from: bytes)
        }
        return unsafe SharedBytes(adopting: block, count: content.count) { [self] in
            free(UInt(bitPattern: $0))
        }
    }

    private func free(_ start: UInt) {
        var run = state.withLock { $0.free(start) }
        while true {
            run.giveBack()
            guard let more = state.withLock({ $0.finish(run) }) else { return }
            run = more
        }
    }

    /// The bytes of the pages that are in use.
    package var residentByteCount: Int { state.withLock { $0.residentByteCount } }

    /// The bytes of those pages that belong to no content: between two of them, or too few for another one.
    package var slackByteCount: Int { state.withLock { $0.residentByteCount - $0.usedByteCount } }
}
