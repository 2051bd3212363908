import Bytes
import Glibc
import HTTPMessage
import Reactor
import Synchronization

@testable import Origin

/// A fetch thread, which ends with this object, and what came of its exchanges.
final class FetchWorld: Sendable {
    /// What became of an exchange.
    struct Outcome: Sendable {
        var head: ResponseHead?
        var content: [UInt8] = []
        var end: ExchangeEnd
        var report: ExchangeReport

        var text: String { String(decoding: content, as: UTF8.self) }
        var error: OriginError? { if case .failed(let error, _) = end { error } else { nil } }
    }

    /// Where an outcome will be.
    final class Pending: Sendable {
        fileprivate let outcome = Monitor<Outcome?>(nil)

        func wait() -> Outcome { outcome.wait { $0 } }
        var hasEnded: Bool { outcome.withLock { $0 != nil } }
    }

    private enum Order: Sendable {
        case start(ExchangeRequest, Pending, byteLimit: Int)
        case cancelAll
    }

    private let thread: LoopThread<Mailbox<Order>>

    /// Loopback is allowed unless `exceptions` says otherwise.
    init(exceptions: [String] = ["127.0.0.0/8", "::1"], perHost: Int = 8, resolve: String? = nil) throws {
        guard ccurlIsReady else { throw OriginError.noMemory }
        let policy = AddressPolicy(exceptions: exceptions.compactMap(AddressRange.init))
        thread = try LoopThread.start(name: "fetch") { loop throws(Errno) in
            var bounds = FetchLoop.Bounds()
            bounds.connectionsPerHost = perHost
            bounds.connections = 400
            let fetch = try FetchLoop(on: loop, policy: policy, bounds: bounds, resolve: resolve)
            var tickets: [FetchLoop.Ticket] = []
            return loop.makeMailbox { orders in
                for order in orders {
                    switch order {
                    case .start(let request, let pending, let byteLimit):
                        if let ticket = fetch.start(request, Gatherer(pending, byteLimit)) { tickets.append(ticket) }
                    case .cancelAll:
                        for ticket in tickets { fetch.cancel(ticket) }
                    }
                }
            }
        }
    }

    deinit { stop() }

    func stop() {
        thread.stop()
        thread.join()
    }

    func cancelAll() { thread.exports.post(.cancelAll) }

    func start(
        _ urls: [String], limits: ExchangeLimits = ExchangeLimits(), method: String = "GET", content: [UInt8]? = nil,
        byteLimit: Int = .max
    ) throws -> [Pending] {
        try urls.map { text in
            var request = ExchangeRequest(try OriginURL(text))
            request.limits = limits
            request.method = method
            request.content = content.map { .bytes(SharedBytes($0)) }
            let pending = Pending()
            thread.exports.post(.start(request, pending, byteLimit: byteLimit))
            return pending
        }
    }

    func run(_ url: String, method: String = "GET", content: [UInt8]? = nil, byteLimit: Int = .max) throws -> Outcome {
        try start([url], method: method, content: content, byteLimit: byteLimit)[0].wait()
    }

    func run(_ urls: [String]) throws -> [Outcome] { try start(urls).map { $0.wait() } }
}

let ccurlIsReady = FetchLoop.prepare()

private final class Gatherer: ExchangeHandler {
    private let pending: FetchWorld.Pending
    private let byteLimit: Int
    private var head: ResponseHead?
    private var content: [UInt8] = []

    init(_ pending: FetchWorld.Pending, _ byteLimit: Int) {
        self.pending = pending
        self.byteLimit = byteLimit
    }

    func exchangeBegan(_ head: ResponseHead) -> Bool {
        self.head = head
        return true
    }

    func exchangeReceived(_ bytes: RawSpan) -> Bool {
        guard content.count + bytes.byteCount <= byteLimit else { return false }
        bytes.withUnsafeBytes { content += $0 }
        return true
    }

    func exchangeEnded(_ end: ExchangeEnd, _ report: ExchangeReport) {
        let outcome = FetchWorld.Outcome(head: head, content: content, end: end, report: report)
        pending.outcome.withLock { $0 = outcome }
        pending.outcome.broadcast()
    }
}
