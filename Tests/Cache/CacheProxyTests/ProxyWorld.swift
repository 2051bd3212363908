import Bytes
import CacheProxy
import HTTPMessage
import HTTPServer
import Origin
import Reactor
import Synchronization
import TestSupport

/// An origin that answers as it is told, a proxy before it, and a clock that is moved by hand for both. They end with this
/// object.
final class ProxyWorld: Sendable {
    /// What the origin says to the requests for a path: a status, field lines and content.
    struct Script: Sendable {
        var status = 200
        var lines: [String]
        var content = "content"
    }

    /// A request as it reached the origin.
    struct Seen: Sendable, Equatable {
        var method: String
        var target: String
        var fields: Fields
    }

    let time = HandMovedClock()
    let origin: ScriptedOrigin
    private let originServer: HTTPServer
    private let proxy: CacheProxyServer

    init() throws {
        // Only what is told as a date is moved by hand: deadlines of connections are not what is tested.
        let hand = time.clock
        let clock = Clock(monotonic: Clock.system.monotonic, unixSeconds: hand.unixSeconds)
        let origin = ScriptedOrigin()
        self.origin = origin
        let originServer = try Self.start(clock) { OriginHandler(origin) }
        self.originServer = originServer
        proxy = try CacheProxyServer(
            listener: try Listener.bind(.ipv4(0x7F00_0001, port: 0)),
            upstream: try OriginURL("http://\(originServer.address)"), clock: clock)
    }

    private static func start(_ clock: Clock, _ makeHandler: @escaping @Sendable () -> any RequestHandler) throws
        -> HTTPServer
    {
        try HTTPServer.start(
            listener: try Listener.bind(.ipv4(0x7F00_0001, port: 0)), loopCount: 1, settings: ServerSettings(),
            clock: clock, statistics: ServerStatistics(), makeHandler: { _ in makeHandler() })
    }

    /// A new connection to the proxy.
    func client() throws -> WireClient { try WireClient(proxy.address) }

    /// The answer of the proxy to a request on a connection of its own.
    func get(_ target: String, _ lines: String..., method: String = "GET") throws -> WireResponse {
        let client = try client()
        let own = ["\(method) \(target) HTTP/1.1", "Host: origin.test", "Connection: close"]
        client.send((own + lines).joined(separator: "\r\n") + "\r\n\r\n")
        return try client.read(toHead: method == "HEAD")
    }

    /// The statuses of the answers to one request after the other.
    func codes(_ targets: String...) throws -> [Int] { try targets.map { try get($0).code } }

    /// Lets seconds pass.
    func pass(_ seconds: Int) { time.advance(by: .seconds(seconds)) }

    /// From now on nobody answers for the origin.
    func stopOrigin() { originServer.stop() }

    deinit {
        origin.release()
        proxy.stop()
        originServer.stop()
    }
}

/// What the origin is told to say, and what it heard.
final class ScriptedOrigin: Sendable {
    private struct State: Sendable {
        var scripts: [String: ProxyWorld.Script] = [:]
        var seen: [ProxyWorld.Seen] = []
        var isHolding = false
        var held: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// What the origin says to requests for `path` from now on.
    func says(_ path: String, _ lines: String..., status: Int = 200, content: String = "content") {
        state.withLock { $0.scripts[path] = ProxyWorld.Script(status: status, lines: lines, content: content) }
    }

    /// The requests that came, in order.
    var seen: [ProxyWorld.Seen] { state.withLock { $0.seen } }

    /// Answers nothing until `release`.
    func hold() { state.withLock { $0.isHolding = true } }

    /// Answers what waits, and at once from now on.
    func release() {
        let held = state.withLock { state in
            defer { (state.isHolding, state.held) = (false, []) }
            return state.held
        }
        for answer in held { answer() }
    }

    fileprivate func take(_ head: RequestHead, _ responder: Responder) {
        let response = response(to: head)
        let isHeld = state.withLock { state in
            state.seen.append(
                ProxyWorld.Seen(method: "\(head.method.name)", target: head.targetText, fields: head.fields))
            if state.isHolding { state.held.append { responder.respond(response) } }
            return state.isHolding
        }
        if !isHeld { responder.respond(response) }
    }

    /// A script with an entity tag keeps the client's promise: 304 to who has it.
    private func response(to head: RequestHead) -> Response {
        let script = state.withLock { $0.scripts[head.target.path] } ?? ProxyWorld.Script(status: 404, lines: [])
        var lines = FieldLines()
        var tag: EntityTag?
        for line in script.lines {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
            guard parts.count == 2, let name = FieldName(String(parts[0])) else { continue }
            lines.append(name, String(parts[1]))
            if name == .entityTag { tag = EntityTag(String(parts[1])) }
        }
        let isKnown = tag?.isListed(in: head.fields, .ifNoneMatch, by: .weak) ?? false
        if script.status == 200, isKnown, head.method.isSafe { return Response(status: .notModified, fields: lines) }
        return Response(
            status: Status(code: script.status), fields: lines, content: SharedBytes(Array(script.content.utf8)))
    }
}

private final class OriginHandler: RequestHandler {
    private let origin: ScriptedOrigin

    init(_ origin: ScriptedOrigin) { self.origin = origin }

    func answer(_ request: Request, _ responder: Responder) -> Answer {
        origin.take(request.head, responder)
        return .later(onAbandon: {})
    }

    func answer(to failure: RequestFailure) -> Response { Response(status: .badRequest, fields: FieldLines()) }
}
