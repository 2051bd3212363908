import CLinux
import Glibc
import Synchronization

/// Wakes and stops a loop from other threads. Outlives the loop as long as a mailbox does.
final class LoopWaker: Sendable {
    private let event: FileDescriptor
    private let isSignalled = Atomic<Bool>(false)
    private let isStopRequested = Atomic<Bool>(false)

    init() throws(Errno) { event = FileDescriptor(adopting: try systemCall { clinux_eventfd() }) }
    var descriptor: Int32 { event.rawValue }

    /// One eventfd write for all calls until ``takeSignal()``.
    func wake() {
        guard !isSignalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // A full counter, the only failure, is as readable as any.
        var one: UInt64 = 1
        _ = unsafe write(event.rawValue, &one, 8)
    }

    func requestStop() {
        isStopRequested.store(true, ordering: .releasing)
        wake()
    }

    var shouldStop: Bool { isStopRequested.load(ordering: .acquiring) }

    /// Called by the loop before it empties the mailboxes. The counter is not read: with edge-triggered epoll every write is a new edge.
    func takeSignal() {
        // An exchange and not a store: what the wakers did before their exchange is visible after it.
        _ = isSignalled.exchange(false, ordering: .acquiringAndReleasing)
    }
}

/// In the order of posting. Made by ``EventLoop/makeMailbox(drain:)``.
package final class Mailbox<Message: Sendable>: Sendable {
    private let pending = Mutex<[Message]>([])
    private let waker: LoopWaker

    init(waker: LoopWaker) { self.waker = waker }

    /// Any thread; at most one eventfd write. A loop that has ended drops the message. Senders bound what is queued.
    package func post(_ message: Message) {
        let wasEmpty = pending.withLock { messages in
            defer { messages.append(message) }
            return messages.isEmpty
        }
        if wasEmpty { waker.wake() }
    }

    /// `spare` is empty and keeps its capacity.
    func take(into spare: inout [Message]) {
        pending.withLock { messages in
            if !messages.isEmpty { swap(&messages, &spare) }
        }
    }
}
