import Bytes
import ClientBudgets
import HTTPMessage
import HTTPServer
import Reactor
import ResponseCache
import SharedCache
import Telemetry

// A worker looks once more whether there is anything to do: the render before this one may have finished since, and the
// disk or another process may have it.
extension RenditionService {
    func search(_ walk: inout RenderWalk) -> RenderProgress {
        guard !walk.ignoresStored else { return .goesOn }
        if let stored = cache.inMemory(walk.state) { return end(walk, .success(FinishedRender(stored: stored))) }
        if var failed = cache.failure(of: walk.state.identity.key, walk.limits, at: clock.monotonic()) {
            // A timeout is remembered also of what is on disk, as no loop asks the disk.
            if failed.error.isTimeout, let found = onDisk(walk) { return end(walk, found) }
            if !failed.error.isLasting { failed.stale = earlier(than: walk, onWorker: true) }
            return end(walk, .failure(failed))
        }
        return onDisk(walk).map { end(walk, $0) } ?? .goesOn
    }

    /// Waits while another process renders the same, unless too many workers wait already.
    func awaitOtherProcess(_ walk: inout RenderWalk) -> RenderProgress {
        guard !walk.ignoresStored, cache.tiers.hasDisk, walk.flight.storage == .all else { return .goesOn }
        let key = walk.state.identity.key
        var lock = cache.tiers.lock(key)
        if lock == nil, processWaits.begin() {
            defer { processWaits.end() }
            var polls = 0
            while lock == nil, polls < ProcessWaitLimit.pollLimit, !shouldStop(walk) {
                Processors.pause(ProcessWaitLimit.pollInterval)
                lock = cache.tiers.lock(key)
                polls += 1
            }
        }
        // The other process may have finished between the look-up and this.
        if cache.contains(walk.rendition, walk.state.identity), let found = onDisk(walk) { return end(walk, found) }
        walk.lock = lock
        return .goesOn
    }

    func shouldStop(_ walk: RenderWalk) -> Bool { walk.flight.isAbandoned || isClosed.isSet }

    /// What the disk or other servers have.
    func onDisk(_ walk: RenderWalk) -> RenderOutcome? {
        guard let stored = cache.find(walk.rendition, walk.state, walk.flight.storage) else { return nil }
        walk.rendition.record.rendered(walk.state)
        return .success(FinishedRender(stored: stored))
    }

    func end(_ walk: RenderWalk, _ outcome: RenderOutcome) -> RenderProgress {
        walk.flight.finish(outcome)
        return .ended
    }
}

extension RenditionService {
    func render(_ walk: inout RenderWalk) -> RenderProgress {
        // Since it was queued, others may have been made that are not read.
        guard unsent.hasRoom(for: walk.payer) else {
            metrics.refusals.add()
            return end(walk, .failure(FailedRender(error: .busy, stale: earlier(than: walk, onWorker: true))))
        }
        let (flight, isClosed) = (walk.flight, isClosed)
        let abandonment = flight.abandonment
        let reason: CacheStatus.Forward =
            walk.isForced ? .request : walk.bypasses || !isKeeping ? .bypass : missReason(walk)
        let admission = RenderAdmission(workers, walk.claim, walk.limits.work, bill: walk.bill)
        let job = RenderJob(shouldStop: { abandonment.isSet || isClosed.isSet }, admit: admission.admit)
        // A postponed one is counted already.
        if walk.claim == .none, !job.shouldStop() { metrics.renderBegan(walk.rendition.route) }
        flight.work.set(clock.monotonic())
        let outcome = outcome(walk, reason, job)
        admission.end()
        let price = admission.price
        if let price { metrics.backlog.learn(price, of: walk.rendition.route) }
        if let wanted = admission.postponed {
            walk.lock = nil
            postpone(walk, wanted, price: price)
            walk.isPostponed = true
            return .ended
        }
        if abandonment.isSet { metrics.cancelledRenders.add() }
        walk.outcome = outcome
        return .goesOn
    }

    func finish(_ walk: inout RenderWalk) -> RenderProgress {
        guard let outcome = walk.outcome else { return .ended }
        walk.flight.finish(outcome)
        return .goesOn
    }

    /// Only other processes and servers wait for this; the locks tell them.
    func store(_ walk: inout RenderWalk) -> RenderProgress {
        if case .success(let made)? = walk.outcome, walk.flight.storage == .all {
            write(made.stored, before: walk.sharedLock)
        }
        walk.sharedLock = nil
        walk.lock = nil
        return .ended
    }

    /// To the disk and to what other servers see, where they are; `lock` is held until they see it.
    func write(_ stored: StoredRendition, before lock: SharedLock? = nil) {
        let (state, response) = (stored.state, stored.kept.response)
        guard !state.identity.validator.isIncomplete else { return }
        // A result that was too late for memory is ready now, so it is stored again.
        if cache.tiers.write(response, for: state.identity.key, since: state.epoch) {
            cache.failures.remove(state.identity.key)
        }
        cache.tiers.share(response, for: state.identity.key, since: state.epoch, before: lock)
    }

