import Bytes
import ClientBudgets
import HTTPMessage
package import HTTPServer
package import Reactor
import ResponseCache
import SharedCache
import Synchronization
import Telemetry

/// Delivers renditions from the cache, or has them rendered, once for all who ask at the same time.
package final class RenditionService: Sendable {
    package let cache: RenditionCache
    package let table = RenditionTable()
    package let workers: WorkerPool
    /// nil: nothing is made ahead.
    let idle: IdleWorker?
    package let clock: Clock
    let metrics: RenditionMetrics
    package let isKeeping: Bool
    let flights = SingleFlight<RenderOutcome>(valueWhenDropped: .failure(FailedRender(error: .busy)))
    let isClosed = SharedFlag()
    let prepared = Mutex(PreparedLists())
    let processWaits: ProcessWaitLimit
    let unsent: UnsentResults

    package init(
        _ cache: RenditionCache, workers: WorkerPool, workerCount: Int, idle: IdleWorker? = nil,
        metrics: RenditionMetrics, clock: Clock, isKeeping: Bool
    ) {
        self.cache = cache
        unsent = UnsentResults(cache.tiers.results)
        (self.workers, self.idle) = (workers, idle)
        self.metrics = metrics
        self.clock = clock
        self.isKeeping = isKeeping
        processWaits = ProcessWaitLimit(workerCount: workerCount)
    }

    /// Gives up all work: nobody can be answered any more.
    package func close() { isClosed.set() }

    // MARK: The steps

    /// What a request goes through, on its loop's thread, until a step has an answer. None waits for a disk or draws.
    static let requestSteps: [@Sendable (RenditionService) -> (inout RequestWalk) -> Answer?] = [
        observe,  // Steps/Lookup.swift: what is its source like, and so, which rendition is it?
        evaluatePreconditions,  // Steps/Lookup.swift: 304 and 412
        searchMemory,  // Steps/Lookup.swift: a hit ends here, in memory or in a file that is open and verified
        recallFailure,  // Steps/Lookup.swift: what failed a moment ago is not tried again
        share,  // below: the first request leads a render, the others wait for it
    ]

    /// What a render goes through, on a worker's thread.
    static let renderSteps: [@Sendable (RenditionService) -> (inout RenderWalk) -> RenderProgress] = [
        search,  // Steps/Render.swift: memory once more, remembered failures, the disk
        awaitOtherProcess,  // Steps/Render.swift: another process on the same folder may be making it
        awaitOtherServer,  // Steps/RenderElsewhere.swift: or another server with the same shared cache
        render,  // Steps/Render.swift: decode, draw, encode; into memory
        finish,  // Steps/Render.swift: everybody who waits gets it
        store,  // Steps/Render.swift: onto the disk, when nobody waits any more
    ]

    /// `known`: the source as the loop of the request knows it.
    package func deliver(_ request: RenditionRequest, knowing known: SourceState?) -> RenditionReply {
        var walk = RequestWalk(request: request, known: known, decision: request.decision)
        for step in Self.requestSteps {
            if let answer = step(self)(&walk) { return RenditionReply(answer: answer, state: walk.state) }
        }
        return RenditionReply(answer: request.answer(.failure(.busy)), state: walk.state)
    }

    func run(_ walk: RenderWalk) { TraceContext.$current.withValue(walk.trace) { runForClient(walk) } }

    private func runForClient(_ walk: RenderWalk) {
        guard let bill = walk.bill else { return _ = runSteps(walk) }
        let end = bill.measure { runSteps(walk) }
        if !end.isPostponed { bill.close() }
    }

    private func runSteps(_ walk: RenderWalk) -> RenderWalk {
        var walk = walk.began(at: clock.monotonic())
        for step in Self.renderSteps where step(self)(&walk) == .ended { return walk }
        return walk
    }

    // MARK: From one list to the other

    private func share(_ walk: inout RequestWalk) -> Answer? {
        guard let state = walk.state else { return nil }
        let (request, decision, key) = (walk.request, walk.decision, state.identity.key)
        let (rendition, limits) = (request.rendition, request.limits)
        if let refused = openBill(request) { return refused }
        if !unsent.hasRoom(for: request.payer) {
            metrics.refusals.add()
            return staleAnswer(for: .busy, request, [rendition.record.lastRendered].compactMap(\.self))
        }
        // The worker looks for what is stored or may be served stale, and asks the same then.
        if decision.ignoresStored, let failed = cache.timeout(of: key, limits, at: request.request.arrived) {
            return .now(response(to: request, .failure(failed), isCollapsed: false))
        }
        let (isLeader, pause) = (SharedFlag(), PausedRequest())
        let entrance = flights.enter(
            key, isForced: decision.isForced, storage: decision.storage, epoch: state.epoch,
            isPurged: { rendition.isPurged(state.identity, since: $0, by: cache.tiers.ledger) },
            receive: { [self] outcome in
                let again = nextTry(of: request, after: outcome, wasLeader: isLeader.isSet)
                // Another try may wait again, and its client may leave then, too.
                pause.resume(request.responder) {
                    again.map { deliver($0, knowing: nil).answer }
                        ?? .now(response(to: request, outcome, isCollapsed: !isLeader.isSet))
                }
            })
        if case .leader(let flight, _) = entrance {
            isLeader.set()
            let render = RenderWalk(
                rendition: rendition, state: state, flight: flight, limits: limits, isForced: decision.isForced,
                bypasses: decision.bypasses, client: request.client, payer: request.payer, bill: request.bill,
                trace: request.request.trace)
            submit(render, since: request.request.arrived)
        } else {
            metrics.collapsed.add()
            // It may wait in the line of a client with many jobs, which is not this one's fault.
            workers.hasten(entrance.waiter.abandonment, for: request.client)
        }
        let waiter = entrance.waiter
        pause.began(
            PendingAnswer(
                onAbandon: { [self] in if waiter.leave() { metrics.abandonedWaits.add() } },
                whenLate: { [self] in late(request, state, work: waiter.work) }))
        return pause.answer
    }

    /// The request that is delivered in place of one that waited for `outcome`; nil: that is its answer.
    private func nextTry(
        of request: RenditionRequest, after outcome: RenderOutcome, wasLeader: Bool
    ) -> RenditionRequest? {
        guard case .failure(let failed) = outcome else { return nil }
        if failed.error.isEviction { return request.secondTry }
        // Only who was to pay for it, or had too many jobs in line, is refused.
        return (failed.error.isOverBudget || failed.error.isBusy) && !wasLeader ? request : nil
    }

    /// The answer to a client that has used up its budget: an earlier rendition, or that it has to wait.
    private func openBill(_ request: RenditionRequest) -> Answer? {
        do throws(BudgetRefusal) {
            try request.bill?.open()
            return nil
        } catch {
            let earlier = [request.rendition.record.lastRendered].compactMap(\.self)
            return staleAnswer(for: .overBudget(error), request, earlier)
        }
    }

    /// Requests have deadlines, work has none: it ends when nobody waits any more, and the server ends each wait.
    private func submit(_ walk: RenderWalk, since arrived: MonotonicInstant) {
        let submitted = clock.monotonic()
        let share = metrics.backlog.enter(walk.rendition.route, price: nil)
        let isAdmitted = workers.submit(
            for: walk.client, cancelledBy: walk.flight.abandonment, displaced: { [self] in refuse(walk) }
        ) { [self] in
            let now = clock.monotonic()
            share.end()
            metrics.waited(now - submitted, walk.rendition.route)
            run(walk.queued(now - arrived))
        }
        if !isAdmitted { refuse(walk) }
    }

    func refuse(_ walk: RenderWalk) {
        metrics.refusals.add()
        walk.flight.finish(.failure(FailedRender(error: .busy, stale: earlier(than: walk, onWorker: false))))
    }

    /// `price`: its predicted processor time in microseconds.
    func postpone(_ walk: RenderWalk, _ claim: JobClaim, price: Int?) {
        metrics.postponements.add()
        walk.flight.work.clear()
        let submitted = clock.monotonic()
        let share = metrics.backlog.enter(walk.rendition.route, price: price)
        let isAdmitted = workers.submit(
            to: .long, claiming: claim, for: walk.client, cancelledBy: walk.flight.abandonment,
            displaced: { [self] in refuse(walk) }
        ) { [self] in
            let now = clock.monotonic()
            share.end()
            metrics.waited(now - submitted, walk.rendition.route)
            run(walk.queued(walk.queued + (now - walk.began), claim))
        }
        guard !isAdmitted else { return }
        metrics.refusals.add()
        walk.flight.finish(.failure(FailedRender(error: .busy, stale: earlier(than: walk, onWorker: true))))
    }
}

