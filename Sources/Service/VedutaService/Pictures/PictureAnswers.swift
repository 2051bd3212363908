import HTTPMessage
import HTTPServer
import Reactor
import ResponseCache

// What goes out: the picture or a problem, and what Cache-Status (RFC 9211) says of how it came about.
extension PictureDelivery {
    /// The answer to one of those who waited for a flight.
    func answer(_ outcome: FlightOutcome, to ask: PictureAsk, isCollapsed: Bool) -> Response {
        switch outcome {
        case .success(let delivered): return answer(delivered, to: ask, isCollapsed: isCollapsed)
        case .failure(let failed):
            if let standIn = failed.standIn, mayStandIn(standIn.sighting, ask) {
                return answer(with: standIn, for: failed.problem, ask)
            }
            var response = problem(failed.problem, ask)
            if let known = failed.known {
                metrics.negativeHit()
                response.ownFields.append(.age, known.ageSeconds)
                response.ownFields.append(.cacheStatus, CacheStatus(.hit, timeToLive: known.timeToLiveSeconds).text)
            } else if let reason = failed.reason {
                var status = CacheStatus(.forward(ask.forwardReason(reason)))
                status.isStored = failed.isRemembered && !isCollapsed
                status.isCollapsed = isCollapsed
                response.ownFields.append(.cacheStatus, status.text)
            }
            return response
        }
    }

    private func answer(_ delivered: DeliveredPicture, to ask: PictureAsk, isCollapsed: Bool) -> Response {
        let identity = delivered.sighting.identity
        let key = ask.shownKey(of: identity)
        switch delivered.origin {
        case .cache:
            metrics.lateHit(saving: delivered.kept.response)
            let fields = ask.lines(for: identity).hit(age: age(of: delivered.sighting, ask), key: key)
            return picture(delivered.kept, ask.own(fields), to: ask.request, plan: ask.plan, policy: ask.policy)
        case .made(let reason, let isKept):
            var status = CacheStatus(.forward(ask.forwardReason(reason)))
            status.isStored = isKept && !isCollapsed
            status.isCollapsed = isCollapsed
            status.key = key
            var fields = ask.lines(for: identity).plain
            fields.append(.cacheStatus, status.text)
            if !delivered.timings.isEmpty { fields.append(.serverTiming, ServerTiming.text(delivered.timings)) }
            return picture(delivered.kept, ask.own(fields), to: ask.request, plan: ask.plan, policy: ask.policy)
        }
    }

    /// A picture, or 304, in place of what cannot be had (RFC 5861 §4).
    func answer(with standIn: StandIn, for problem: Problem, _ ask: PictureAsk) -> Response {
        let sighting = standIn.sighting
        metrics.standInServed()
        let age = age(of: sighting, ask)
        switch precondition(sighting.identity, ask.request) {
        case .proceed: break
        case .notModified: return notModified(sighting, ask.plan, ask.request, lines: ask.lines)
        case .failed: return self.problem(.preconditionFailed, ask)
        }
        let fields = ask.lines(for: sighting.identity).hit(
            age: age, key: ask.shownKey(of: sighting.identity), isStandIn: problem.status.code)
        return picture(standIn.kept, ask.own(fields), to: ask.request, plan: ask.plan, policy: ask.policy)
    }

    /// 304, with the fields that a 200 would have and that tell a client to use its copy (RFC 9110 §15.4.5).
    func notModified(
        _ sighting: Sighting, _ plan: PicturePlan, _ request: Request, lines: PictureLines
    ) -> Response {
        metrics.answered(plan.route, .notModified)
        var response = Response(status: .notModified, fields: sighting.identity.fields)
        response.ownFields = lines.notModified(age: sighting.age(at: request.arrived))
        return response
    }

    /// The picture, or what Range asks for of it; a picture that is shown instead of a missing one is sent whole. The validators are those of these bytes, whatever the source is by now.
    func picture(
        _ kept: KeptAnswer, _ ownFields: FieldLines, to request: Request, plan: PicturePlan, policy: PolicyLines
    ) -> Response {
        let stored = kept.response
        var response = Response(
            status: Status(code: stored.status), fields: FieldLines(formatted: stored.head),
            content: kept.file.map(ResponseContent.file) ?? .bytes(stored.content))
        response.ownFields = ownFields
        if response.status == .ok, request.head.fields.contains(.range) {
            do throws(Problem) {
                try response.cut(
                    for: request,
                    Validators(entityTag: EntityTag(stored.entityTag), lastModified: stored.lastModifiedUnixSeconds),
                    now: clock.unixSeconds())
            } catch {
                return problem(error, to: request, plan, policy)
            }
        }
        metrics.answered(plan.route, response.status)
        return response
    }

    /// The answer that is no picture. Which format would have been sent depends on `Accept`, so without a source it varies
    /// with it too.
    func problem(_ problem: Problem, _ ask: PictureAsk) -> Response {
        self.problem(problem, to: ask.request, ask.plan, ask.policy)
    }

    private func problem(
        _ problem: Problem, to request: Request, _ plan: PicturePlan, _ policy: PolicyLines
    ) -> Response {
        ProblemReply.response(
            problem, to: request, policy, route: plan.route, vary: plan.vary, metrics: metrics, log: log
        )
    }
}
