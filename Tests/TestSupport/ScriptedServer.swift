package import HTTPServer
package import Reactor
import Bytes
import HTTPMessage
import Synchronization

/// The bare HTTP server on loopback with a handler that does as the path says, for tests of the connection alone.
///
/// `/now/TEXT` is answered TEXT at once; `/later/TEXT` waits for `release(TEXT)`; `/large/COUNT` is COUNT octets;
/// `/ranged/COUNT` is COUNT digits, 0123456789 again and again, with the tag `"COUNT"`, or the ranges of it that are asked for;
/// `/ranged-file/COUNT` is the same out of a file.
package final class ScriptedServer: Sendable {
    /// Where it listens.
    package let address: SocketAddress
    /// What it counts.
    package let statistics: ServerStatistics
    private let server: HTTPServer
    private let desk: Desk

    /// Starts it; `adjust` changes the settings.
    package init(loops: Int = 2, _ adjust: (inout ServerSettings) -> Void = { _ in }) throws {
        var settings = ServerSettings()
        adjust(&settings)
        let listener = try Listener.bind(.ipv4(0x7F00_0001, port: 0))
        let desk = Desk()
        let statistics = ServerStatistics()
        server = try HTTPServer.start(
            listener: listener, loopCount: loops, settings: settings, statistics: statistics,
            makeHandler: { _ in ScriptedHandler(desk) })
        address = server.address
        self.desk = desk
        self.statistics = statistics
    }

    /// Answers every request for `/later/NAME` that waits; from now on such requests are answered at once.
    package func release(_ name: String) { desk.release(name) }

    /// Waits until so many requests for `/later/…` have come; false when they do not.
    package func waitForRequests(_ count: Int) -> Bool { eventually { self.desk.arrivedCount >= count } }

    /// How many requests were abandoned by their clients.
    package var abandonedCount: Int { desk.abandonedCount }

    /// Begins to drain.
    package func beginDrain() { server.beginDrain() }

    /// Whether nothing is left to do.
    package var isDrained: Bool { server.isDrained }

    /// Ends it.
    package func stop() { server.stop() }
}

/// Whether `condition` comes true within some seconds, far more than it should take.
package func eventually(_ condition: () -> Bool) -> Bool {
    for _ in 0..<2000 {
        if condition() { return true }
        Processors.pause(.milliseconds(10))
    }
    return false
}

/// Where requests wait until a test releases them.
private final class Desk: Sendable {
    private struct State {
        var waiting: [(name: String, responder: Responder)] = []
        var released: Set<String> = []
        var arrivedCount = 0
        var abandonedCount = 0
    }

    private let state = Mutex(State())

    var arrivedCount: Int { state.withLock { $0.arrivedCount } }
    var abandonedCount: Int { state.withLock { $0.abandonedCount } }

    func arrive(_ name: String, _ responder: Responder) {
        let isReleased = state.withLock { state in
            state.arrivedCount += 1
            if state.released.contains(name) { return true }
            state.waiting.append((name, responder))
            return false
        }
        if isReleased { responder.respond(ScriptedHandler.text(name)) }
    }

    func release(_ name: String) {
        let due = state.withLock { state in
            state.released.insert(name)
            let due = state.waiting.filter { $0.name == name }
            state.waiting.removeAll { $0.name == name }
            return due
        }
        for entry in due { entry.responder.respond(ScriptedHandler.text(name)) }
    }

    func abandon() { state.withLock { $0.abandonedCount += 1 } }
}

private final class ScriptedHandler: RequestHandler {
    private let desk: Desk

    init(_ desk: Desk) {
        self.desk = desk
    }

    func answer(_ request: Request, _ responder: Responder) -> Answer {
        let parts = request.head.target.path.split(separator: "/").map(String.init)
        switch parts.first {
        case "later":
            desk.arrive(parts.last ?? "", responder)
            let desk = desk
            return .later(onAbandon: { desk.abandon() })
        case "twice":
            responder.respond(Self.text("first"))
            responder.respond(Self.text("second"))
            return .later(onAbandon: {})
        case "large":
            let count = parts.last.flatMap { Int($0) } ?? 0
            return .now(Self.response(.ok, [UInt8](repeating: 0x78, count: count)))
        case "ranged": return .now(Self.ranged(Self.digits(parts.last), for: request.head))
        case "ranged-file":
            let digits = Self.digits(parts.last)
            return .now(Self.ranged(digits, Self.file(digits), for: request.head))
        case "health": return .now(Self.text("alive"))
        default: return .now(Self.text(parts.last ?? ""))
        }
    }

    func answer(to failure: RequestFailure) -> Response {
        let status: Status =
            switch failure {
            case .refused(let error): error.status
            case .unknownMethod: .notImplemented
            case .timedOut: .requestTimeout
            case .unknownExpectation: .expectationFailed
            case .answerTimedOut, .tooManyConnections: .serviceUnavailable
            case .tooManyConnectionsFromAddress: .tooManyRequests
            case .lengthRequired: .lengthRequired
            case .contentTooLarge: .contentTooLarge
            case .unsupportedMediaType: .unsupportedMediaType
            case .contentNotStored: .insufficientStorage
            }
        return Self.response(status, Array("\(status.code)".utf8))
    }

    private static func digits(_ count: String?) -> [UInt8] {
        (0..<(count.flatMap { Int($0) } ?? 0)).map { UInt8($0 % 10) + 0x30 }
    }

    private static func file(_ octets: [UInt8]) -> ResponseContent? {
        do throws(Errno) {
            let file = SharedFile(adopting: try FileDescriptor.openSpool(in: "/tmp"), byteCount: octets.count)
            try file.write(octets, at: 0)
            return .file(file)
        } catch {
            return nil
        }
    }

    private static func ranged(
        _ octets: [UInt8], _ content: ResponseContent? = nil, for head: RequestHead
    ) -> Response {
        let count = octets.count
        var response = Self.response(.ok, octets)
        if let content { response.content = content }
        let tag = EntityTag(opaque: "\(count)")
        if let tag { response.fields.append(.entityTag, tag) }
        switch RangeSelection.evaluate(head.method, head.fields, Validators(entityTag: tag), byteCount: count, now: 0) {
        case .whole: break
        case .single(let range): response.cut(to: [range])
        case .multiple(let ranges): response.cut(to: ranges)
        case .unsatisfiable:
            response = Self.response(.rangeNotSatisfiable, Array("416".utf8))
            response.ownFields.append(.contentRange, "bytes */\(count)")
        }
        return response
    }

    static func text(_ text: String) -> Response { response(.ok, Array(text.utf8)) }

    private static func response(_ status: Status, _ content: [UInt8]) -> Response {
        var fields = FieldLines()
        fields.append(.contentType, literal: "text/plain")
        return Response(status: status, fields: fields, content: SharedBytes(content))
    }
}
