import CLinux
import Glibc
import Synchronization

/// What other threads may do to a loop: wake it, ask it to stop. Outlives the loop as long as a mailbox does.
final class LoopWaker: Sendable {
    private let event: FileDescriptor
    private let isSignalled = Atomic<Bool>(false)
    private let isStopRequested = Atomic<Bool>(false)

    init() throws(Errno) {
        event = FileDescriptor(adopting: try systemCall { clinux_eventfd() })
    }

    var descriptor: Int32 { event.rawValue }

    /// Makes the loop's wait return. One eventfd write for all calls until the loop takes the signal.
    func wake() {
        guard !isSignalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // Cannot block or fail in a way that matters: a counter that is full is as readable as any.
        var one: UInt64 = 1
        _ = unsafe write(event.rawValue, &one, 8)
    }

    func requestStop() {
        isStopRequested.store(true, ordering: .releasing)
        wake()
    }

    var shouldStop: Bool { isStopRequested.load(ordering: .acquiring) }

    /// The loop's side: from now on, a new ``wake()`` writes again. Called before the mailboxes are emptied.
    ///
    /// Level-triggered pollers need `clearing`; with edge-triggered epoll every write is a new edge, and the read is saved.
    func takeSignal(clearing: Bool) {
        if clearing {
            var counter: UInt64 = 0
            _ = unsafe read(event.rawValue, &counter, 8)
        }
        // An exchange and not a store: what the wakers did before their exchange is visible after it.
        _ = isSignalled.exchange(false, ordering: .acquiringAndReleasing)
    }
}
