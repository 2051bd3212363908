import Bytes
package import HTTPMessage
package import HTTPServer
package import Origin
package import Reactor
import ResponseCache
import Synchronization

// For tests: public suites of HTTP caching, and ours, reach the engine through it. It knows one origin and keeps
// answers in memory. The rules of caching are the engine's.

/// A caching reverse proxy for one origin (RFC 9111): any method, field, content and status passes.
package final class CacheProxy: RequestHandler, Sendable {
    private let state = Mutex(ProxyState())
    private let engine = CacheEngine()
    private let upstream: OriginURL
    private let fetcher: Fetcher
    private let clock: Clock

    /// The path of `upstream` is ignored; `fetcher` must be allowed to ask it.
    package init(_ upstream: OriginURL, fetcher: Fetcher, clock: Clock = .system) {
        (self.upstream, self.fetcher, self.clock) = (upstream, fetcher, clock)
    }

    // MARK: RequestHandler

    package var takesUnknownMethods: Bool { true }

    package func contentRule(for head: RequestHead, from peer: SocketAddress?) -> ContentRule? {
        var rule = ContentRule(byteLimit: ProxyState.contentLimit, isRequired: false)
        rule.allowsCodings = true
        return rule
    }

    package func answer(_ request: Request, _ responder: Responder) -> Answer {
        guard let relayed = RelayedRequest(request, upstream) else { return .now(own(.notImplemented)) }
        guard !relayed.isForUs else { return .now(own(relayed.rule.method == .options ? .ok : .methodNotAllowed)) }
        answer(relayed, mayWait: engine.mayWait(relayed.rule), responder)
        return .later(onAbandon: {})
    }

    package func answer(to failure: RequestFailure) -> Response { own(failure.proxyStatus) }

    // MARK: Requests

    private func answer(_ request: RelayedRequest, mayWait: Bool, _ responder: Responder) {
        let held = state.withLock { $0.variants(of: request.rule.uri) }
        switch engine.decide(request.rule, held.entries, now: clock.unixSeconds()) {
        case .serve(let serving):
            if serving.refresh == .background { refresh(request, held, serving) }
            responder.respond(response(held.variants[serving.index], serving, CacheStatus(.hit), to: request))
        case .unavailable: responder.respond(own(.gatewayTimeout))
        case .validate(let validation):
            forward(Forwarding(request, validation, validation.why, for: responder), mayWait: mayWait)
        case .forward(let why): forward(Forwarding(request, nil, why, for: responder), mayWait: mayWait)
        }
    }

    private func refresh(_ request: RelayedRequest, _ held: ProxyState.Variants, _ serving: Serving) {
        let uri = request.rule.uri
        let validation = engine.refresh(request.rule, held.entries, serving.index)
        let refreshing = RelayedRequest(CacheRequest(.get, uri, validation.fields))
        once(uri) { done in
            self.exchange(Forwarding(refreshing, validation, .stale, for: nil)) { _ in done() }
        } next: {
        }
    }

    private func forward(_ forwarding: Forwarding, mayWait: Bool) {
        let (uri, now) = (forwarding.request.rule.uri, clock.unixSeconds())
        guard let responder = forwarding.responder else { return }
        guard mayWait, !state.withLock({ $0.unshared.contains(uri, now: now) }) else {
            return exchange(forwarding) { responder.respond($0) }
        }
        once(uri) { done in
            self.exchange(forwarding) { response in
                responder.respond(response)
                done()
            }
        } next: {
            self.answer(forwarding.request, mayWait: false, responder)
        }
    }

    /// Begins `work` unless some is under way for `uri`; then does `next` after that.
    private func once(
        _ uri: TargetURI, _ work: (@escaping @Sendable () -> Void) -> Void, next: @escaping @Sendable () -> Void
    ) {
        let isFirst = state.withLock { state in
            defer { state.waiting[uri, default: []].append(next) }
            return state.waiting[uri] == nil
        }
        guard isFirst else { return }
        work { [self] in
            let waiting = state.withLock { $0.waiting.removeValue(forKey: uri) ?? [] }
            for next in waiting.dropFirst() { next() }
        }
    }

    // MARK: Exchanges

    private func exchange(_ forwarding: Forwarding, done: @escaping @Sendable (Response) -> Void) {
        let requestTime = clock.unixSeconds()
        fetcher.exchange(
            forwarding.request.makeExchange(to: upstream, forwarding.validation?.fields),
            byteLimit: ProxyState.contentLimit,
            onInterim: {
                forwarding.responder?.interim($0.status, FieldLines(relaying: $0.fields.removingConnectionFields()))
            },
            completion: { [self] in finish(forwarding, $0, requestTime: requestTime, done: done) })
    }

    private func finish(
        _ forwarding: Forwarding, _ result: Result<Exchanged, OriginError>, requestTime: Int64,
        done: @escaping @Sendable (Response) -> Void
    ) {
        let (request, rule, now) = (forwarding.request, forwarding.request.rule, clock.unixSeconds())
        var status = CacheStatus(.forward(forwarding.why))
        var failure = Status.gatewayTimeout
        var answer: Exchanged?
        switch result {
        case .success(let exchanged): (answer, status.forwardStatus) = (exchanged, exchanged.head.status.code)
        case .failure(let error): failure = error.proxyStatus
        }
        if answer.map({ engine.isFailure($0.head.status) }) ?? true {
            let held = state.withLock { $0.variants(of: rule.uri) }
            if let serving = engine.substitute(rule, held.entries, now: now) {
                return done(response(held.variants[serving.index], serving, status, to: request))
            }
        }
        guard let answer else { return done(own(failure, status)) }
        let exchange = UpstreamExchange(
            rule, answer.head, requestTime: requestTime, responseTime: answer.headTime,
            contentByteCount: answer.content.count)
        let (outcome, kept) = state.withLock {
            $0.record(exchange, answer.content, validating: forwarding.validation?.index, by: engine)
        }
        if outcome == .repeatWithoutConditions, forwarding.validation != nil {
            return self.exchange(Forwarding(request, nil, forwarding.why, for: forwarding.responder), done: done)
        }
        if case .store = outcome { status.isStored = true }
        // The origin saw our conditions: those of the client, and its ranges, still apply.
        if forwarding.validation != nil, let kept {
            let serving = engine.serveFreshened(kept.entry, for: rule, now: now)
            return done(response(kept, serving, status, to: request))
        }
        done(passing(answer, status, to: request))
    }

    // MARK: Answers

    private func response(
        _ held: ProxyState.Variants.Variant, _ serving: Serving, _ status: CacheStatus, to request: RelayedRequest
    ) -> Response {
        var status = status
        status.timeToLive = serving.timeToLive
        var head = engine.head(held.entry, serving)
        let ranges = RangeSelection.evaluate(
            request.rule.method, request.rule.fields,
            Validators(entityTag: held.entry.entityTag, lastModified: held.entry.lastModified),
            byteCount: held.content.count, now: clock.unixSeconds())
        guard head.status == .ok else { return relaying(head, .bytes(held.content), status) }
        switch ranges {
        case .whole: return relaying(head, .bytes(held.content), status)
        case .single(let range): return relaying(head, .bytes(held.content), status, cutTo: [range])
        case .multiple(let ranges): return relaying(head, .bytes(held.content), status, cutTo: ranges)
        case .unsatisfiable:
            head.status = .rangeNotSatisfiable
            head.fields.append(.contentRange, "bytes */\(held.content.count)")
            return relaying(head, nil, status)
        }
    }

    private func passing(_ answer: Exchanged, _ status: CacheStatus, to request: RelayedRequest) -> Response {
        guard request.rule.method.isHead || answer.head.status.forbidsContent else {
            return relaying(answer.head, .bytes(.init(answer.content)), status)
        }
        var response = relaying(answer.head, nil, status)
        // HEAD tells the length of the content that a GET would get (RFC 9110 §8.6).
        if request.rule.method.isHead, let length = answer.head.fields.first(.contentLength) {
            response.fields.append(.contentLength, length)
        }
        return response
    }

    private func relaying(
        _ head: ResponseHead, _ content: ResponseContent?, _ status: CacheStatus, cutTo ranges: [Range<Int>] = []
    ) -> Response {
        let fields = head.fields.removingConnectionFields().removing([.contentLength])
        var response = Response(status: head.status, fields: FieldLines(relaying: fields), content: content)
        response.isRelayed = true
        response.cut(to: ranges)
        // RFC 9110 §6.6.1, §7.6.3.
        if !fields.contains(.date) { response.fields.append(.date, date: clock.unixSeconds()) }
        response.fields.append(.via, "1.1 \(RelayedRequest.pseudonym)")
        response.fields.append(.cacheStatus, status.text)
        return response
    }

    private func own(_ status: Status, _ cacheStatus: CacheStatus = CacheStatus(.own)) -> Response {
        relaying(ResponseHead(status), nil, cacheStatus)
    }
}

private struct Forwarding: Sendable {
    let request: RelayedRequest
    /// Nil for a plain request.
    let validation: Validation?
    let why: CacheStatus.Forward
    /// Gets interim answers and the answer; nil for a refresh in the background.
    let responder: Responder?

    init(_ request: RelayedRequest, _ validation: Validation?, _ why: CacheStatus.Forward, for responder: Responder?) {
        (self.request, self.validation, self.why, self.responder) = (request, validation, why, responder)
    }
}
