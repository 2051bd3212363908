import Bytes
import HTTPMessage
import HTTPServer
import Reactor
import ResponseCache
import Telemetry

// When there is no better answer: an earlier rendition (RFC 5861 §4), what the disk has, or that it took too long.
extension RenditionService {
    /// The answer where the source cannot be observed: the latest of `states` whose rendition is kept, if the source
    /// may be back soon and stale renditions are allowed until then; else the error.
    func staleAnswer(for error: RenditionError, _ request: RenditionRequest, _ states: [SourceState]) -> Answer {
        let usable = states.filter { request.mayServeStale($0, for: error) }
        for state in usable {
            guard let stored = cache.inMemory(state) else { continue }
            return .now(staleResponse(stored, for: error, request))
        }
        guard !usable.isEmpty else { return request.answer(.failure(error)) }
        return diskAnswer(request, usable, otherwise: error)
    }

    func staleResponse(_ stored: StoredRendition, for error: RenditionError, _ request: RenditionRequest) -> Response {
        metrics.standIns.add()
        switch precondition(stored.state.identity, request.request) {
        case .proceed: return request.response(.rendition(stored, .stale(error)))
        case .notModified: return request.response(.notModified(stored.state))
        case .failed: return request.response(.preconditionFailed)
        }
    }

    /// What the disk has of `states`, or else the error; nothing is rendered.
    func diskAnswer(_ request: RenditionRequest, _ states: [SourceState], otherwise error: RenditionError) -> Answer {
        guard cache.tiers.hasLowerTier, !request.decision.bypasses else { return request.answer(.failure(error)) }
        let isAbandoned = SharedFlag()
        let isAdmitted = workers.submit(
            for: request.client, cancelledBy: isAbandoned,
            displaced: { [self] in
                metrics.refusals.add()
                request.respond(.failure(.busy))
            }
        ) { [self] in
            for state in states {
                guard let found = cache.find(request.rendition, state, request.decision.storage) else { continue }
                if case .notStored = error {
                    let outcome = RenderOutcome.success(FinishedRender(stored: found))
                    return request.responder.respond(response(to: request, outcome, isCollapsed: false))
                }
                let stale = counted(found, for: request).map { staleResponse($0, for: error, request) }
                return request.responder.respond(stale ?? refusal(of: request))
            }
            request.respond(.failure(error))
        }
        guard isAdmitted else {
            metrics.refusals.add()
            return request.answer(.failure(.busy))
        }
        return .later(onAbandon: { isAbandoned.set() })
    }

    func earlier(than walk: RenderWalk, onWorker: Bool) -> StoredRendition? {
        guard let last = walk.rendition.record.lastRendered else { return nil }
        if let stored = cache.inMemory(last) { return stored }
        return onWorker ? cache.find(walk.rendition, last, walk.flight.storage) : nil
    }

    /// A render that took all the time that an answer may take is not tried again for this long.
    private static let secondsTimeoutsAreRemembered = 60

    /// The answer to a request whose time is over. If work had most of that time, the next request would begin it
    /// again, and a decoder or an encoder that cannot be stopped may still be at it: so that is remembered, and the
    /// answer says for how long.
    func late(_ request: RenditionRequest, _ state: SourceState, work: WorkStart) -> Response {
        let now = clock.monotonic()
        let (waited, key) = (now - request.request.arrived, state.identity.key)
        if let start = work.instant, now - start >= waited / 2, cache.inMemory(state) == nil {
            cache.remember(
                .timedOut(afterSeconds: Int(clamping: waited.components.seconds)), of: request.rendition, state,
                at: now, forSeconds: Self.secondsTimeoutsAreRemembered)
        }
        guard let known = cache.timeout(of: key, request.limits, at: now), let (_, timeToLive) = known.known else {
            return request.response(.failure(.timedOut()))
        }
        return request.response(.failure(known.error, .late(timeToLiveSeconds: timeToLive)))
    }
}
