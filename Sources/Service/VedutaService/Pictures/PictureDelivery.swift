import Bytes
import HTTPMessage
import HTTPServer
import Logging
import OriginCache
import Reactor
import ResponseCache
import ServiceConfiguration

// The steps that every picture goes through, in order: what is known of its source → preconditions → memory → remembered
// failures → single flight → admission → worker: disk, other processes, making, keeping → answer → disk. All up to
// admission run on the loop's thread and touch no pixel. This file is the loop's part; PictureMaking is the worker's.

/// Delivers pictures from the cache or by having them made, once for all who ask at the same time.
final class PictureDelivery: Sendable {
    let cache: TieredCache<Problem>
    let plans = PlanTable()
    let flights = SingleFlight<FlightOutcome>(valueWhenDropped: .failure(FailedPicture(problem: .overloaded)))
    let workers: WorkerPool
    let metrics: ServiceMetrics
    let log: Logger
    let clock: Clock
    /// Whether anything is kept at all.
    let isKeeping: Bool
    let isClosed = SharedFlag()
    let patience: ProcessPatience
    /// What is held of other servers, to be forgotten with the pictures made of it.
    /// What is held of other servers.
    let origins: [OriginCache]

    init(
        configuration: Configuration, cache: TieredCache<Problem>, workers: WorkerPool, metrics: ServiceMetrics,
        log: Logger, clock: Clock, origins: [OriginCache] = []
    ) {
        self.cache = cache
        self.origins = origins
        isKeeping = configuration.cacheStorage != .off
        patience = ProcessPatience(workerCount: Processors.count(configuration.workers))
        self.workers = workers
        self.metrics = metrics
        self.log = log
        self.clock = clock
    }

    /// Gives up all work, when nobody can be answered any more.
    func close() {
        isClosed.set()
    }

    // MARK: What most requests need

    /// The answer to a request that asks for nothing special, if it is in memory and what is known of its source will do;
    /// nil: `deliver` finds it.
    func usualAnswer(to request: Request, _ known: PlanMemo.Entry, _ policy: PolicyLines) -> Answer? {
        let fields = request.head.fields
        guard !fields.mayHaveCacheDirectives, known.isCurrent(at: request.arrived, cache.ledger) else {
            return nil
        }
        let lines = policy.pictures(known.plan.kind)
        guard lines.mayBeUsedUnseen else { return nil }
        let sighting = known.sighting
        guard !sighting.identity.isFallback else { return nil }
        if fields.mayBeConditional {
            switch precondition(sighting.identity, request) {
            case .proceed: break
            case .notModified: return .now(notModified(sighting, known.plan, request, lines: lines))
            case .failed: return nil
            }
        }
        guard let stored = cache.response(for: sighting.identity.key) else { return nil }
        metrics.cacheHit(saving: stored)
        let fields200 = lines.hit(age: sighting.age(at: request.arrived))
        return .now(picture(KeptAnswer(stored), fields200, to: request, plan: known.plan, policy: policy))
    }

    // MARK: All others

    /// Answers `ask`; `seen` is what its loop knows of the source.
    func deliver(_ ask: PictureAsk, seen: Sighting?) -> PictureReply {
        let known = ask.plan.watch.latest(knowing: seen)
        let current = known.flatMap {
            ask.plan.isPurged($0.identity, since: $0.epoch, by: cache.ledger) ? nil : $0
        }
        // Looking at a source is no request to anybody: only-if-cached has its say when there is nothing in the tiers.
        var directives = ask.directives
        directives.onlyIfCached = false
        let freshness = current.map { ask.lines.freshness(age: age(of: $0, ask)) }
        switch Reuse.decide(directives, freshness) {
        case .serve(let isStale, let refresh):
            guard let current else { break }
            if refresh != .none { self.refresh(ask, current) }
            return proceed(ask, current, isStale: isStale, isSeenNow: false)
        case .validate, .forward, .unavailable: break
        }
        if let later = waitForOriginals(ask) { return PictureReply(later, nil) }
        do throws(Problem) {
            let sighting = try look(at: ask.plan, known: known, now: ask.request.arrived)
            return proceed(ask, sighting, isStale: false, isSeenNow: true)
        } catch {
            return PictureReply(standIn(for: error, ask, [known, ask.plan.watch.made].compactMap { $0 }), nil)
        }
    }

