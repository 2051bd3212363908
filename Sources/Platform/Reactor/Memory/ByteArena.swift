package import Bytes
import Glibc
import Synchronization

/// For long-lived contents, whose holes in the C library's heap would never go back. Pages without content go back at
/// once, so the resident size is known to the page. Finding room is O(1).
package final class ByteArena: Sendable {
    private let state: Mutex<ArenaRuns>

    /// At most 32 GiB of address space; nil if the system grants none.
    package init?(reserving byteCount: Int) {
        guard let runs = ArenaRuns(reserving: byteCount) else { return nil }
        state = Mutex(runs)
    }

    deinit { state.withLock { $0.release() } }

    /// Nil if there is no room. Its last reference frees it; until then it keeps the arena.
    package func copy(_ content: SharedBytes) -> SharedBytes? {
        guard content.count > 0, let start = state.withLock({ $0.allocate(content.count) }) else { return nil }
        guard let block = unsafe UnsafeMutableRawPointer(bitPattern: start) else { return nil }
        unsafe content.withUnsafeBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(start: block, count: bytes.count).copyMemory(from: bytes)
        }
        return unsafe SharedBytes(adopting: block, count: content.count) { [self] in free(UInt(bitPattern: $0)) }
    }

    private func free(_ start: UInt) {
        var run = state.withLock { $0.free(start) }
        while true {
            run.giveBack()
            guard let more = state.withLock({ $0.finish(run) }) else { return }
            run = more
        }
    }

    package var residentByteCount: Int { state.withLock { $0.residentByteCount } }

    /// In pages in use, but of no content.
    package var slackByteCount: Int { state.withLock { $0.residentByteCount - $0.usedByteCount } }
}
