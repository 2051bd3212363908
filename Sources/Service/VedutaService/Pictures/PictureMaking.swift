import Bytes
import HTTPMessage
import HTTPServer
import Reactor
import ResponseCache

/// A picture that a flight makes, and by which state of its source it was asked for.
struct Making: Sendable {
    let plan: PicturePlan
    let sighting: Sighting
    let flight: SingleFlight<FlightOutcome>.Flight
    /// Whether it is made whatever is kept.
    let isForced: Bool
    /// What it may take.
    let limits: PictureLimits

    init(
        _ plan: PicturePlan, _ sighting: Sighting, _ flight: SingleFlight<FlightOutcome>.Flight, isForced: Bool,
        limits: PictureLimits
    ) {
        self.limits = limits
        self.plan = plan
        self.sighting = sighting
        self.flight = flight
        self.isForced = isForced
    }

    var key: CacheKey { sighting.identity.key }
}

// The worker's part of the way of a picture.
extension PictureDelivery {
    /// Has it made by a worker, or refuses.
    func admit(_ making: Making, bypasses: Bool, since arrived: MonotonicInstant) {
        // Requests have deadlines, work has none: it ends when nobody waits any more, and the server ends each wait.
        let flight = making.flight
        let isAdmitted = workers.submit(cancelledBy: flight.abandonment) { [self] in
            make(making, bypasses: bypasses, queued: clock.monotonic() - arrived)
        }
        if !isAdmitted {
            metrics.refused()
            flight.finish(.failure(FailedPicture(problem: .overloaded, standIn: standIn(for: making, onWorker: false))))
        }
    }

    /// Has a job start again when what it claims is free.
    private func postpone(
        _ making: Making, _ claim: JobClaim, bypasses: Bool, queued: Duration, since began: MonotonicInstant
    ) {
        metrics.postponed()
        making.flight.work.clear()
        let isAdmitted = workers.submit(to: .long, claiming: claim, cancelledBy: making.flight.abandonment) { [self] in
            make(making, bypasses: bypasses, queued: queued + (clock.monotonic() - began), claim: claim)
        }
        guard !isAdmitted else { return }
        metrics.refused()
        making.flight.finish(
            .failure(FailedPicture(problem: .overloaded, standIn: standIn(for: making, onWorker: true))))
    }

    /// Finds or makes it, gives it to all who wait, and then sees to the disk.
    func make(_ making: Making, bypasses: Bool, queued: Duration, claim: JobClaim = .none) {
        let began = clock.monotonic()
        let (flight, isClosed) = (making.flight, isClosed)
        let abandonment = flight.abandonment
        let shouldStop: @Sendable () -> Bool = { abandonment.isSet || isClosed.isSet }
        if !making.isForced, !bypasses, let outcome = kept(making) {
            flight.finish(outcome)
            return
        }
        var lock: MakingLock?
        if !making.isForced, !bypasses, cache.hasDisk, flight.storage == .all {
            switch turn(making, shouldStop) {
            case .found(let outcome):
                flight.finish(outcome)
                return
            case .mine(let granted): lock = granted
            }
        }
        let reason = making.isForced ? .request : bypasses || !isKeeping ? .bypass : reason(making)
        let ticket = LaneTicket(workers, claim, making.limits.cost)
        let job = RenderJob(shouldStop: shouldStop, admit: ticket.admit)
        if claim == .none, !shouldStop() { metrics.renderBegan(making.plan.route) }
        flight.work.set(clock.monotonic())
        let outcome = render(making, reason, queued: queued, job)
        ticket.end()
        if let wanted = ticket.postponed {
            lock = nil
            postpone(making, wanted, bypasses: bypasses, queued: queued, since: began)
            return
        }
        if abandonment.isSet { metrics.cancelled() }
        flight.finish(outcome)
        // Nobody waits for this but other processes, which are told by the lock.
        if case .success(let made) = outcome, flight.storage == .all, !made.sighting.identity.validator.isIncomplete {
            let key = made.sighting.identity.key
            // What came too late for memory to tell is here now: it is tried again.
            if cache.write(made.kept.response, for: key, since: made.sighting.epoch) { cache.failures.remove(key) }
        }
        withExtendedLifetime(lock) {}
    }

    // MARK: What is kept

    /// What one of the tiers has, or the failure that is remembered; nil: it has to be made.
    private func kept(_ making: Making) -> FlightOutcome? {
        // The flight before this one may have finished between the look-up and the entrance.
        if let stored = cache.response(for: making.key) {
            return .success(DeliveredPicture(kept: KeptAnswer(stored), origin: .cache, sighting: making.sighting))
        }
        let now = clock.monotonic()
        if var failed = knownFailure(making.key, making.limits, at: now) {
            // Work that did not end in time is remembered of the disk's pictures too, as no loop asks the disk.
            if failed.problem.triedSeconds != nil, let outcome = found(making) { return outcome }
            if failed.problem.status.code >= 500 { failed.standIn = standIn(for: making, onWorker: true) }
            return .failure(failed)
        }
        return found(making)
    }

    private func found(_ making: Making) -> FlightOutcome? {
        guard let kept = find(making.plan, making.sighting, making.flight.storage) else { return nil }
        making.plan.watch.made(making.sighting)
        return .success(DeliveredPicture(kept: kept, origin: .cache, sighting: making.sighting))
    }

