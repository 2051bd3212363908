import Bytes
import HTTPMessage
package import HTTPServer
package import Reactor
import ResponseCache
import Telemetry

/// Delivers renditions from the cache, or by having them made, once for all who ask at the same time.
package final class RenditionService: Sendable {
    package let cache: RenditionCache
    /// What loops were asked for lately.
    package let table = RenditionTable()
    package let workers: WorkerPool
    package let clock: Clock
    let metrics: RenditionMetrics
    /// Whether anything is kept at all.
    let isKeeping: Bool
    let flights = SingleFlight<RenderOutcome>(valueWhenDropped: .failure(FailedRender(error: .busy)))
    let isClosed = SharedFlag()
    let processWaits: ProcessWaitLimit

    package init(
        _ cache: RenditionCache, workers: WorkerPool, workerCount: Int, metrics: RenditionMetrics, clock: Clock,
        isKeeping: Bool
    ) {
        self.cache = cache
        self.workers = workers
        self.metrics = metrics
        self.clock = clock
        self.isKeeping = isKeeping
        processWaits = ProcessWaitLimit(workerCount: workerCount)
    }

    /// Gives up all work, when nobody can be answered any more.
    package func close() { isClosed.set() }

    // MARK: The steps

    /// What a request goes through, on its loop's thread; the first step that has an answer is the last. None touches a pixel
    /// or waits for a disk.
    static let requestSteps: [@Sendable (RenditionService) -> (inout RequestWalk) -> Answer?] = [
        observe,  // Steps/Observe.swift: what is its source like, and so, which rendition is it?
        evaluatePreconditions,  // Steps/Reuse.swift: 304 and 412
        searchMemory,  // Steps/Reuse.swift: a hit ends here
        recallFailure,  // Steps/Reuse.swift: what failed a moment ago is not tried again
        share,  // below: whoever is first leads a render, the others wait for it
    ]

    /// What a render goes through, on a worker's thread.
    static let renderSteps: [@Sendable (RenditionService) -> (inout RenderWalk) -> RenderProgress] = [
        search,  // Steps/Find.swift: memory once more, remembered failures, the disk
        awaitOtherProcess,  // Steps/Find.swift: another process on the same folder may be making it
        render,  // Steps/Render.swift: decode, draw, encode; into memory
        finish,  // Steps/Render.swift: everybody who waits gets it
        store,  // Steps/Render.swift: onto the disk, when nobody waits any more
    ]

    /// Answers `request`; `known` is what its loop knows of the source.
    package func deliver(_ request: RenditionRequest, knowing known: SourceState?) -> RenditionReply {
        var walk = RequestWalk(request, knowing: known)
        for step in Self.requestSteps {
            if let answer = step(self)(&walk) { return RenditionReply(answer: answer, state: walk.state) }
        }
        return RenditionReply(answer: request.answer(.failure(.busy)), state: walk.state)
    }

    func run(_ walk: RenderWalk) {
        var walk = walk.began(at: clock.monotonic())
        for step in Self.renderSteps where step(self)(&walk) == .ended { return }
    }

    // MARK: From one list to the other

    /// Joins the render of the same rendition, or begins it.
    private func share(_ walk: inout RequestWalk) -> Answer? {
        guard let state = walk.state else { return nil }
        let (request, decision, key) = (walk.request, walk.decision, state.identity.key)
        let (rendition, limits) = (request.rendition, request.limits)
        // What is stored, or may be served stale, is looked for by the worker, which asks the same then.
        if decision.ignoresStored, let failed = cache.timeout(of: key, limits, at: request.request.arrived) {
            return .now(response(to: request, .failure(failed), isCollapsed: false))
        }
        let isLeader = SharedFlag()
        let entrance = flights.enter(
            key, isForced: decision.isForced, storage: decision.storage, epoch: state.epoch,
            isPurged: { rendition.isPurged(state.identity, since: $0, by: cache.tiers.ledger) },
            receive: { [self] outcome in
                if case .failure(let failed) = outcome, failed.error.isEviction, let again = request.secondTry {
                    return retry(again)
                }
                request.responder.respond(response(to: request, outcome, isCollapsed: !isLeader.isSet))
            })
        if case .leader(let flight, _) = entrance {
            isLeader.set()
            let render = RenderWalk(
                rendition, state, flight, limits: limits, isForced: decision.isForced, bypasses: decision.bypasses)
            submit(render, since: request.request.arrived)
        } else {
            metrics.collapsed.add()
        }
        let waiter = entrance.waiter
        return .later(
            onAbandon: { [self] in if waiter.leave() { metrics.abandonedWaits.add() } },
            whenLate: { [self] in late(request, state, work: waiter.work) })
    }

    /// Answers `request` from the beginning, on whatever thread.
    private func retry(_ request: RenditionRequest) {
        if case .now(let response) = deliver(request, knowing: nil).answer { request.responder.respond(response) }
    }

    /// Requests have deadlines, work has none: it ends when nobody waits any more, and the server ends each wait.
    private func submit(_ walk: RenderWalk, since arrived: MonotonicInstant) {
        let isAdmitted = workers.submit(cancelledBy: walk.flight.abandonment) { [self] in
            run(walk.queued(clock.monotonic() - arrived))
        }
        guard !isAdmitted else { return }
        metrics.refusals.add()
        walk.flight.finish(.failure(FailedRender(error: .busy, stale: earlier(than: walk, onWorker: false))))
    }

    /// Has a render start again when what it claims is free.
    func postpone(_ walk: RenderWalk, _ claim: JobClaim) {
        metrics.postponements.add()
        walk.flight.work.clear()
        let isAdmitted = workers.submit(to: .long, claiming: claim, cancelledBy: walk.flight.abandonment) { [self] in
            run(walk.queued(walk.queued + (clock.monotonic() - walk.began), claim))
        }
        guard !isAdmitted else { return }
        metrics.refusals.add()
        walk.flight.finish(.failure(FailedRender(error: .busy, stale: earlier(than: walk, onWorker: true))))
    }

    // MARK: Outcomes

    /// The answer to one of those who waited for a render.
    func response(to request: RenditionRequest, _ outcome: RenderOutcome, isCollapsed: Bool) -> Response {
        switch outcome {
        case .success(let finished):
            guard let (reason, isKept) = finished.made else {
                metrics.lateHit(finished.stored.kept.response)
                return request.response(.rendition(finished.stored, .cache))
            }
            return request.response(
                .rendition(
                    finished.stored,
                    .rendered(
                        request.decision.forwardReason(reason), isStored: isKept && !isCollapsed,
                        isCollapsed: isCollapsed, timings: finished.timings)))
        case .failure(let failed):
            if let stale = failed.stale, request.mayServeStale(stale.state, for: failed.error) {
                return staleResponse(stale, for: failed.error, request)
            }
            if let (age, timeToLive) = failed.known {
                metrics.negativeHits.add()
                return request.response(
                    .failure(failed.error, .remembered(ageSeconds: age, timeToLiveSeconds: timeToLive)))
            }
            guard let reason = failed.reason else { return request.response(.failure(failed.error)) }
            return request.response(
                .failure(
                    failed.error,
                    .render(
                        request.decision.forwardReason(reason), isRemembered: failed.isRemembered && !isCollapsed,
                        isCollapsed: isCollapsed)))
        }
    }
}

