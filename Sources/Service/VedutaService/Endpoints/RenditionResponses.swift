import HTTPMessage
import HTTPServer
import Reactor
import Renditions
import ResponseCache

/// Makes responses of outcomes: a rendition, 304 or a problem, with what Cache-Status (RFC 9211) tells.
struct RenditionResponses: RenditionWriter {
    let service: OpenedService
    let lines: PolicyLines
    /// Where GET has the same content, for a POST.
    var contentLocation: String?
    /// Has more made once the rendition is there; the value of `Veduta-Prepare`.
    var prepare: Prepare?
    /// What an image with a listed size is judged by; nil: all are sent.
    var asked: AskedSize?

    typealias Prepare = @Sendable (RenditionRequest) -> String?

    func response(to request: RenditionRequest, _ outcome: RenditionOutcome) -> Response {
        let (sent, rendition) = (request.request, request.rendition)
        var response =
            switch outcome {
            case .rendition(let stored, let origin):
                self.rendition(
                    stored.kept, prepared(fields(request, stored.state, origin), request), to: sent, rendition)
            case .notModified(let state): notModified(state, to: sent, lines.renditions(rendition.kind))
            case .preconditionFailed: problem(.preconditionFailed, to: sent, rendition)
            case .failure(let error, let origin): failure(error, origin, request)
            }
        if let refusal = asked?.refusal(of: &response) { response = failure(refusal, .here, request) }
        service.metrics.answered(rendition.route, response.status, after: service.clock.monotonic() - sent.arrived)
        return response
    }

    private func prepared(_ fields: FieldLines, _ request: RenditionRequest) -> FieldLines {
        guard let state = prepare?(request) else { return fields }
        var fields = fields
        fields.append("Veduta-Prepare", state)
        return fields
    }

    func client(of request: Request) -> ClientNetwork? { ClientNetwork(of: request, lines.trustedProxies) }

    /// The rendition, or the ranges asked for; one in place of a missing one is sent whole. The validators are those of
    /// these bytes, whatever the source is by now.
    func rendition(
        _ kept: KeptAnswer, _ ownFields: FieldLines, to request: Request, _ rendition: Rendition
    ) -> Response {
        let stored = kept.response
        var response = Self.whole(kept, ownFields)
        if response.status == .ok, request.head.fields.contains(.range) {
            do throws(EndpointError) {
                try response.cut(
                    for: request,
                    Validators(entityTag: EntityTag(stored.entityTag), lastModified: stored.lastModifiedUnixSeconds),
                    now: service.clock.unixSeconds())
            } catch {
                return problem(Problem(error), to: request, rendition)
            }
        }
        return response
    }

    @inline(__always)
    static func whole(_ kept: KeptAnswer, _ ownFields: FieldLines) -> Response {
        let stored = kept.response
        return Response(
            status: Status(code: stored.status), fields: FieldLines(formatted: stored.head), ownFields: ownFields,
            content: kept.file.map(ResponseContent.file) ?? .bytes(stored.content))
    }

    /// 304, with the fields of a 200 that tell a client to use its copy (RFC 9110 §15.4.5). Inlined, as a call copies the
    /// response: 250 instructions.
    @inline(__always)
    func notModified(_ state: SourceState, to request: Request, _ lines: RenditionLines) -> Response {
        Response(
            status: .notModified, fields: state.identity.fields,
            ownFields: lines.notModified(age: state.age(at: request.arrived)))
    }

    private func fields(_ request: RenditionRequest, _ state: SourceState, _ origin: RenditionOrigin) -> FieldLines {
        let lines = lines.renditions(of: state.identity, request.rendition)
        let age = state.age(at: request.request.arrived)
        let key = shownKey(request, state.identity)
        var fields: FieldLines
        switch origin {
        case .cache: fields = lines.hit(age: age, key: key)
        case .stale(let error): fields = lines.stale(age: age, key: key, insteadOf: Problem(error).status)
        case .rendered(let reason, let isStored, let isCollapsed, let timings):
            var status = CacheStatus(.forward(reason))
            status.isStored = isStored
            status.isCollapsed = isCollapsed
            status.key = key
            fields = lines.plain
            fields.append(.cacheStatus, status.text)
            if !timings.isEmpty { fields.append(.serverTiming, ServerTiming.text(timings)) }
        }
        if let contentLocation { fields.append(.contentLocation, contentLocation) }
        return fields
    }

    /// As `DELETE /cache?key=` takes it; nil unless the request asks for it.
    private func shownKey(_ request: RenditionRequest, _ identity: RenditionIdentity) -> String? {
        guard request.directives.showKey else { return nil }
        return CacheEntryName(tag: request.rendition.tag, key: identity.key).description
    }

    private func failure(_ error: RenditionError, _ origin: FailureOrigin, _ request: RenditionRequest) -> Response {
        var problem = Problem(error).quoting(request.request.head.target)
        switch origin {
        case .late(let timeToLive), .remembered(_, let timeToLive):
            if problem.retryAfterSeconds != nil { problem.retryAfterSeconds = max(1, timeToLive) }
        case .here, .render: break
        }
        var response = self.problem(problem, to: request.request, request.rendition)
        switch origin {
        case .here, .late: break
        case .remembered(let age, let timeToLive):
            response.ownFields.append(.age, age)
            response.ownFields.append(.cacheStatus, CacheStatus(.hit, timeToLive: timeToLive).text)
        case .render(let reason, let isRemembered, let isCollapsed):
            var status = CacheStatus(.forward(reason))
            status.isStored = isRemembered
            status.isCollapsed = isCollapsed
            response.ownFields.append(.cacheStatus, status.text)
        }
        return response
    }

    /// The format would depend on `Accept`, so without a source the answer varies with it too.
    private func problem(_ problem: Problem, to request: Request, _ rendition: Rendition) -> Response {
        ProblemReply.response(problem, to: request, lines, vary: rendition.vary, log: service.log)
    }
}

/// The `Server-Timing` field (W3C): milliseconds with one decimal.
enum ServerTiming {
    /// `queue;dur=0.1, decode;dur=12.3`.
    static func text(_ timings: [RenderTiming]) -> String {
        timings.map { "\($0.name);dur=\(milliseconds($0.duration))" }.joined(separator: ", ")
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let tenths = max(0, seconds &* 10_000 &+ attoseconds / 100_000_000_000_000)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
