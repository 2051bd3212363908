package import Logging
import Reactor
import Synchronization

// The reader of the log may stop reading. A thread of its own waits for that, so that no loop does; when its queue is
// full, lines are dropped, and the next line is preceded by their number.

/// Writes log lines to standard error on a thread of its own.
package final class LogWriter: Sendable {
    private let thread: WorkerPool
    private let drops = DropCount()

    package init() throws(ServiceError) {
        do {
            thread = try WorkerPool(name: "log", threadCount: 1, queueLimit: 4096, stackByteCount: 1 << 20)
        } catch {
            throw .threads(cause: "\(error)")
        }
    }

    package func logger(_ label: String) -> Logger {
        let (thread, drops) = (thread, drops)
        return Logger(label: label) { label in
            QueuedLogHandler(inner: StreamLogHandler.standardError(label: label), thread: thread, drops: drops)
        }
    }

    /// Waits until all lines are written, a second at most: the reader of the log may hang.
    package func flush() {
        for _ in 0..<100 where !thread.load.isIdle { Processors.pause(.milliseconds(10)) }
    }
}

/// Lines that were dropped since the last that was written.
private final class DropCount: Sendable {
    private let count = Atomic(0)

    func add() { count.add(1, ordering: .relaxed) }
    func take() -> Int { count.exchange(0, ordering: .relaxed) }
}

private struct QueuedLogHandler: LogHandler {
    var inner: StreamLogHandler
    let thread: WorkerPool
    let drops: DropCount

    var logLevel: Logger.Level {
        get { inner.logLevel }
        set { inner.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        let (inner, drops) = (inner, drops)
        let isQueued = thread.submit {
            let lost = drops.take()
            if lost > 0 {
                inner.log(
                    event: LogEvent(
                        level: .warning, message: "\(lost) lines were dropped", metadata: nil, source: event.source,
                        file: #fileID, function: #function, line: #line))
            }
            inner.log(event: event)
        }
        if !isQueued { drops.add() }
    }
}