package struct RenditionReply {
    package let answer: Answer
    /// The source as it is known now.
    package let state: SourceState?
}

struct RequestWalk {
    let request: RenditionRequest
    /// The source as the loop knew it.
    let known: SourceState?
    var decision: RenditionDecision
    /// The source for this request, from the first step on.
    var state: SourceState?

}

enum RenderProgress { case goesOn, ended }

struct RenderWalk: Sendable {
    let rendition: Rendition
    /// As it was when the request came.
    let state: SourceState
    let flight: SingleFlight<RenderOutcome>.Flight
    let limits: RenditionLimits
    /// Rendered whatever is stored; kept out of the cache by the policy.
    let isForced, bypasses: Bool
    /// Whose turn it takes; nil: the server's own.
    var client: ClientNetwork?
    /// Whom the result counts for until it is sent.
    var payer: BudgetClient?
    /// What it is charged to.
    var bill: WorkBill?
    /// Of the request that it began with.
    var trace: TraceContext?
    /// Whether it starts again later.
    var isPostponed = false
    /// Waiting for a worker.
    private(set) var queued = Duration.zero
    private(set) var began = MonotonicInstant(nanoseconds: 0)
    /// Held besides its thread.
    private(set) var claim = JobClaim.none
    /// Tells other processes on the same folder.
    var lock: MakingLock?
    /// Tells other servers; kept while it is postponed.
    var sharedLock: SharedLock?
    /// Until when it waits for other servers, once it does.
    var waitsUntil: MonotonicInstant?
    var outcome: RenderOutcome?

    var ignoresStored: Bool { isForced || bypasses }

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
