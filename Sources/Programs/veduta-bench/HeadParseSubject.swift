import HTTPMessage
import Reactor
import Synchronization

/// Reading one request head that comes in one piece, with more and more fields.
enum HeadParseSubject {
    private static let fieldCounts = [8, 16, 32, 64, 128]

    static func run() throws {
        let failure = Mutex<(any Error)?>(nil)
        // On a thread of its own, as everything that counts.
        let thread = try OwnedThread.start(name: "head-parse") {
            do {
                for count in fieldCounts { try measure(fieldCount: count) }
            } catch {
                failure.withLock { $0 = error }
            }
        }
        thread.join()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    private static func measure(fieldCount: Int) throws {
        var text = "GET /asset?id=lagoon.jpg&width=400&quality=80 HTTP/1.1\r\nHost: pictures.example\r\n"
        for number in 1..<fieldCount { text += "X-Field-\(number): value \(number) of some length, as they are\r\n" }
        let bytes = Array((text + "\r\n").utf8)
        var limits = HTTPLimits()
        limits.fieldCount = max(limits.fieldCount, fieldCount)
        var parser = RequestHeadParser(limits: limits)
        try Meter.measure("head-parse/\(fieldCount)") {
            guard case .complete(_, bytes.count) = parser.parse(bytes.span.bytes) else { throw BenchError.refusedInput }
        }
    }
}
