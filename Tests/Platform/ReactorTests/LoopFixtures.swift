import Glibc

@testable import Reactor

/// Remembers what it is told and may react.
final class Recorder: EventHandler {
    var seen: [Readiness] = []
    var fired: [TimerToken] = []
    var onReady: (Readiness, EventLoop) -> Void = { _, _ in }
    var onTimer: (TimerToken, EventLoop) -> Void = { _, _ in }

    func handle(_ readiness: Readiness, on loop: EventLoop) {
        seen.append(readiness)
        onReady(readiness, loop)
    }

    func timerFired(_ timer: TimerToken, on loop: EventLoop) {
        fired.append(timer)
        onTimer(timer, loop)
    }
}

extension FileDescriptor {
    borrowing func sendText(_ text: String) -> TransferResult { Array(text.utf8).withUnsafeBytes { send($0) } }

    /// What waits, as text; `nil` when the result is not bytes.
    borrowing func receiveText(limit: Int = 4096) -> String? {
        var buffer = [UInt8](repeating: 0, count: limit)
        guard case .bytes(let count) = buffer.withUnsafeMutableBytes({ receive(into: $0) }) else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    borrowing func receiveResult() -> TransferResult {
        var buffer = [UInt8](repeating: 0, count: 64)
        return buffer.withUnsafeMutableBytes { receive(into: $0) }
    }

    /// Waits until bytes, the end or a connection can be taken. What one side of TCP has sent may reach the other a moment
    /// later, and an end does when the last copy of the descriptor is closed: a process that another test is starting has
    /// one of each until it becomes another program.
    borrowing func waitForInput() {
        var entry = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, 180_000)
    }
}

func isOpen(_ number: Int32) -> Bool { fcntl(number, F_GETFD) >= 0 }

/// Whether no thread whose name begins with `prefix` is left. The kernel tells who joins a thread a moment before it takes it
/// out of its list.
func threadsAreGone(_ prefix: String) -> Bool {
    for _ in 0..<18_000 {
        if !threadNames().contains(where: { $0.hasPrefix(prefix) }) { return true }
        Processors.pause(.milliseconds(10))
    }
    return false
}

/// The names of this process's threads, as the system shows them.
func threadNames() -> [String] {
    guard let folder = opendir("/proc/self/task") else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let id = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        guard let file = fopen("/proc/self/task/\(id)/comm", "r") else { continue }
        var line = [CChar](repeating: 0, count: 64)
        if fgets(&line, 64, file) != nil {
            names.append(String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8($0) }, as: UTF8.self))
        }
        fclose(file)
    }
    return names
}

/// A list that several threads append to.
final class Log<Element: Sendable>: Sendable {
    private let entries = Monitor<[Element]>([])
    func append(_ element: Element) { entries.withLock { $0.append(element) } }
    var all: [Element] { entries.withLock { $0 } }
}

/// Opened once; waits are blocking, for plain threads and short waits in tests.
final class Gate: Sendable {
    private let state = Monitor(false)
    func open() {
        state.withLock { $0 = true }
        state.broadcast()
    }
    func wait() { state.wait { $0 ? () : nil } }
}