    /// Looks at the source. The identity of an earlier sighting is used again if the source has not changed.
    func look(at plan: PicturePlan, known: Sighting?, now: MonotonicInstant) throws(Problem) -> Sighting {
        let epoch = cache.ledger.epoch
        let validator: SourceValidator
        do throws(Problem) {
            validator = try plan.currentValidator()
        } catch {
            // Gone for good is another thing than out of reach.
            if error.status.code < 500 { plan.watch.lost(at: now) }
            throw error
        }
        let identity: PictureIdentity =
            if let known, known.identity.validator == validator { known.identity } else {
                plan.identity(with: validator)
            }
        let sighting = Sighting(identity: identity, at: now, epoch: epoch)
        plan.watch.saw(sighting)
        return sighting
    }

    /// Whole seconds since the source was seen.
    func age(of sighting: Sighting, _ ask: PictureAsk) -> Int { sighting.age(at: ask.request.arrived) }

    private func proceed(
        _ ask: PictureAsk, _ sighting: Sighting, isStale: Bool, isSeenNow: Bool
    ) -> PictureReply {
        switch precondition(sighting.identity, ask.request) {
        case .proceed: break
        case .notModified:
            if isStale { metrics.staleServed() }
            return PictureReply(.now(notModified(sighting, ask.plan, ask.request, lines: ask.lines)), sighting)
        case .failed: return PictureReply(.now(problem(.preconditionFailed, ask)), sighting)
        }
        if ask.directives.noCache {
            metrics.cacheMiss()
            return PictureReply(
                ask.directives.onlyIfCached ? .now(problem(.notStored, ask)) : wait(for: ask, sighting), sighting)
        }
        if let hit = hit(ask, sighting, isStale: isStale) { return PictureReply(hit, sighting) }
        // Making a picture costs more than a look: what was changed within the source's lifetime may be here already. A
        // source that is gone is the worker's to report, and what has to be read is the worker's to read.
        if !isSeenNow, ask.plan.preparation?.isRead ?? true,
            let later = try? look(at: ask.plan, known: sighting, now: ask.request.arrived)
        {
            let hit = later.identity.key == sighting.identity.key ? nil : self.hit(ask, later, isStale: false)
            return PictureReply(hit ?? miss(ask, later), later)
        }
        return PictureReply(miss(ask, sighting), sighting)
    }

    private func hit(_ ask: PictureAsk, _ sighting: Sighting, isStale: Bool) -> Answer? {
        guard !ask.bypasses else { return nil }
        guard let stored = cache.response(for: sighting.identity.key) else { return briefHit(ask, sighting) }
        ask.plan.watch.made(sighting)
        metrics.cacheHit(saving: stored)
        if isStale { metrics.staleServed() }
        let fields = ask.lines(for: sighting.identity).hit(
            age: age(of: sighting, ask), key: ask.shownKey(of: sighting.identity))
        return .now(picture(KeptAnswer(stored), ask.own(fields), to: ask.request, plan: ask.plan, policy: ask.policy))
    }

    /// The picture that lacks something, while it is as young as clients are told that they may keep it.
    private func briefHit(_ ask: PictureAsk, _ sighting: Sighting) -> Answer? {
        guard let made = ask.plan.watch.incomplete(of: sighting.identity.validator),
            !ask.plan.isPurged(made.identity, since: made.epoch, by: cache.ledger)
        else { return nil }
        let age = age(of: made, ask)
        let freshness = Freshness(age: age, lifetime: PolicyLines.briefSeconds)
        guard case .serve(isStale: false, _) = Reuse.decide(ask.directives, freshness),
            let stored = cache.response(for: made.identity.key)
        else { return nil }
        metrics.cacheHit(saving: stored)
        let fields = ask.lines(for: made.identity).hit(age: age, key: ask.shownKey(of: made.identity))
        return .now(picture(KeptAnswer(stored), ask.own(fields), to: ask.request, plan: ask.plan, policy: ask.policy))
    }

    private func miss(_ ask: PictureAsk, _ sighting: Sighting) -> Answer {
        metrics.cacheMiss()
        // Where an earlier picture may stand in for one that cannot be made, a worker may have to fetch it from disk.
        // One that was not made in time once may be there itself.
        if !ask.bypasses,
            let failed = knownFailure(sighting.identity.key, ask.policy.limits, at: ask.request.arrived),
            failed.problem.status.code < 500 || ask.plan.watch.made == nil,
            failed.problem.triedSeconds == nil || !cache.hasDisk
        {
            return .now(answer(.failure(failed), to: ask, isCollapsed: false))
        }
        if ask.directives.onlyIfCached { return storedOnly(ask, [sighting], otherwise: .notStored) }
        return wait(for: ask, sighting)
    }

