import Synchronization

/// The way into a loop for other threads: messages are handed to the loop's drain closure in batches, in the order of
/// posting. Made by ``EventLoop/makeMailbox(drain:)``.
package final class Mailbox<Message: Sendable>: Sendable {
    private let pending = Mutex<[Message]>([])
    private let waker: LoopWaker

    init(waker: LoopWaker) {
        self.waker = waker
    }

    /// Queues `message` for the loop; any thread. Never waits for the loop. At most one eventfd write, and only when the
    /// mailbox was empty. What is posted to a loop that has ended is dropped with the mailbox.
    ///
    /// The mailbox itself has no bound: the senders do (the worker queue, the number of connections).
    package func post(_ message: Message) {
        let wasEmpty = pending.withLock { messages in
            defer { messages.append(message) }
            return messages.isEmpty
        }
        if wasEmpty { waker.wake() }
    }

    /// Exchanges the waiting messages with `spare`, which is empty and whose capacity is used again.
    func take(into spare: inout [Message]) {
        pending.withLock { messages in
            if !messages.isEmpty { swap(&messages, &spare) }
        }
    }
}
