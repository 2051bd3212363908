import ClientBudgets
package import HTTPMessage
package import HTTPServer
package import Reactor
import ResponseCache
import Telemetry

// What is looked up before anything is rendered: the state of the source, which decides which rendition it is, and then whether
// the client has that rendition, memory has it, or it failed a moment ago.
extension RenditionService {
    // MARK: The source

    /// A recent observation will do; else the source is observed, and before that, sources of other servers are fetched and changed
    /// files are read.
    func observe(_ walk: inout RequestWalk) -> Answer? {
        let request = walk.request
        let rendition = request.rendition
        let known = rendition.record.latest(knowing: walk.known)
        let current = known.flatMap {
            rendition.isPurged($0.identity, since: $0.epoch, by: cache.tiers.ledger) ? nil : $0
        }
        if let current, case .useKnown(let refreshes) = walk.decision.sourceKnown(age: request.age(of: current)) {
            if refreshes { refresh(request, current) }
            walk.state = current
            return nil
        }
        let earlier = [known, rendition.record.lastRendered].compactMap(\.self)
        let later = prepareSource(
            of: request, from: request.preparedCount,
            refuse: { [self] error in
                error.isOverBudget ? staleAnswer(for: error, request, earlier) : request.answer(.failure(error))
            },
            next: { [self] count in deliver(request.prepared(count), knowing: nil).answer })
        if let later { return later }
        do throws(RenditionError) {
            walk.state = try observeSource(of: rendition, known: known, now: request.request.arrived)
            walk.decision.sourceObserved()
            return nil
        } catch {
            return staleAnswer(for: error, request, earlier)
        }
    }

    /// Observes the source. An unchanged source keeps its identity.
    package func observeSource(
        of rendition: Rendition, known: SourceState?, now: MonotonicInstant
    ) throws(RenditionError) -> SourceState {
        let epoch = cache.tiers.ledger.epoch
        let validator: SourceValidator
        do throws(RenditionError) {
            validator = try rendition.source.currentState()
        } catch {
            // Gone for good is another thing than out of reach.
            if error.isLasting { rendition.record.gone(at: now) }
            throw error
        }
        let identity: RenditionIdentity =
            if let known, known.identity.validator == validator { known.identity } else {
                rendition.identity(with: validator)
            }
        let state = SourceState(identity, at: now, epoch: epoch)
        rendition.record.observed(state)
        return state
    }

    /// Waits for the sources from the one at `index` on, and then answers by `next`, which gets their number; nil where
    /// there is nothing to wait for. `refuse` answers where nothing is fetched: for a client whose budget is empty, and for
    /// what costs too much whatever its sources are.
    func prepareSource(
        of request: RenditionRequest, from index: Int, refuse: @escaping @Sendable (RenditionError) -> Answer,
        next: @escaping @Sendable (Int) -> Answer
    ) -> Answer? {
        guard let preparation = request.rendition.source.preparation else { return nil }
        if let work = request.rendition.leastWork {
            let excesses = request.limits.work.excesses(of: work)
            guard excesses.isEmpty else { return refuse(.tooCostly(work, excesses)) }
        }
        let wait = {
            TraceContext.$current.withValue(request.request.trace) {
                PausedRequest.wait(
                    for: preparation, from: index, request.request, of: request.client, request.responder, next: next,
                    refuse: { error in refuse(request.bill?.refusal.map { .overBudget($0) } ?? error) })
            }
        }
        guard let meter = request.bill?.meter else { return wait() }
        return WorkMeter.$current.withValue(meter) { wait() }
    }

    // MARK: What is known of the rendition

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
        guard let stored = cache.inMemory(state) ?? cache.inOpenFile(state) else { return incompleteHit(walk, state) }
        walk.request.rendition.record.rendered(state)
        metrics.hit(stored.kept)
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
            hasDisk: cache.tiers.hasLowerTier)
        {
        case .tellFailure: return failed.map { .now(response(to: request, .failure($0), isCollapsed: false)) }
        case .disk: return diskAnswer(request, [state], otherwise: .notStored)
        case .notStored: return request.answer(.failure(.notStored))
        case .render: return nil
        }
    }
}
