import Bytes
import Reactor
import ResponseCache

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

    private func onDisk(_ walk: RenderWalk) -> RenderOutcome? {
        guard let stored = cache.find(walk.rendition, walk.state, walk.flight.storage) else { return nil }
        walk.rendition.record.rendered(walk.state)
        return .success(FinishedRender(stored: stored))
    }

    private func end(_ walk: RenderWalk, _ outcome: RenderOutcome) -> RenderProgress {
        walk.flight.finish(outcome)
        return .ended
    }
}
