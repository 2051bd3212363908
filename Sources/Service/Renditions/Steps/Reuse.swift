package import HTTPMessage
package import HTTPServer
import Reactor
import ResponseCache
import Telemetry

// What is known already: the client has it, memory has it, or it failed a moment ago.
extension RenditionService {
    func evaluatePreconditions(_ walk: inout RequestWalk) -> Answer? {
        guard let state = walk.state else { return nil }
        switch walk.decision.preconditions(precondition(state.identity, walk.request.request)) {
        case .notModified:
            if walk.decision.isStale { metrics.stale.add() }
            return walk.request.answer(.notModified(state))
        case .preconditionFailed: return walk.request.answer(.preconditionFailed)
        case .skip, .memory: return nil
        }
    }

    /// For the rendition of `identity` (RFC 9110 §13.2.2).
    package func precondition(_ identity: RenditionIdentity, _ request: Request) -> Preconditions.Outcome {
        // Without the fallback the answer would be 404, to which preconditions do not apply (§13.2.1).
        guard request.head.fields.mayBeConditional, !identity.isFallback else { return .proceed }
        let validators = Validators(entityTag: identity.entityTag, lastModified: identity.validator.lastModified)
        return Preconditions.evaluate(request.head.method, request.head.fields, validators, now: clock.unixSeconds())
    }

    func searchMemory(_ walk: inout RequestWalk) -> Answer? {
        guard let state = walk.state else { return nil }
        if let hit = hit(walk, state) { return hit }
        // A worker reports a source that is gone, and reads it if it has to be read.
        guard walk.decision.observesAgain, walk.request.rendition.source.preparation?.isRead ?? true,
            let later = try? observeSource(of: walk.request.rendition, known: state, now: walk.request.request.arrived)
        else { return nil }
        walk.state = later
        walk.decision.sourceObserved()
        return later.identity.key == state.identity.key ? nil : hit(walk, later)
    }

    private func hit(_ walk: RequestWalk, _ state: SourceState) -> Answer? {
        guard !walk.decision.ignoresStored else { return nil }
        guard let stored = cache.inMemory(state) else { return incompleteHit(walk, state) }
        walk.request.rendition.record.rendered(state)
        metrics.memoryHit(stored.kept.response)
        if walk.decision.isStale { metrics.stale.add() }
        return walk.request.answer(.rendition(stored, .cache))
    }

    /// The incomplete rendition, while it is as young as clients are told that they may keep it.
    private func incompleteHit(_ walk: RequestWalk, _ state: SourceState) -> Answer? {
        let rendition = walk.request.rendition
        guard let made = rendition.record.incomplete(of: state.identity.validator),
            !rendition.isPurged(made.identity, since: made.epoch, by: cache.tiers.ledger),
            walk.decision.mayServeIncomplete(age: walk.request.age(of: made)), let stored = cache.inMemory(made)
        else { return nil }
        metrics.memoryHit(stored.kept.response)
        return walk.request.answer(.rendition(stored, .cache))
    }

    func recallFailure(_ walk: inout RequestWalk) -> Answer? {
        guard let state = walk.state else { return nil }
        metrics.misses.add()
        let request = walk.request
        let failed = cache.failure(of: state.identity.key, request.limits, at: request.request.arrived)
        switch walk.decision.missed(
            remembered: failed?.error, hasEarlier: request.rendition.record.lastRendered != nil,
            hasDisk: cache.tiers.hasDisk)
        {
        case .tellFailure: return failed.map { .now(response(to: request, .failure($0), isCollapsed: false)) }
        case .disk: return diskAnswer(request, [state], otherwise: .notStored)
        case .notStored: return request.answer(.failure(.notStored))
        case .render: return nil
        }
    }
}
