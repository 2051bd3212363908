import Glibc
import HTTPMessage
import Reactor
import Synchronization
import Testing

@testable import HTTPServer

/// A disk that does not keep up: the thread that writes content is held up by a job of its own.
@Suite(.timeLimit(.minutes(5))) struct BackpressureTests {
    private final class Handler: RequestHandler {
        func contentRule(for head: RequestHead, from peer: SocketAddress?) -> ContentRule? {
            ContentRule(byteLimit: 50_000_000)
        }

        func answer(_ request: Request, _ responder: Responder) -> Answer { .now(Self.response(.ok)) }

        func answer(to failure: RequestFailure) -> Response {
            Self.response(failure == .contentNotStored ? .insufficientStorage : .badRequest)
        }

        static func response(_ status: Status) -> Response { Response(status: status, fields: FieldLines()) }
    }

    /// Keeps a thread until it is opened.
    private final class Gate: Sendable {
        private let isOpen = Atomic<Bool>(false)

        func open() { isOpen.store(true, ordering: .releasing) }

        func pass() {
            while !isOpen.load(ordering: .acquiring) { Processors.pause(.milliseconds(1)) }
        }
    }

    private static let part = ContentIntake.Part(bytes: [1], offset: 0, file: nil, keeper: nil)

    private static func start(_ spooler: ContentSpooler) throws -> LoopThread<Mailbox<LoopMessage>> {
        var settings = ServerSettings()
        settings.spoolFolder = "/tmp"
        let final = settings
        return try LoopThread.start(name: "loop") { loop throws(Errno) in
            ServerLoop(
                loop: loop, index: 0, settings: final, statistics: ServerStatistics(), spooler: spooler,
                handler: Handler()
            ).mailbox
        }
    }

    /// Sends zeroes until `byteCount` are sent or the socket has taken none for so many hundredths of a second; returns how
    /// many it took.
    private static func pour(_ byteCount: Int, into socket: borrowing FileDescriptor, patience: Int = 18_000) -> Int {
        let bytes = [UInt8](repeating: 0, count: 65536)
        var sent = 0
        var waits = 0
        while sent < byteCount, waits < patience {
            let count = min(bytes.count, byteCount - sent)
            let result = bytes.withUnsafeBytes { socket.send(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            if case .bytes(let taken) = result {
                sent += taken
                waits = 0
            } else {
                waits += 1
                Processors.pause(.milliseconds(10))
            }
        }
        return sent
    }

    private static func answer(from socket: borrowing FileDescriptor) -> String {
        var chunk = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<18_000 {
            if case .bytes(let count) = chunk.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
                return String(decoding: chunk.prefix(min(count, 12)), as: UTF8.self)
            }
            Processors.pause(.milliseconds(10))
        }
        return "silent"
    }

    @Test func clientIsNeverFarAheadOfTheDisk() throws {
        let gate = Gate()
        let spooler = try ContentSpooler(folder: "/tmp", queueLimit: 4)
        let isHeldUp = spooler.write(Self.part) { _ in gate.pass() }
        #expect(isHeldUp)
        let thread = try Self.start(spooler)
        let pair = try StreamSocket.makePair()
        thread.exports.post(.adopt(Handover(FileDescriptor(adopting: dup(pair.near.rawValue))), peer: nil))
        let byteCount = 20_000_000
        let head = Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(byteCount)\r\n\r\n".utf8)
        _ = head.withUnsafeBytes { pair.far.send($0) }
        // The buffers of both sockets, one of the intake, one of the loop.
        let ahead = Self.pour(byteCount, into: pair.far, patience: 50)
        #expect(ahead < 4_000_000)
        gate.open()
        let rest = Self.pour(byteCount - ahead, into: pair.far)
        #expect(ahead + rest == byteCount)
        let answer = Self.answer(from: pair.far)
        #expect(answer == "HTTP/1.1 200")
        thread.stop()
        thread.join()
        spooler.shutdown()
    }

    @Test func moreThanTheSpoolerTakes_is507() throws {
        let gate = Gate()
        let spooler = try ContentSpooler(folder: "/tmp", queueLimit: 1)
        // One runs, one waits; there is no place for a third.
        let runs = Gate()
        let isHeldUp = spooler.write(Self.part) { _ in
            runs.open()
            gate.pass()
        }
        #expect(isHeldUp)
        runs.pass()
        let isQueued = spooler.write(Self.part) { _ in }
        #expect(isQueued)
        let thread = try Self.start(spooler)
        let pair = try StreamSocket.makePair()
        thread.exports.post(.adopt(Handover(FileDescriptor(adopting: dup(pair.near.rawValue))), peer: nil))
        let head = Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n".utf8)
        _ = head.withUnsafeBytes { pair.far.send($0) }
        _ = Self.pour(100_000, into: pair.far)
        let answer = Self.answer(from: pair.far)
        #expect(answer == "HTTP/1.1 507")
        gate.open()
        thread.stop()
        thread.join()
        spooler.shutdown()
    }
}