/// What came of a request on its loop's thread.
package struct RenditionReply {
    package let answer: Answer
    /// What is known of the source now; nil when nothing is.
    package let state: SourceState?
}

/// One request on its way through the steps.
struct RequestWalk {
    let request: RenditionRequest
    /// What its loop knows of the source.
    let known: SourceState?
    var decision: RenditionDecision
    /// The source as it counts for this request, from the first step on.
    var state: SourceState?

    init(_ request: RenditionRequest, knowing known: SourceState?) {
        self.request = request
        self.known = known
        decision = request.decision
    }
}

/// Whether a render goes on to its next step.
enum RenderProgress {
    case goesOn, ended
}

/// One render on its way through the steps.
struct RenderWalk: Sendable {
    let rendition: Rendition
    /// The source as it was when the request came.
    let state: SourceState
    let flight: SingleFlight<RenderOutcome>.Flight
    let limits: RenditionLimits
    /// Whether it is rendered whatever is stored, and whether the policy keeps it out of the cache.
    let isForced, bypasses: Bool
    /// How long it waited for a worker.
    private(set) var queued = Duration.zero
    /// When a worker took it up.
    private(set) var began = MonotonicInstant(nanoseconds: 0)
    /// What it holds beside its thread.
    private(set) var claim = JobClaim.none
    /// Tells other processes on the same folder that it is under way.
    var lock: MakingLock?
    var outcome: RenderOutcome?

    init(
        _ rendition: Rendition, _ state: SourceState, _ flight: SingleFlight<RenderOutcome>.Flight,
        limits: RenditionLimits, isForced: Bool, bypasses: Bool
    ) {
        self.rendition = rendition
        self.state = state
        self.flight = flight
        self.limits = limits
        self.isForced = isForced
        self.bypasses = bypasses
    }

    var ignoresStored: Bool { isForced || bypasses }

    /// The same after it waited, with what the queue let it run with.
    func queued(_ duration: Duration, _ claim: JobClaim = .none) -> RenderWalk {
        var walk = self
        walk.queued = duration
        walk.claim = claim
        return walk
    }

    func began(at now: MonotonicInstant) -> RenderWalk {
        var walk = self
        walk.began = now
        return walk
    }
}
