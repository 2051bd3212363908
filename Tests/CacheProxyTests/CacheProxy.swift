import Bytes
import HTTPMessage
import HTTPServer
import Reactor
import ResponseCache
import Synchronization
import TestSupport

/// A caching reverse proxy for one origin. That it fits into 150 lines is what the engine is for: here are the server, a
/// client that blocks on a worker thread and a map, and nothing of the rules of caching.
final class CacheProxy: RequestHandler, Sendable {
    private typealias Variants = StoredVariants<[UInt8]>

    private struct State: Sendable {
        var held: [TargetURI: Variants] = [:]
        /// For each request that is under way, itself and who waits for its answer.
        var waiting: [TargetURI: [@Sendable () -> Void]] = [:]
        var unshared = UnsharedURIs()
    }

    private let state = Mutex(State())
    private let engine = CacheEngine()
    private let origin: SocketAddress
    private let clock: Clock
    private let pool: WorkerPool

    init(_ origin: SocketAddress, clock: Clock, pool: WorkerPool) {
        (self.origin, self.clock, self.pool) = (origin, clock, pool)
    }

    func answer(_ request: Request, _ responder: Responder) -> Answer {
        guard let asked = CacheRequest(request.head) else { return .now(answer(to: .unknownMethod)) }
        answer(asked, mayWait: engine.mayWait(asked), responder)
        return .later(onAbandon: {})
    }

    func answer(to failure: RequestFailure) -> Response { Response(status: .badRequest, fields: FieldLines()) }

    private func answer(_ asked: CacheRequest, mayWait: Bool, _ responder: Responder) {
        let held = state.withLock { $0.held[asked.uri] ?? Variants() }
        switch engine.decide(asked, held.entries, now: clock.unixSeconds()) {
        case .serve(let serving):
            if serving.refresh != .none {
                let validation = engine.refresh(asked, held.entries, serving.index)
                let asking = CacheRequest(.get, asked.uri, validation.fields)
                once(asked.uri, { _ = self.exchange(asking, validation, .stale) }, next: {})
            }
            responder.respond(response(held.variants[serving.index], serving, .init(.hit), asked))
        case .unavailable: responder.respond(Self.response(ResponseHead(.gatewayTimeout), [], .init(.own)))
        case .validate(let validation): forward(asked, validation, validation.why, mayWait: mayWait, responder)
        case .forward(let why): forward(asked, nil, why, mayWait: mayWait, responder)
        }
    }

    private func forward(
        _ asked: CacheRequest, _ validation: Validation?, _ why: CacheStatus.Forward, mayWait: Bool,
        _ responder: Responder
    ) {
        let now = clock.unixSeconds()
        let work = { @Sendable in responder.respond(self.exchange(asked, validation, why)) }
        if mayWait, !state.withLock({ $0.unshared.contains(asked.uri, now: now) }) {
            once(asked.uri, work) { self.answer(asked, mayWait: false, responder) }
        } else {
            _ = pool.submit(work)
        }
    }

    /// Does `work` unless some is under way for `uri`; then it does `next` after that.
    private func once(
        _ uri: TargetURI, _ work: @escaping @Sendable () -> Void, next: @escaping @Sendable () -> Void
    ) {
        let isFirst = state.withLock { state in
            defer { state.waiting[uri, default: []].append(next) }
            return state.waiting[uri] == nil
        }
        guard isFirst else { return }
        _ = pool.submit { [self] in
            work()
            let waiting = state.withLock { $0.waiting.removeValue(forKey: uri) ?? [] }
            for next in waiting.dropFirst() { next() }
        }
    }

    /// Asks the origin and does what the engine says about its answer.
    private func exchange(
        _ asked: CacheRequest, _ validation: Validation?, _ why: CacheStatus.Forward
    ) -> Response {
        let requestTime = clock.unixSeconds()
        let answer = send(asked, validation?.fields ?? asked.fields)
        let now = clock.unixSeconds()
        var status = CacheStatus(.forward(why))
        status.forwardStatus = answer?.code
        if answer.map({ engine.isFailure(Status(code: $0.code)) }) ?? true {
            let held = state.withLock { $0.held[asked.uri] ?? Variants() }
            if let serving = engine.substitute(asked, held.entries, now: now) {
                return response(held.variants[serving.index], serving, status, asked)
            }
        }
        guard let answer else { return Self.response(ResponseHead(.gatewayTimeout), [], status) }
        var head = ResponseHead(Status(code: answer.code))
        for field in answer.fields { if let name = FieldName(field.name) { head.fields.append(name, field.value) } }
        let exchange = UpstreamExchange(
            asked, head, requestTime: requestTime, responseTime: now, contentByteCount: answer.content.count)
        var freshened: Variants.Variant?
        let outcome = state.withLock { state in
            var held = state.held[asked.uri] ?? Variants()
            let outcome = engine.record(exchange, held.entries, validating: validation?.index)
            state.unshared.note(outcome, of: exchange, by: engine)
            freshened = held.take(outcome, content: answer.content)
            state.held[asked.uri] = held
            if case .invalidate(let uris) = outcome { for uri in uris { state.held[uri] = nil } }
            return outcome
        }
        if outcome == .repeatWithoutConditions, validation != nil { return self.exchange(asked, nil, why) }
        if case .store = outcome { status.isStored = true }
        guard validation != nil, let freshened else { return Self.response(head, answer.content, status) }
        return response(freshened, engine.serveFreshened(freshened.entry, for: asked, now: now), status, asked)
    }

    private func send(_ asked: CacheRequest, _ fields: Fields) -> WireResponse? {
        var lines = ["\(asked.method.name) \(asked.uri.target) HTTP/1.1", "Connection: close"]
        lines += fields.removingConnectionFields().lines.map { "\($0.name): \($0.value)" }
        guard let client = try? WireClient(origin) else { return nil }
        client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        return try? client.read(toHead: asked.method.isHead)
    }

    private func response(
        _ held: Variants.Variant, _ serving: Serving, _ status: CacheStatus, _ asked: CacheRequest
    ) -> Response {
        var response = Self.response(engine.head(held.entry, serving), held.content, status, serving.timeToLive)
        let selection = RangeSelection.evaluate(
            asked.method, asked.fields, Validators(entityTag: held.entry.entityTag), byteCount: held.content.count,
            now: clock.unixSeconds())
        if response.status == .ok, case .single(let range) = selection { response.cut(to: [range]) }
        return response
    }

    private static func response(
        _ head: ResponseHead, _ content: [UInt8], _ status: CacheStatus, _ timeToLive: Int? = nil
    ) -> Response {
        var (lines, status) = (FieldLines(), status)
        status.timeToLive = timeToLive
        for line in head.fields.removingConnectionFields().removing([.date, .contentLength, .xRequestID]).lines {
            if let name = FieldName(line.name) { lines.append(name, line.value) }
        }
        lines.append(.cacheStatus, status.text)
        return Response(status: head.status, fields: lines, content: SharedBytes(content))
    }
}