    private func missReason(_ walk: RenderWalk) -> CacheStatus.Forward {
        let (rendition, identity) = (walk.rendition, walk.state.identity)
        if let last = rendition.record.lastRendered, last.identity.key != identity.key,
            cache.contains(rendition, last.identity)
        {
            return .stale
        }
        if let lacking = rendition.record.incomplete(of: identity.validator), cache.inMemory(lacking) != nil {
            return .stale
        }
        guard !rendition.vary.isEmpty else { return .uriMiss }
        let isInAnotherVariant = table.variants(of: rendition).contains { other in
            cache.tiers.contains(
                CacheKey(other.digest(with: identity.validator)), tag: rendition.tag,
                furtherTags: rendition.furtherTags(of: identity))
        }
        return isInAnotherVariant ? .varyMiss : .uriMiss
    }

    private func outcome(_ walk: RenderWalk, _ reason: CacheStatus.Forward, _ job: RenderJob) -> RenderOutcome {
        do throws(RenditionError) {
            guard !job.shouldStop() else { throw .timedOut() }
            let began = clock.monotonic()
            return .success(keep(try walk.rendition.renderer.render(job), walk, reason, since: began))
        } catch {
            return .failure(failed(walk.bill?.refusal.map { .overBudget($0) } ?? error, walk, reason))
        }
    }

    private func keep(
        _ content: RenderedContent, _ walk: RenderWalk, _ reason: CacheStatus.Forward, since began: MonotonicInstant
    ) -> FinishedRender {
        let made = keep(content, of: walk.rendition, seenAs: walk.state, storage: walk.flight.storage, since: began)
        // A result that was too late and is not kept would take as long again.
        if made.isKept || !shouldStop(walk) { cache.failures.remove(made.stored.state.identity.key) }
        return FinishedRender(
            stored: made.stored, made: (reason, made.isKept), timings: [("queue", walk.queued)] + content.timings)
    }

    /// In memory, where `storage` allows that. `seen` is the source before it was read.
    func keep(
        _ content: RenderedContent, of rendition: Rendition, seenAs seen: SourceState, storage: StoragePolicy,
        since began: MonotonicInstant
    ) -> (stored: StoredRendition, isKept: Bool) {
        metrics.rendered(rendition.route, content.timings)
        // The source may have changed since the request observed it: the result is named by what was read.
        let state =
            content.validator == seen.identity.validator
            ? seen
            : SourceState(rendition.identity(with: content.validator), at: seen.observedAt, epoch: seen.epoch)
        let (key, isIncomplete) = (state.identity.key, content.validator.isIncomplete)
        let stored = storedResponse(rendition, state.identity, content)
        let isKept =
            storage >= .memory && (!isIncomplete || content.isKeptBriefly)
            && cache.tiers.keep(stored, for: key, since: state.epoch)
        if !isIncomplete {
            rendition.record.rendered(state)
        } else if isKept {
            rendition.record.renderedIncomplete(SourceState(state.identity, at: began, epoch: state.epoch))
        }
        return (StoredRendition(kept: KeptAnswer(stored), state: state), isKept)
    }

    private func storedResponse(
        _ rendition: Rendition, _ identity: RenditionIdentity, _ content: RenderedContent
    ) -> StoredResponse {
        var head = FieldLines()
        head.append(.contentType, content.mediaType)
        if !identity.isFallback { head.append(.acceptRanges, literal: "bytes") }
        head.append(identity.fields)
        head.append(content.fields)
        let groups = rendition.cacheGroups(of: identity)
        head.append(.cacheTag, groups.joined(separator: ","))
        // Strings of a structured list (RFC 9875 §2).
        head.append(.cacheGroups, groups.map { "\"\($0)\"" }.joined(separator: ", "))
        return StoredResponse(
            status: identity.validator.status, mediaType: content.mediaType,
            entityTag: identity.entityTag?.text ?? "", lastModifiedUnixSeconds: identity.validator.lastModified,
            head: head.bytes, content: cache.tiers.results.counted(content.bytes), tag: rendition.tag,
            furtherTags: rendition.furtherTags(of: identity),
            cost: content.timings.reduce(.zero) { $0 + $1.duration }, storedUnixSeconds: clock.unixSeconds())
    }

    private func failed(_ error: RenditionError, _ walk: RenderWalk, _ reason: CacheStatus.Forward) -> FailedRender {
        var failed = FailedRender(error: walk.limits.work.named(error), reason: reason)
        if let seconds = error.secondsRemembered, isKeeping, walk.flight.storage > .off {
            failed.isRemembered = cache.remember(
                failed.error, of: walk.rendition, walk.state, at: clock.monotonic(), forSeconds: seconds)
        }
        if !error.isLasting { failed.stale = earlier(than: walk, onWorker: true) }
        return failed
    }
}
