import Glibc
import HTTPMessage
package import HTTPServer
package import Reactor
package import ServiceConfiguration
import Synchronization
package import Telemetry

// Each loop appends bytes to a buffer of its own. The first line after a pause wakes the thread of the log, which lets
// lines gather for a moment and then writes all of them at once: a line costs a loop a copy, not a system call.

/// The log of requests. Loops write through their `AccessLogFeed`; `main` opens, reopens and closes it.
package final class AccessLog: Sendable {
    /// Of one loop; lines beyond are dropped and counted.
    static let pendingByteLimit = 1 << 20

    private static let gatheringPause = Duration.milliseconds(20)

    /// Lines of one loop that wait, and a written buffer to use again.
    private struct Pending {
        var bytes: [UInt8] = []
        var spare: [UInt8] = []
    }

    private final class Shelf: Sendable {
        let pending = Mutex(Pending())
    }

    private let shelves: [Shelf]
    private let thread: WorkerPool
    private let dropped: Counter
    private let chosenFormat = Atomic<Int>(0)
    /// Used by the thread of the log alone; -1: none is open.
    private let descriptor = Atomic<Int32>(-1)
    private let isScheduled = Atomic(false)
    private let isClosing = Atomic(false)

    /// The log is off at first.
    package init(loopCount: Int, dropped: Counter) throws(Errno) {
        shelves = (0..<max(1, loopCount)).map { _ in Shelf() }
        thread = try WorkerPool(name: "access", threadCount: 1, queueLimit: 64, stackByteCount: 256 << 10)
        self.dropped = dropped
    }

    deinit {
        let number = descriptor.load(ordering: .acquiring)
        if number >= 0 { _ = FileDescriptor(adopting: number) }
    }

    package var format: AccessLogFormat { AccessLogFormat.allCases[chosenFormat.load(ordering: .acquiring)] }

    /// Writes `format` to the file at `path`, or standard output, from now on. Lines that wait may go to either file.
    package func open(_ format: AccessLogFormat, path: String?) throws(Errno) {
        let number: Int32
        if format == .off {
            number = -1
        } else {
            let file = try LogFile.open(path)
            number = file.release()
        }
        let isTaken = thread.submit { [self] in
            if number < 0 { write() }
            let before = descriptor.exchange(number, ordering: .acquiringAndReleasing)
            if before >= 0 { _ = FileDescriptor(adopting: before) }
        }
        guard isTaken else {
            if number >= 0 { _ = FileDescriptor(adopting: number) }
            throw Errno(code: EAGAIN)
        }
        chosenFormat.store(AccessLogFormat.allCases.firstIndex(of: format) ?? 0, ordering: .releasing)
    }

    /// Writes what waits, for a second at most, and ends the thread, unless the reader of the log hangs.
    package func close() {
        isClosing.store(true, ordering: .releasing)
        wake()
        for _ in 0..<100 where !thread.load.isIdle { Processors.pause(.milliseconds(10)) }
        if thread.load.isIdle { thread.shutdown() }
    }

    func append(_ line: UnsafeRawBufferPointer, from index: Int) {
        let isTaken = shelves[index].pending.withLock { pending in
            guard pending.bytes.count + line.count <= Self.pendingByteLimit else { return false }
            pending.bytes.append(contentsOf: line)
            return true
        }
        guard isTaken else { return dropped.add() }
        wake()
    }

    private func wake() {
        // Read first: while lines gather, the loops must not take this word from each other.
        guard !isScheduled.load(ordering: .acquiring), !isScheduled.exchange(true, ordering: .acquiringAndReleasing)
        else { return }
        let isTaken = thread.submit { [self] in
            if !isClosing.load(ordering: .acquiring) { Processors.pause(Self.gatheringPause) }
            // Before the buffers are taken: a later line asks for another turn.
            isScheduled.store(false, ordering: .sequentiallyConsistent)
            write()
        }
        if !isTaken { isScheduled.store(false, ordering: .releasing) }
    }

    /// On the thread of the log.
    private func write() {
        let number = descriptor.load(ordering: .acquiring)
        for shelf in shelves {
            var lines = shelf.pending.withLock { pending in
                let lines = pending.bytes
                pending.bytes = pending.spare
                pending.spare = []
                return lines
            }
            guard !lines.isEmpty else { continue }
            let written = number < 0 ? 0 : WholeWrite.write(lines, to: number)
            if written < lines.count { dropped.add(UInt64(lines[written...].count { $0 == 0x0a })) }
            lines.removeAll(keepingCapacity: true)
            shelf.pending.withLock { $0.spare = lines }
        }
    }
}

/// Adds the lines of one loop, on its thread.
package final class AccessLogFeed {
    private let log: AccessLog
    private let index: Int
    private let clock: Clock
    private var line = LogLine()

    package init(_ log: AccessLog, loopIndex: Int, clock: Clock) {
        self.log = log
        self.index = loopIndex
        self.clock = clock
    }

    package var isOn: Bool { log.format != .off }

    package func record(_ exchange: Exchange, _ proxies: TrustedProxies) {
        let age = (exchange.finished - exchange.arrived).saturatedNanoseconds / 1_000_000
        line.clear()
        AccessLine(
            arrivedUnixMilliseconds: clock.unixMilliseconds() - age, exchange: exchange,
            client: exchange.head.flatMap { proxies.client(behind: exchange.peer, $0.fields) }
        ).append(log.format, to: &line)
        if !line.isEmpty { log.append(line.bytes, from: index) }
    }
}

enum LogFile {
    /// A new descriptor for the file at `path`, which is made if it is missing (mode 640), or for standard output.
    static func open(_ path: String?) throws(Errno) -> FileDescriptor {
        guard let path else {
            let copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else { throw Errno(code: errno) }
            return FileDescriptor(adopting: copy)
        }
        // A pipe that nobody reads is refused instead of waited for; later writes may wait.
        let number = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o640)
        guard number >= 0 else { throw Errno(code: errno) }
        let file = FileDescriptor(adopting: number)
        guard fcntl(number, F_SETFL, O_APPEND) == 0 else { throw Errno(code: errno) }
        return file
    }
}
