package import HTTPServer
package import Reactor
import Bytes
import HTTPMessage
import Synchronization

/// The bare HTTP server on loopback with a handler that does as the path says, for tests of the connection alone. It ends
/// with this object.
///
/// `/now/TEXT` is answered TEXT at once; `/later/TEXT` waits for `release(TEXT)`; `/large/COUNT` is COUNT bytes;
/// `/ranged/COUNT` is COUNT digits, 0123456789 again and again, with the tag `"COUNT"`, or the ranges of it that are asked for;
/// `/ranged-file/COUNT` is the same out of a file; `/empty` has none (204); `/stored` takes content and is answered the number of its bytes, as are
/// `/held/LIMIT`, whose content stays in `contentMemory`, and
/// `/kept/NAME/LIMIT`, whose content is with `keptContents` as it comes, while `/kept/NAME/LIMIT/refused` has nobody to keep it. Content is taken and given back by `/echo/LIMIT`, `/required/LIMIT` and `/plain/LIMIT`; for other answers see `ScriptedContent`.
package final class ScriptedServer: Sendable {
    package let address: SocketAddress
    package let statistics: ServerStatistics
    private let server: HTTPServer
    private let desk: Desk
    private let settings: Mutex<ServerSettings>
    private let isStopped = Atomic(false)

    /// Starts it; `adjust` changes the settings. Content that is too much for memory goes to files in the temporary folder.
    /// No time limit is in a test's way, however slow the machine is: a test of one sets it, and moves `clock` by hand. What
    /// is due then happens at the next byte that reaches the loop, or at `wake`.
    ///
    /// `passed` is the number of a listening socket that others have too: its backlog is left to them when this one drains.
    package init(
        loops: Int = 2, clock: Clock = .system, passed: Int32? = nil,
        _ adjust: (inout ServerSettings) -> Void = { _ in }
    ) throws {
        var settings = ServerSettings()
        settings.spoolFolder = "/tmp"
        settings.headTimeout = .seconds(3600)
        settings.idleTimeout = .seconds(86_400)
        settings.writeTimeout = .seconds(3600)
        settings.contentTimeout = .seconds(3600)
        settings.answerTimeout = .seconds(3600)
        adjust(&settings)
        self.settings = Mutex(settings)
        let listener =
            if let passed { try FileDescriptor.duplicate(passed) } else {
                try Listener.bind(.ipv4(0x7F00_0001, port: 0))
            }
        let desk = try Desk()
        let statistics = ServerStatistics()
        server = try HTTPServer.start(
            listener: listener, leavesBacklog: passed != nil, loopCount: loops, settings: settings, clock: clock,
            statistics: statistics, makeHandler: { _ in ScriptedHandler(desk) })
        address = server.address
        self.desk = desk
        self.statistics = statistics
    }

    /// A server and a client of it, which keeps it.
    package static func withClient(
        loops: Int = 2, clock: Clock = .system, _ adjust: (inout ServerSettings) -> Void = { _ in }
    ) throws -> (server: ScriptedServer, client: WireClient) {
        let server = try ScriptedServer(loops: loops, clock: clock, adjust)
        return (server, try WireClient(server.address, of: server))
    }

    deinit { stop() }

    /// Answers every request for `/later/NAME` that waits; from now on such requests are answered at once.
    package func release(_ name: String) { desk.release(name) }

    /// Waits until so many requests for `/later/…` have come; false when they do not.
    package func waitForRequests(_ count: Int) -> Bool { eventually { self.desk.arrivedCount >= count } }

    /// Who kept content for `/kept/NAME/…`, for each request in turn.
    package func keepers(of name: String) -> [KeptContent] { desk.keepers(of: name) }

    /// For the content of `/held/…`, of which one client may have half.
    package static let heldByteLimit = 983_040
    package var contentMemory: ContentMemory { desk.contentMemory }

    package var abandonedCount: Int { desk.abandonedCount }

    /// How often the next piece of a streamed answer was asked for.
    package var pullCount: Int { desk.pullCount }

    /// The exchanges that were reported so far, in the order of the reports.
    package var exchanges: [Exchange] { desk.exchanges }

    package func reload(_ adjust: (inout ServerSettings) -> Void) {
        server.reload(
            settings.withLock { settings in
                adjust(&settings)
                return settings
            })
    }

    /// Lets the loops see that the hand-moved clock has moved.
    package func wake() { reload { _ in } }

    /// Moves the hand-moved `clock` on, second by second, until `condition` comes true; false when it does not.
    package func letTimePass(on clock: HandMovedClock, until condition: () -> Bool) -> Bool {
        eventually {
            clock.advance(by: .seconds(1))
            wake()
            return condition()
        }
    }

    package func beginDrain(isHandover: Bool = false) { server.beginDrain(isHandover: isHandover) }

    package var isDrained: Bool { server.isDrained }

    /// Ends it, unless that was done.
    package func stop() {
        guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        server.stop()
        desk.maker.stop()
    }
}

