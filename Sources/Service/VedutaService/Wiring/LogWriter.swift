import Glibc
package import Logging
import Reactor
package import ServiceConfiguration
import Synchronization

// The reader of the log may stop reading. A thread of its own waits for that, so that no loop does; when its queue is
// full, lines are dropped, and the next line is preceded by their number.

/// Writes log lines to standard error on a thread of its own.
package final class LogWriter: Sendable {
    private let thread: WorkerPool
    private let drops = DropCount()
    private let shape = LogShape()

    package init() throws(ServiceError) {
        do {
            thread = try WorkerPool(name: "log", threadCount: 1, queueLimit: 4096, stackByteCount: 1 << 20)
        } catch {
            throw .threads(cause: "\(error)")
        }
    }

    package func logger(_ label: String) -> Logger {
        let (thread, drops, shape) = (thread, drops, shape)
        return Logger(label: label) { label in
            QueuedLogHandler(
                inner: StreamLogHandler.standardError(label: label), label: label, thread: thread, drops: drops,
                shape: shape)
        }
    }

    /// Format and level from now on: text, and from `info` on, before the first call.
    package func apply(_ configuration: Configuration) {
        shape.set(configuration.logFormat, Logger.Level(rawValue: configuration.logLevel.rawValue) ?? .info)
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

/// How lines look, and which there are.
private final class LogShape: Sendable {
    private let isJSON = Atomic(false)
    private let levelIndex = Atomic(Logger.Level.allCases.firstIndex(of: .info) ?? 0)

    func set(_ format: LogFormat, _ level: Logger.Level) {
        isJSON.store(format == .json, ordering: .relaxed)
        levelIndex.store(Logger.Level.allCases.firstIndex(of: level) ?? 0, ordering: .relaxed)
    }

    var format: LogFormat { isJSON.load(ordering: .relaxed) ? .json : .text }
    var level: Logger.Level { Logger.Level.allCases[levelIndex.load(ordering: .relaxed)] }
}

private struct QueuedLogHandler: LogHandler {
    var inner: StreamLogHandler
    let label: String
    let thread: WorkerPool
    let drops: DropCount
    let shape: LogShape

    /// Of all loggers alike.
    var logLevel: Logger.Level {
        get { shape.level }
        set {}
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
        let (inner, drops, isJSON) = (inner, drops, shape.format == .json)
        let line = isJSON ? LogLine(label: label, milliseconds: Clock.system.unixMilliseconds()) : nil
        let isQueued = thread.submit {
            let lost = drops.take()
            if lost > 0 {
                let event = LogEvent(
                    level: .warning, message: "\(lost) lines were dropped", metadata: nil, source: event.source,
                    file: #fileID, function: #function, line: #line)
                line?.write(event) ?? inner.log(event: event)
            }
            line?.write(event) ?? inner.log(event: event)
        }
        if !isQueued { drops.add() }
    }
}
