import Glibc
import Reactor
import Synchronization

/// An HTTP/1.1 origin on loopback that misbehaves as it is told: every answer is a list of steps, byte by byte.
///
/// Each connection has a thread of its own, so a test may hold as many as it likes.
package final class FakeOrigin: Sendable {
    /// A request as it came.
    package struct Seen: Sendable {
        /// `GET`.
        package var method: String
        /// `/a?b`.
        package var target: String
        /// By name in lower case; of repeated ones the last.
        package var fields: [String: String]
        /// The names of all field lines, in lower case.
        package var names: [String]
        /// The content, by `Content-Length`.
        package var content: [UInt8]
        /// Which connection it came on, from 0, in the order of accepting.
        package var connection: Int
    }

    /// What is done in answer.
    package enum Step: Sendable {
        case text(String)
        case bytes([UInt8])
        /// Sends `x` so often.
        case filler(Int)
        /// Sends `x` until the other end has enough.
        case endless
        case wait(String)
        /// Closes with a reset.
        case reset
        /// Closes; without one of these the connection is kept.
        case close
    }

    private struct State {
        var seen: [Seen] = []
        var connectionCount = 0
        var open: Set<Int32> = []
        var released: Set<String> = []
        var isStopping = false
    }

    package let port: UInt16
    private let answer: @Sendable (Seen) -> [Step]
    private let state = Monitor(State())
    private let threads = Mutex<[OwnedThread]>([])
    private let listener: Int32

    /// Starts it; `answer` is called on the connection's thread.
    package init(_ answer: @escaping @Sendable (Seen) -> [Step]) throws {
        self.answer = answer
        let descriptor = try Listener.bind(.ipv4(0x7F00_0001, port: 0))
        port = try descriptor.localAddress().port ?? 0
        listener = descriptor.release()
        // Blocking from here on: threads are cheap in a test.
        _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) & ~O_NONBLOCK)
        start("origin") { $0.acceptAll() }
    }

    package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    package var requests: [Seen] { state.withLock { $0.seen } }

    package var connectionCount: Int { state.withLock { $0.connectionCount } }

    /// Lets what waits for `name` go on, now and later.
    package func release(_ name: String) {
        state.withLock { _ = $0.released.insert(name) }
        state.broadcast()
    }

    package func waitForRequests(_ count: Int) { state.wait { $0.seen.count >= count ? () : nil } }

    package func waitUntilClosed() { state.wait { $0.open.isEmpty ? () : nil } }

    /// Ends it and waits for its threads.
    package func stop() {
        state.withLock { state in
            state.isStopping = true
            for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
        state.broadcast()
        shutdown(listener, Int32(SHUT_RDWR))
        while let thread = threads.withLock({ $0.popLast() }) { thread.join() }
        close(listener)
    }

    private func start(_ name: String, _ body: @escaping @Sendable (FakeOrigin) -> Void) {
        let thread = try? OwnedThread.start(name: name, stackByteCount: 256 << 10) { body(self) }
        if let thread { threads.withLock { $0.append(thread) } }
    }

    // MARK: Connections

    private func acceptAll() {
        while true {
            let descriptor = accept(listener, nil, nil)
            if descriptor < 0 {
                if errno == EINTR { continue }
                return
            }
            let number: Int? = state.withLock { state in
                guard !state.isStopping else { return nil }
                state.open.insert(descriptor)
                state.connectionCount += 1
                return state.connectionCount - 1
            }
            guard let number else {
                close(descriptor)
                return
            }
            start("origin-\(number)") { $0.serve(descriptor, number) }
        }
    }

    private func serve(_ descriptor: Int32, _ number: Int) {
        var buffer: [UInt8] = []
        while let seen = Self.request(from: descriptor, &buffer, number) {
            state.withLock { $0.seen.append(seen) }
            state.broadcast()
            guard perform(answer(seen), on: descriptor) else { break }
        }
        state.withLock { _ = $0.open.remove(descriptor) }
        state.broadcast()
        close(descriptor)
    }

    /// Whether the connection is kept.
    private func perform(_ steps: [Step], on descriptor: Int32) -> Bool {
        for step in steps {
            switch step {
            case .text(let text): guard Self.send(Array(text.utf8), to: descriptor) else { return false }
            case .bytes(let bytes): guard Self.send(bytes, to: descriptor) else { return false }
            case .filler(let count):
                guard Self.send([UInt8](repeating: 0x78, count: count), to: descriptor) else { return false }
            case .endless:
                let piece = [UInt8](repeating: 0x78, count: 65_536)
                while Self.send(piece, to: descriptor) {}
                return false
            case .wait(let name):
                let goesOn = state.wait { state -> Bool? in
                    if state.isStopping { return false }
                    return state.released.contains(name) ? true : nil
                }
                guard goesOn else { return false }
            case .reset:
                var choice = linger(l_onoff: 1, l_linger: 0)
                setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &choice, socklen_t(MemoryLayout<linger>.size))
                return false
            case .close: return false
            }
        }
        return true
    }

    private static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            offset += count
        }
        return true
    }

    /// The next request, or nil at the end of the connection.
    private static func request(from descriptor: Int32, _ buffer: inout [UInt8], _ number: Int) -> Seen? {
        while true {
            if let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) {
                let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
                let words = lines.first?.split(separator: " ") ?? []
                guard words.count == 3 else { return nil }
                var fields: [String: String] = [:]
                var names: [String] = []
                for line in lines.dropFirst() {
                    let parts = line.split(separator: ":", maxSplits: 1)
                    let value = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
                    fields[parts[0].lowercased()] = String(value)
                    names.append(parts[0].lowercased())
                }
                let length = fields["content-length"].flatMap { Int($0) } ?? 0
                while buffer.count < end.upperBound + length { guard receive(descriptor, &buffer) else { return nil } }
                let content = Array(buffer[end.upperBound..<end.upperBound + length])
                buffer.removeFirst(end.upperBound + length)
                return Seen(
                    method: String(words[0]), target: String(words[1]), fields: fields, names: names, content: content,
                    connection: number)
            }
            guard receive(descriptor, &buffer) else { return nil }
        }
    }

    private static func receive(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Bool {
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            buffer += piece[..<count]
            return true
        }
    }
}

/// Runs `body` with an origin that ends afterwards.
package func withTrialOrigin<R>(
    _ answer: @escaping @Sendable (FakeOrigin.Seen) -> [FakeOrigin.Step], _ body: (FakeOrigin) throws -> R
) throws -> R {
    let origin = try FakeOrigin(answer)
    defer { origin.stop() }
    return try body(origin)
}

extension [FakeOrigin.Step] {
    /// A complete answer with `content`; further `lines` are fields.
    package static func answer(_ status: Int = 200, _ content: String = "content", _ lines: String...) -> [FakeOrigin
        .Step]
    {
        let head = ["HTTP/1.1 \(status) Reason", "Content-Length: \(content.utf8.count)"] + lines
        return [.text(head.joined(separator: "\r\n") + "\r\n\r\n" + content)]
    }

    /// An answer without content that leads elsewhere.
    package static func redirect(_ location: String, _ status: Int = 302) -> [FakeOrigin.Step] {
        .answer(status, "", "Location: \(location)")
    }
}