/// Whether `condition` comes true within some minutes: a bound for what hangs, far beyond what the slowest machine takes.
package func eventually(_ condition: () -> Bool) -> Bool {
    for _ in 0..<18_000 {
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
        var pullCount = 0
        var exchanges: [Exchange] = []
        var keepers: [String: [KeptContent]] = [:]
    }

    private let state = Mutex(State())
    let maker: PieceMaker
    let contentMemory = ContentMemory(byteLimit: ScriptedServer.heldByteLimit)

    init() throws { maker = try PieceMaker() }

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

    var pullCount: Int { state.withLock { $0.pullCount } }
    var exchanges: [Exchange] { state.withLock { $0.exchanges } }

    func keepers(of name: String) -> [KeptContent] { state.withLock { $0.keepers[name] ?? [] } }

    func makeKeeper(of name: String) -> (any ContentKeeper)? {
        guard let content = KeptContent() else { return nil }
        state.withLock { $0.keepers[name, default: []].append(content) }
        return KeptContent.Keeper(content)
    }

    func pull() { state.withLock { $0.pullCount += 1 } }
    func record(_ exchange: Exchange) { state.withLock { $0.exchanges.append(exchange) } }
    func abandon() { state.withLock { $0.abandonedCount += 1 } }
}

private final class ScriptedHandler: RequestHandler {
    private let desk: Desk

    init(_ desk: Desk) { self.desk = desk }

    var recordsExchanges: Bool { true }

    func finished(_ exchange: Exchange) { desk.record(exchange) }

    func answer(_ request: Request, _ responder: Responder) -> Answer {
        let parts = request.head.target.path.split(separator: "/").map(String.init)
        let desk = desk
        if let content = ScriptedContent.answer(parts, request.content, desk.maker, desk.pull, desk.abandon) {
            return .now(Self.response(.ok, content))
        }
        switch parts.first {
        case "later":
            desk.arrive(parts.last ?? "", responder)
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
        case "file": return .now(answer(to: .contentNotStored))
        case "empty": return .now(Response(status: .noContent, fields: FieldLines()))
        case "stored", "kept", "held": return .now(Self.text("\(request.content.byteCount)"))
        case "health": return .now(Self.text("alive"))
        default: return .now(Self.text(parts.last ?? ""))
        }
    }

    func contentRule(for head: RequestHead, from peer: SocketAddress?) -> ContentRule? {
        if head.target.path == "/stored" { return ContentRule(byteLimit: 1 << 24) }
        let parts = head.target.path.split(separator: "/").map(String.init)
        if parts.count >= 3, parts[0] == "kept", let limit = Int(parts[2]) {
            let desk = desk
            return ContentRule(
                byteLimit: limit, makeKeeper: { _ in parts.count == 3 ? desk.makeKeeper(of: parts[1]) : nil })
        }
        if parts.count == 2, parts[0] == "held", let limit = Int(parts[1]) {
            return ContentRule(byteLimit: limit, memory: desk.contentMemory.share(of: nil))
        }
        return ScriptedContent.rule(for: head.target.path)
    }

    func answer(to failure: RequestFailure) -> Response {
        Self.response(failure.status, Array("\(failure.status.code)".utf8))
    }

    /// Doubled, as a debug build takes a second for millions one by one.
    private static func digits(_ text: String?) -> [UInt8] {
        let count = text.flatMap { Int($0) } ?? 0
        var bytes = Array("0123456789".utf8)
        while bytes.count < count { bytes += bytes }
        return Array(bytes.prefix(count))
    }

    private static func file(_ bytes: [UInt8]) -> ResponseContent? {
        do throws(Errno) {
            let file = SharedFile(adopting: try FileDescriptor.openSpool(in: "/tmp"), byteCount: bytes.count)
            try file.write(bytes, at: 0)
            return .file(file)
        } catch {
            return nil
        }
    }

    private static func ranged(_ bytes: [UInt8], _ content: ResponseContent? = nil, for head: RequestHead) -> Response {
        let count = bytes.count
        var response = Self.response(.ok, bytes)
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
        response(status, .bytes(SharedBytes(content)))
    }

    private static func response(_ status: Status, _ content: ResponseContent) -> Response {
        var fields = FieldLines()
        fields.append(.contentType, literal: "text/plain")
        return Response(status: status, fields: fields, content: content)
    }
}
