import Bytes
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import Reactor
import ResponseCache

// `explain=1` makes the picture and throws it away: what is told is what was done, with the times that it took. It is
// answered past the cache, whose pictures it looks at but never changes; a master that had to be made for it is kept.

/// How a picture would be answered and comes about.
struct Explanation: Sendable {
    /// The plan of the same request without `explain`.
    let plan: PicturePlan
    /// Whether masters are made and used at all.
    let usesMasters: Bool
    let render: @Sendable (_ job: RenderJob) throws(Problem) -> AssetMaker.Made

    /// Where the cache has the picture.
    enum Kept: String, Sendable {
        case memory, disk, no
    }
}

/// A request for an explanation, on its way through the workers.
private struct ExplainingJob: Sendable {
    let explanation: Explanation
    /// Of the picture, as its source was seen.
    let identity: PictureIdentity
    let request: Request
    let policy: PolicyLines
    let isAbandoned = SharedFlag()
    /// When the picture was begun.
    let work = WorkStart()
}

extension PictureDelivery {
    /// Explains it, on a worker; `index` of its originals were waited for.
    func explain(
        _ explanation: Explanation, _ request: Request, policy: PolicyLines, responder: Responder,
        from index: Int = 0
    ) -> Answer {
        let later = waitForOriginals(
            explanation.plan.preparation, from: index, request, responder,
            next: { [self] in explain(explanation, request, policy: policy, responder: responder, from: $0) },
            refuse: { .now(refused($0, explanation, request, policy: policy)) })
        return later ?? explainPrepared(explanation, request, policy: policy, responder: responder)
    }

    private func explainPrepared(
        _ explanation: Explanation, _ request: Request, policy: PolicyLines, responder: Responder
    ) -> Answer {
        let sighting: Sighting
        do throws(Problem) {
            sighting = try look(at: explanation.plan, known: nil, now: request.arrived)
        } catch {
            return .now(refused(error, explanation, request, policy: policy))
        }
        if let failed = knownTimeout(sighting.identity.key, policy.limits, at: request.arrived) {
            metrics.negativeHit()
            return .now(refused(failed.problem, explanation, request, policy: policy))
        }
        let job = ExplainingJob(explanation: explanation, identity: sighting.identity, request: request, policy: policy)
        // Nobody knows yet what it costs: in the lane of the long ones it is in nobody's way.
        guard submit(job, responder, .long) else {
            metrics.refused()
            return .now(refused(.overloaded, explanation, request, policy: policy))
        }
        return .later(
            onAbandon: { job.isAbandoned.set() },
            whenLate: { [self] in late(explanation.plan, sighting, work: job.work, request: request, policy: policy) })
    }

    /// Explains it when `claim` is free, and starts again where it turns out to need more.
    private func submit(_ job: ExplainingJob, _ responder: Responder, _ claim: JobClaim) -> Bool {
        workers.submit(to: .long, claiming: claim, cancelledBy: job.isAbandoned) { [self] in
            let ticket = LaneTicket(workers, claim, job.policy.limits.cost)
            // One that was postponed is counted already.
            if claim == .long { metrics.renderBegan(job.explanation.plan.route) }
            job.work.set(clock.monotonic())
            let outcome = Result { () throws(Problem) in try explained(job, ticket) }
            ticket.end()
            if let wanted = ticket.postponed {
                metrics.postponed()
                job.work.clear()
                guard !submit(job, responder, wanted) else { return }
                metrics.refused()
                return responder.respond(refused(.overloaded, job))
            }
            // Its client has gone or was told that it took too long.
            guard !job.isAbandoned.isSet else { return metrics.cancelled() }
            switch outcome {
            case .success(let text): responder.respond(answer(text, to: job))
            case .failure(let problem): responder.respond(refused(job.policy.limits.cost.named(problem), job))
            }
        }
    }

    private func explained(_ job: ExplainingJob, _ ticket: LaneTicket) throws(Problem) -> String {
        let (explanation, isAbandoned, isClosed) = (job.explanation, job.isAbandoned, isClosed)
        let kept = kept(explanation.plan, job.identity)
        let made = try explanation.render(
            RenderJob(shouldStop: { isAbandoned.isSet || isClosed.isSet }, admit: ticket.admit))
        return ExplanationJSON.text(
            made, explanation.plan, job.identity, kept: kept, usesMasters: explanation.usesMasters)
    }

    private func answer(_ text: String, to job: ExplainingJob) -> Response {
        let plan = job.explanation.plan
        let coded = CodedText(text, for: job.request.head)
        metrics.answered(plan.route, .ok)
        var fields = FieldLines()
        fields.append(.contentType, literal: "application/json")
        fields.append(.cacheControl, literal: "no-store")
        coded.append(to: &fields, varyingWith: plan.vary)
        fields.append(.xContentTypeOptions, literal: "nosniff")
        fields.append(job.policy.common)
        return Response(status: job.identity.status, fields: fields, content: coded.content)
    }

    private func refused(_ problem: Problem, _ job: ExplainingJob) -> Response {
        refused(problem, job.explanation, job.request, policy: job.policy)
    }

    private func kept(_ plan: PicturePlan, _ identity: PictureIdentity) -> Explanation.Kept {
        if cache.isInMemory(identity.key) { return .memory }
        return contains(plan, identity) ? .disk : .no
    }

    private func refused(
        _ problem: Problem, _ explanation: Explanation, _ request: Request, policy: PolicyLines
    ) -> Response {
        ProblemReply.response(
            problem, to: request, policy, route: explanation.plan.route, vary: explanation.plan.vary, metrics: metrics,
            log: log)
    }
}
