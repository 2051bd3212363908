import Bytes
import ClientBudgets
import Reactor
import ResponseCache
import SharedCache
import Synchronization
import Telemetry

// Making renditions ahead, one group in a turn. Nobody ever waits for that: whoever asks for one that is being made makes it, and
// what somebody makes already is left out. What fails here is made again for those who ask, as if nobody had begun.
extension RenditionService {
    /// Whether the job is queued, or was done a moment ago. Without room nothing is prepared.
    package func prepare(_ preparation: Preparation) -> Bool {
        let (now, ledger) = (clock.monotonic(), cache.tiers.ledger)
        guard prepared.withLock({ $0.begin(preparation, at: now, ledger) }) else { return true }
        metrics.preparationsQueued.add(UInt64(preparation.count))
        return submit(PreparationWalk(preparation))
    }

    private func submit(_ walk: PreparationWalk) -> Bool {
        let isQueued =
            idle?.submit(for: walk.preparation.client, displaced: { [self] in end(walk) }) { [self] in run(walk) }
            ?? false
        if !isQueued { end(walk) }
        return isQueued
    }

    /// What is left is not prepared.
    private func end(_ walk: PreparationWalk) {
        metrics.preparationsDropped.add(UInt64(walk.countLeft))
        walk.preparation.bill?.close()
        let now = clock.monotonic()
        prepared.withLock { $0.end(walk.preparation, isWhole: walk.isWhole, at: now) }
    }

    private func run(_ walk: PreparationWalk) {
        var walk = walk
        let bill = walk.preparation.bill
        do throws(BudgetRefusal) { try bill?.open() } catch { return end(walk) }
        let turn = { self.makeGroup(of: &walk) }
        switch bill?.measure(turn) ?? turn() {
        case .goesOn where walk.countLeft > 0: _ = submit(walk)
        case .goesOn, .ended: end(walk)
        }
    }

    private func makeGroup(of walk: inout PreparationWalk) -> RenderProgress {
        let preparation = walk.preparation
        guard !isOver(preparation), let group = walk.group() else { return .ended }
        let places = group.renditions.indices.compactMap { index in
            missing(group.renditions[index], at: index, preparation)
        }
        guard !places.isEmpty else {
            walk.goOn(spent: walk.spent)
            return .goesOn
        }
        let (began, mustYield, before) = (clock.monotonic(), SharedFlag(), walk.spent)
        let admission = RenderAdmission(workers, .none, preparation.limits.work, bill: preparation.bill)
        // Nobody waits for it, so nobody's leaving ends it.
        let deadline = began + .seconds(preparation.limits.renderSeconds)
        let job = RenderJob(
            shouldStop: { [self] in
                guard idle?.shouldYield == true else { return isOver(preparation) || clock.monotonic() >= deadline }
                mustYield.set()
                return true
            },
            admit: { cost in
                // All groups have one price. The thread is none of those that long jobs hold.
                let work = NeededWork(microseconds: before + cost.work.microseconds, byteCount: cost.work.byteCount)
                return admission.admit(RenderCost(work, steps: cost.steps))
            })
        let made = group.make(job, places.map(\.index))
        admission.end()
        var failed: [RenditionError] = []
        for (place, result) in zip(places, made.results) {
            switch result {
            case .success(let content): keep(content, of: group.renditions[place.index], place, since: began)
            case .failure(let error): failed.append(error)
            }
        }
        if !failed.isEmpty, mustYield.isSet, !isOver(preparation), walk.yields() { return .goesOn }
        walk.goOn(spent: admission.price ?? before)
        if !failed.isEmpty { walk.noteFailure() }
        metrics.preparationsDropped.add(UInt64(failed.count))
        guard !made.isLast else {
            walk.finish()
            return .ended
        }
        return failed.contains(where: \.isLasting) || clock.monotonic() >= deadline ? .ended : .goesOn
    }

    private struct Place {
        /// Within its group.
        let index: Int
        let state: SourceState
        /// What other servers wait for.
        let lock: SharedLock?
    }

    /// Whether nothing more is to be made: the server closes, or a source was purged.
    private func isOver(_ preparation: Preparation) -> Bool {
        isClosed.isSet || preparation.list.isPurged(since: preparation.epoch, by: cache.tiers.ledger)
    }

    /// The place of `rendition` where no tier has it, nobody makes it, and it did not fail a moment ago.
    private func missing(_ rendition: Rendition, at index: Int, _ preparation: Preparation) -> Place? {
        let now = clock.monotonic()
        guard let state = try? observeSource(of: rendition, known: nil, now: now), !state.identity.isFallback,
            !state.identity.validator.isIncomplete, !flights.isRunning(state.identity.key),
            cache.failure(of: state.identity.key, preparation.limits, at: now) == nil,
            cache.inMemory(state) == nil, !cache.contains(rendition, state.identity)
        else { return nil }
        switch cache.tiers.lockElsewhere(state.identity.key, tag: rendition.tag) {
        case .held(let lock, isStored: false): return Place(index: index, state: state, lock: lock)
        case .held, .taken: return nil
        case .unavailable, nil: return Place(index: index, state: state, lock: nil)
        }
    }

    private func keep(
        _ content: RenderedContent, of rendition: Rendition, _ place: Place, since began: MonotonicInstant
    ) {
        metrics.renderBegan(rendition.route)
        let made = keep(content, of: rendition, seenAs: place.state, storage: .all, since: began)
        write(made.stored, before: place.lock)
        metrics.preparationsMade.add()
    }
}
