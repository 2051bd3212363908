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
    /// Makes the picture.
    let render: @Sendable (_ job: RenderJob) throws(Problem) -> AssetMaker.Made

    /// Where the cache has the picture.
    enum Kept: String, Sendable {
        case memory, disk, no
    }
}

extension PictureDelivery {
    /// Explains it, on a worker.
    func explain(_ explanation: Explanation, _ request: Request, _ policy: PolicyLines, _ responder: Responder)
        -> Answer
    {
        let later = waitForOriginals(
            explanation.plan.preparation, from: 0, request, responder,
            next: { [self] _ in explainPrepared(explanation, request, policy, responder) },
            refuse: { .now(refused($0, explanation, request, policy)) })
        return later ?? explainPrepared(explanation, request, policy, responder)
    }

    private func explainPrepared(
        _ explanation: Explanation, _ request: Request, _ policy: PolicyLines, _ responder: Responder
    ) -> Answer {
        let isAbandoned = SharedFlag()
        // Nobody knows yet what it costs: in the lane of the long ones it is in nobody's way.
        guard submit(explanation, request, policy, responder, isAbandoned, .long) else {
            metrics.refused()
            return .now(refused(.overloaded, explanation, request, policy))
        }
        return .later(onAbandon: { isAbandoned.set() })
    }

    /// Explains it when `claim` is free, and starts again where it turns out to need more.
    private func submit(
        _ explanation: Explanation, _ request: Request, _ policy: PolicyLines, _ responder: Responder,
        _ isAbandoned: SharedFlag, _ claim: JobClaim
    ) -> Bool {
        workers.submit(to: .long, claiming: claim, cancelledBy: isAbandoned) { [self] in
            let ticket = LaneTicket(workers, claim, costLimit)
            let answer = explained(explanation, request, policy, isAbandoned, ticket)
            ticket.end()
            guard let wanted = ticket.postponed else { return responder.respond(answer) }
            metrics.postponed()
            guard !submit(explanation, request, policy, responder, isAbandoned, wanted) else { return }
            metrics.refused()
            responder.respond(refused(.overloaded, explanation, request, policy))
        }
    }

    private func explained(
        _ explanation: Explanation, _ request: Request, _ policy: PolicyLines, _ isAbandoned: SharedFlag,
        _ ticket: LaneTicket
    ) -> Response {
        let (plan, isClosed) = (explanation.plan, isClosed)
        do throws(Problem) {
            let identity = plan.identity(with: try plan.currentValidator())
            let kept = kept(plan, identity)
            metrics.renderBegan(plan.route)
            let job = RenderJob(shouldStop: { isAbandoned.isSet || isClosed.isSet }, admit: ticket.admit)
            let made = try explanation.render(job)
            let text = ExplanationJSON.text(made, plan, identity, kept, usesMasters: explanation.usesMasters)
            let coded = CodedText(text, for: request.head)
            metrics.answered(plan.route, .ok)
            var fields = FieldLines()
            fields.append(.contentType, literal: "application/json")
            fields.append(.cacheControl, literal: "no-store")
            coded.append(to: &fields, varyingWith: plan.vary)
            fields.append(.xContentTypeOptions, literal: "nosniff")
            fields.append(policy.common)
            return Response(status: identity.status, fields: fields, content: coded.content)
        } catch {
            return refused(error, explanation, request, policy)
        }
    }

    private func kept(_ plan: PicturePlan, _ identity: PictureIdentity) -> Explanation.Kept {
        if cache.isInMemory(identity.key) { return .memory }
        return contains(plan, identity) ? .disk : .no
    }

    private func refused(
        _ problem: Problem, _ explanation: Explanation, _ request: Request, _ policy: PolicyLines
    ) -> Response {
        ProblemReply.response(
            problem, to: request, policy, route: explanation.plan.route, vary: explanation.plan.vary, metrics: metrics,
            log: log)
    }
}
