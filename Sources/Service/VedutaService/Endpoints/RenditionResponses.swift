import HTTPMessage
import HTTPServer
import Reactor
import Renditions
import ResponseCache

/// What goes out: a rendition, 304 or a problem, with what Cache-Status (RFC 9211) says of how it came about.
struct RenditionResponses: RenditionWriter {
    let service: ServiceParts
    let lines: PolicyLines
    /// The address at which GET has the same content, for a request that is none; nil: there is none to tell.
    var contentLocation: String?

    func response(to request: RenditionRequest, _ outcome: RenditionOutcome) -> Response {
        switch outcome {
        case .rendition(let stored, let origin):
            rendition(
                stored.kept, fields(request, stored.state, origin), to: request.request, request.rendition)
        case .notModified(let state):
            notModified(state, request.rendition, to: request.request, lines.renditions(request.rendition.kind))
        case .preconditionFailed: problem(.preconditionFailed, to: request.request, request.rendition)
        case .failure(let error, let origin): failure(error, origin, request)
        }
    }

    // MARK: Renditions

    /// The rendition, or what Range asks for of it; one that is shown instead of a missing one is sent whole. The validators
    /// are those of these bytes, whatever the source is by now.
    func rendition(
        _ kept: KeptAnswer, _ ownFields: FieldLines, to request: Request, _ rendition: Rendition
    ) -> Response {
        let stored = kept.response
        var response = Self.whole(stored, file: kept.file)
        response.ownFields = ownFields
        if response.status == .ok, request.head.fields.contains(.range) {
            do throws(Problem) {
                try response.cut(
                    for: request,
                    Validators(entityTag: EntityTag(stored.entityTag), lastModified: stored.lastModifiedUnixSeconds),
                    now: service.clock.unixSeconds())
            } catch {
                return problem(error, to: request, rendition)
            }
        }
        service.metrics.answered(rendition.route, response.status)
        return response
    }

    /// What is stored, from memory or from `file`.
    static func whole(_ stored: StoredResponse, file: SharedFile? = nil) -> Response {
        Response(
            status: Status(code: stored.status), fields: FieldLines(formatted: stored.head),
            content: file.map(ResponseContent.file) ?? .bytes(stored.content))
    }

    /// 304, with the fields that a 200 would have and that tell a client to use its copy (RFC 9110 §15.4.5).
    func notModified(
        _ state: SourceState, _ rendition: Rendition, to request: Request, _ lines: RenditionLines
    ) -> Response {
        service.metrics.answered(rendition.route, .notModified)
        var response = Response(status: .notModified, fields: state.identity.fields)
        response.ownFields = lines.notModified(age: state.age(at: request.arrived))
        return response
    }

    private func fields(
        _ request: RenditionRequest, _ state: SourceState, _ origin: RenditionOrigin
    ) -> FieldLines {
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

    /// The name of `identity` for a request that wants to see it, as `DELETE /cache?key=` takes it.
    private func shownKey(_ request: RenditionRequest, _ identity: RenditionIdentity) -> String? {
        guard request.directives.showKey else { return nil }
        return CacheEntryName(tag: request.rendition.tag, key: identity.key).description
    }

    // MARK: Failures

    private func failure(_ error: RenditionError, _ origin: FailureOrigin, _ request: RenditionRequest) -> Response {
        var problem = Problem(error)
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

    /// Which format would have been sent depends on `Accept`, so without a source the answer varies with it too.
    private func problem(_ problem: Problem, to request: Request, _ rendition: Rendition) -> Response {
        ProblemReply.response(
            problem, to: request, lines, route: rendition.route, vary: rendition.vary,
            metrics: service.metrics, log: service.log)
    }
}
