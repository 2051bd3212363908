import Glibc
import Reactor
import Synchronization

/// Answers each command on loopback with bytes of its own; nil closes the connection.
final class FakeRedis: Sendable {
    typealias Respond = @Sendable (_ command: [String]) -> [UInt8]?

    let port: UInt16
    private let listener: Int32
    private let respond: Respond
    private let threads = Mutex<[OwnedThread]>([])
    private let open = Mutex<[Int32]>([])

    init(_ respond: @escaping Respond) throws {
        let bound = try Listener.bind(.ipv4(0x7F00_0001, port: 0))
        port = try bound.localAddress().port ?? 0
        listener = bound.release()
        self.respond = respond
        // Blocking from here on: threads are cheap in a test.
        _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) & ~O_NONBLOCK)
        start { $0.accept() }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        for descriptor in open.withLock({ $0 }) { shutdown(descriptor, Int32(SHUT_RDWR)) }
        while let thread = threads.withLock({ $0.popLast() }) { thread.join() }
        close(listener)
    }

    private func start(_ body: @escaping @Sendable (FakeRedis) -> Void) {
        guard let thread = try? OwnedThread.start(name: "redis", body: { body(self) }) else { return }
        threads.withLock { $0.append(thread) }
    }

    private func accept() {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else { return }
            open.withLock { $0.append(descriptor) }
            start { $0.serve(descriptor) }
        }
    }

    private func serve(_ descriptor: Int32) {
        defer { shutdown(descriptor, Int32(SHUT_RDWR)) }
        var buffer: [UInt8] = []
        while let command = Self.command(from: descriptor, &buffer) {
            guard let answer = respond(command) else { return }
            let count = answer.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count == answer.count else { return }
        }
    }

    private static func command(from descriptor: Int32, _ buffer: inout [UInt8]) -> [String]? {
        func line() -> String? {
            while true {
                if let end = buffer.firstIndex(of: 0x0a) {
                    defer { buffer.removeFirst(end + 1) }
                    return String(decoding: buffer[..<end].dropLast(), as: UTF8.self)
                }
                guard receive(descriptor, &buffer) else { return nil }
            }
        }
        guard let head = line(), let count = Int(head.dropFirst()) else { return nil }
        var texts: [String] = []
        for _ in 0..<count {
            guard let head = line(), let length = Int(head.dropFirst()) else { return nil }
            while buffer.count < length + 2 { guard receive(descriptor, &buffer) else { return nil } }
            texts.append(String(decoding: buffer[..<length], as: UTF8.self))
            buffer.removeFirst(length + 2)
        }
        return texts
    }

    private static func receive(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Bool {
        var room = [UInt8](repeating: 0, count: 65_536)
        let count = room.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count > 0 { buffer += room[..<count] }
        return count > 0
    }
}