    func precondition(_ identity: PictureIdentity, _ request: Request) -> Preconditions.Outcome {
        // Without it the answer would be 404, and then preconditions are not looked at (RFC 9110 §13.2.1).
        guard request.head.fields.mayBeConditional, !identity.isFallback else { return .proceed }
        let validators = Validators(entityTag: identity.entityTag, lastModified: identity.validator.lastModified)
        return Preconditions.evaluate(request.head.method, request.head.fields, validators, now: clock.unixSeconds())
    }

    // MARK: When there is no better answer

    /// The answer where the source cannot be looked at: the latest of `sightings` whose picture is kept, if the source may
    /// be back soon and stale pictures are allowed until then (RFC 5861 §4); else the problem.
    private func standIn(for problem: Problem, _ ask: PictureAsk, _ sightings: [Sighting]) -> Answer {
        guard problem.status.code >= 500 else { return .now(self.problem(problem, ask)) }
        let usable = sightings.filter { mayStandIn($0, ask) }
        guard !usable.isEmpty else { return .now(self.problem(problem, ask)) }
        for sighting in usable {
            guard let stored = cache.response(for: sighting.identity.key) else { continue }
            return .now(answer(with: StandIn(kept: KeptAnswer(stored), sighting: sighting), for: problem, ask))
        }
        return storedOnly(ask, usable, otherwise: problem)
    }

    func mayStandIn(_ sighting: Sighting, _ ask: PictureAsk) -> Bool {
        Reuse.mayServeOnError(ask.directives, ask.lines.freshness(age: age(of: sighting, ask)))
    }

    /// What is on disk of `sightings`, or else the problem; nothing is made.
    private func storedOnly(_ ask: PictureAsk, _ sightings: [Sighting], otherwise problem: Problem) -> Answer {
        guard cache.hasDisk, !ask.bypasses else { return .now(self.problem(problem, ask)) }
        let isAbandoned = SharedFlag()
        let isAdmitted = workers.submit(cancelledBy: isAbandoned) { [self] in
            for sighting in sightings {
                guard let kept = find(ask.plan, sighting, ask.storage) else { continue }
                let isStandIn = problem != .notStored
                let delivered = DeliveredPicture(kept: kept, origin: .cache, sighting: sighting)
                return ask.responder.respond(
                    isStandIn
                        ? answer(with: StandIn(kept: kept, sighting: sighting), for: problem, ask)
                        : answer(.success(delivered), to: ask, isCollapsed: false))
            }
            ask.responder.respond(self.problem(problem, ask))
        }
        guard isAdmitted else {
            metrics.refused()
            return .now(self.problem(.overloaded, ask))
        }
        return .later(onAbandon: { isAbandoned.set() })
    }

    // MARK: Single flight and admission

    private func wait(for ask: PictureAsk, _ sighting: Sighting) -> Answer {
        let isLeader = SharedFlag()
        let (plan, key, isForced) = (ask.plan, sighting.identity.key, ask.directives.noCache)
        // Where a stand-in may be had, the worker asks.
        if isForced || ask.bypasses, let failed = knownTimeout(key, ask.policy.limits, at: ask.request.arrived) {
            return .now(answer(.failure(failed), to: ask, isCollapsed: false))
        }
        let entrance = flights.enter(
            key, isForced: isForced, storage: ask.storage, epoch: sighting.epoch,
            isPurged: { plan.isPurged(sighting.identity, since: $0, by: cache.ledger) },
            receive: { [self] outcome in
                if case .failure(let failed) = outcome, failed.problem == .originalLost, let again = ask.secondTry {
                    // What was held is gone since the request looked: it is fetched anew, and the client waits on.
                    return anew(again)
                }
                ask.responder.respond(answer(outcome, to: ask, isCollapsed: !isLeader.isSet))
            })
        if case .leader(let flight, _) = entrance {
            isLeader.set()
            admit(
                Making(plan, sighting, flight, isForced: isForced, limits: ask.policy.limits), bypasses: ask.bypasses,
                since: ask.request.arrived)
        } else {
            metrics.collapsed()
        }
        let waiter = entrance.waiter
        return .later(
            onAbandon: { [self] in if waiter.leave() { metrics.abandoned() } },
            whenLate: { [self] in late(plan, sighting, work: waiter.work, request: ask.request, policy: ask.policy) })
    }
}