    /// What is on disk of the picture as its source was seen.
    func find(_ plan: PicturePlan, _ sighting: Sighting, _ storage: StoragePolicy) -> KeptAnswer? {
        cache.find(
            sighting.identity.key, tag: plan.tag, furtherTags: plan.furtherTags(of: sighting.identity),
            entityTag: sighting.identity.entityTag?.text ?? "", status: sighting.identity.status.code,
            mediaTypes: plan.mediaTypes, since: sighting.epoch, keepsInMemory: storage >= .memory)
    }

    private enum Turn {
        case found(FlightOutcome)
        case mine(MakingLock?)
    }

    /// Waits while another process makes the picture, unless too many workers do so already.
    private func turn(_ making: Making, _ shouldStop: () -> Bool) -> Turn {
        var lock = cache.lock(making.key)
        if lock == nil, patience.begin() {
            defer { patience.end() }
            var polls = 0
            while lock == nil, polls < ProcessPatience.pollLimit, !shouldStop() {
                Processors.pause(ProcessPatience.pollInterval)
                lock = cache.lock(making.key)
                polls += 1
            }
        }
        // Whoever had the lock may have finished between the look-up and this.
        if contains(making.plan, making.sighting.identity), let outcome = found(making) { return .found(outcome) }
        return .mine(lock)
    }

    // MARK: Making

    /// Why the cache was of no use.
    private func reason(_ making: Making) -> CacheStatus.Forward {
        let (plan, identity) = (making.plan, making.sighting.identity)
        if let made = plan.watch.made, made.identity.key != identity.key, contains(plan, made.identity) {
            return .stale
        }
        if let lacking = plan.watch.incomplete(of: identity.validator), cache.response(for: lacking.identity.key) != nil
        {
            return .stale
        }
        guard !plan.vary.isEmpty else { return .uriMiss }
        let isInAnotherVariant = plans.variants(of: plan).contains { other in
            cache.contains(
                CacheKey(other.digest(with: identity.validator)), tag: plan.tag,
                furtherTags: plan.furtherTags(of: identity))
        }
        return isInAnotherVariant ? .varyMiss : .uriMiss
    }

    private func render(
        _ making: Making, _ reason: CacheStatus.Forward, queued: Duration, _ job: RenderJob
    ) -> FlightOutcome {
        let plan = making.plan
        do throws(Problem) {
            guard !job.shouldStop() else { throw .timedOut }
            let began = clock.monotonic()
            let picture = try plan.render(job)
            // The source may have changed since the request looked at it: what was made is named by what was read.
            let isAsSeen = picture.validator == making.sighting.identity.validator
            let sighting =
                isAsSeen
                ? making.sighting
                : Sighting(
                    identity: plan.identity(with: picture.validator), at: making.sighting.at,
                    epoch: making.sighting.epoch)
            let stored = storedResponse(plan, sighting.identity, picture)
            let isKept =
                making.flight.storage >= .memory && (!picture.validator.isIncomplete || picture.isKeptBriefly)
                && cache.keep(stored, for: sighting.identity.key, since: sighting.epoch)
            // What came too late and is not kept would take as long again.
            if isKept || !job.shouldStop() { cache.failures.remove(sighting.identity.key) }
            if !picture.validator.isIncomplete {
                plan.watch.made(sighting)
            } else if isKept {
                plan.watch.madeIncomplete(
                    Sighting(identity: sighting.identity, at: began, epoch: sighting.epoch))
            }
            var delivered = DeliveredPicture(
                kept: KeptAnswer(stored), origin: .made(reason, isKept: isKept), sighting: sighting)
            delivered.timings = [("queue", queued)] + picture.timings
            return .success(delivered)
        } catch {
            return .failure(failed(error, making, reason))
        }
    }

    private func storedResponse(
        _ plan: PicturePlan, _ identity: PictureIdentity, _ picture: RenderedPicture
    ) -> StoredResponse {
        var head = FieldLines()
        head.append(.contentType, picture.mediaType)
        if !identity.isFallback { head.append(.acceptRanges, literal: "bytes") }
        head.append(identity.fields)
        head.append(picture.fields)
        let furtherTags = plan.furtherTags(of: identity)
        let kind = plan.kind == .map ? "map" : "asset"
        head.append(.cacheTag, "veduta" + ([plan.tag] + furtherTags).map { ",\(kind)-\($0.hex)" }.joined())
        return StoredResponse(
            status: identity.status.code, mediaType: picture.mediaType, entityTag: identity.entityTag?.text ?? "",
            lastModifiedUnixSeconds: identity.validator.lastModified, head: head.bytes, content: picture.content,
            tag: plan.tag, furtherTags: furtherTags, cost: picture.timings.reduce(.zero) { $0 + $1.duration },
            storedUnixSeconds: clock.unixSeconds())
    }

    // MARK: Failures

    private func failed(_ problem: Problem, _ making: Making, _ reason: CacheStatus.Forward) -> FailedPicture {
        let problem = making.limits.cost.named(problem)
        var failed = FailedPicture(problem: problem, reason: reason)
        if let seconds = problem.secondsRemembered, isKeeping, making.flight.storage > .off {
            failed.isRemembered = remember(problem, making.plan, making.sighting, forSeconds: seconds)
        }
        if problem.status.code >= 500 { failed.standIn = standIn(for: making, onWorker: true) }
        return failed
    }

    /// The last picture that could be made, if it is another one than that which cannot.
    private func standIn(for making: Making, onWorker: Bool) -> StandIn? {
        guard let made = making.plan.watch.made else { return nil }
        if let stored = cache.response(for: made.identity.key) {
            return StandIn(kept: KeptAnswer(stored), sighting: made)
        }
        guard onWorker, let kept = find(making.plan, made, making.flight.storage) else { return nil }
        return StandIn(kept: kept, sighting: made)
    }
}
