import Bytes
import ClientBudgets
import HTTPMessage
import Reactor
import ResponseCache
import SharedCache
import Synchronization
import Telemetry

// Making renditions ahead, in idle turns of the workers: one group in a turn, so that whoever waits comes first. Those who ask
// for one that is being made wait for it; what fails here is made again for them, as if nobody had begun.
extension RenditionService {
    /// Whether the job is queued now. Without room nothing is prepared.
    package func prepare(_ preparation: Preparation) -> Bool {
        guard preparing.withLock({ $0.insert(preparation.name).inserted }) else { return true }
        metrics.preparationsQueued.add(UInt64(preparation.count(from: 0)))
        return submit(preparation, from: 0)
    }

    private func submit(_ preparation: Preparation, from index: Int) -> Bool {
        let isQueued = workers.submit(
            to: .idle, for: preparation.client, displaced: { [self] in end(preparation, at: index) }
        ) { [self] in run(preparation, from: index) }
        if !isQueued { end(preparation, at: index) }
        return isQueued
    }

    /// Nothing from the group at `index` on is prepared.
    private func end(_ preparation: Preparation, at index: Int) {
        metrics.preparationsDropped.add(UInt64(preparation.count(from: index)))
        close(preparation)
    }

    private func close(_ preparation: Preparation) {
        preparation.bill?.close()
        preparing.withLock { _ = $0.remove(preparation.name) }
    }

    private func run(_ preparation: Preparation, from index: Int) {
        guard !isClosed.isSet, (try? preparation.bill?.open()) != nil || preparation.bill == nil else {
            return end(preparation, at: index)
        }
        let turn = { self.make(preparation.groups[index], of: preparation) }
        switch preparation.bill?.measure(turn) ?? turn() {
        case .ended: end(preparation, at: index + 1)
        case .same: close(preparation)
        case .goesOn:
            guard index + 1 < preparation.groups.count else { return close(preparation) }
            _ = submit(preparation, from: index + 1)
        }
    }

    private enum Turn {
        case goesOn
        /// Those that follow are not made: purged, over a limit or a budget, or closed.
        case ended
        /// Those that follow would be the same.
        case same
    }

    private func make(_ group: Preparation.Group, of preparation: Preparation) -> Turn {
        let wanted = group.renditions.indices.compactMap { index in
            walk(group.renditions[index], preparation).map { (index: index, walk: $0) }
        }
        let isPurged = { @Sendable [ledger = cache.tiers.ledger, isClosed, epoch = preparation.epoch] in
            isClosed.isSet || group.renditions.contains { $0.isPurged(since: epoch, by: ledger) }
        }
        guard !isPurged() else {
            refuse(wanted.map(\.walk))
            return .ended
        }
        guard !wanted.isEmpty else { return .goesOn }
        let admission = RenderAdmission(workers, .none, preparation.limits.work, bill: preparation.bill)
        let (began, before) = (clock.monotonic(), preparation.spent.load(ordering: .relaxed))
        // Nobody waits for it, so nobody's leaving ends it.
        let until = began + .seconds(preparation.limits.renderSeconds)
        let shouldStop = { @Sendable [clock] in isPurged() || clock.monotonic() >= until }
        let job = RenderJob(shouldStop: shouldStop) { cost in
            // One price for all groups.
            let all = cost.work.microseconds + before
            preparation.spent.store(all, ordering: .relaxed)
            return admission.admit(
                RenderCost(
                    NeededWork(microseconds: all, byteCount: cost.work.byteCount), isLong: cost.isLong,
                    isDrawing: cost.isDrawing, steps: cost.steps))
        }
        let made = group.make(job, wanted.map(\.index))
        admission.end()
        var isOver = shouldStop() || made.results.count != wanted.count
        for (place, result) in zip(wanted, made.results) {
            switch result {
            case .success(let content):
                var walk = place.walk
                metrics.renderBegan(walk.rendition.route)
                walk.outcome = .success(keep(content, walk, .uriMiss, since: began))
                _ = finish(&walk)
                _ = store(&walk)
                metrics.preparationsMade.add()
            case .failure(let error):
                refuse([place.walk])
                if error.isLasting { isOver = true }
            }
        }
        return isOver ? .ended : made.isLast ? .same : .goesOn
    }

    /// Leads a flight for what no tier has and nobody makes.
    private func walk(_ rendition: Rendition, _ preparation: Preparation) -> RenderWalk? {
        guard let state = try? observeSource(of: rendition, known: nil, now: clock.monotonic()),
            !state.identity.isFallback, !state.identity.validator.isIncomplete,
            cache.failure(of: state.identity.key, preparation.limits, at: clock.monotonic()) == nil,
            !isStored(rendition, state), let lock = cache.tiers.lock(state.identity.key)
        else { return nil }
        var sharedLock: SharedLock?
        switch cache.tiers.lockElsewhere(state.identity.key, tag: rendition.tag) {
        case .held(let held, let isStored):
            // Found there when it is asked for.
            guard !isStored else { return nil }
            sharedLock = held
        case .taken: return nil
        case .unavailable, nil: break
        }
        let entrance = flights.enter(
            state.identity.key, epoch: state.epoch,
            isPurged: { [ledger = cache.tiers.ledger] in rendition.isPurged(state.identity, since: $0, by: ledger) },
            receive: { _ in })
        guard case .leader(let flight, _) = entrance else {
            entrance.waiter.leave()
            return nil
        }
        var walk = RenderWalk(
            rendition: rendition, state: state, flight: flight, limits: preparation.limits, isForced: false,
            bypasses: false, client: preparation.client, bill: preparation.bill)
        walk.lock = lock
        walk.sharedLock = sharedLock
        // Who made it since the look at the cache has left the flight.
        guard !isStored(rendition, state) else {
            refuse([walk])
            return nil
        }
        flight.work.set(clock.monotonic())
        return walk
    }

    private func isStored(_ rendition: Rendition, _ state: SourceState) -> Bool {
        cache.inMemory(state) != nil || cache.contains(rendition, state.identity)
    }

    /// Whoever joined tries again, and pays.
    private func refuse(_ walks: [RenderWalk]) {
        metrics.preparationsDropped.add(UInt64(walks.count))
        for walk in walks { walk.flight.finish(.failure(FailedRender(error: .busy))) }
    }
}
