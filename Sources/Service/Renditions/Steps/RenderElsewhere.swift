import HTTPServer
import Reactor
import ResponseCache
import SharedCache

// Of all servers with one shared cache, one makes a rendition.
extension RenditionService {
    /// No worker is held while another server makes it: the walk begins again when that may be done.
    func awaitOtherServer(_ walk: inout RenderWalk) -> RenderProgress {
        guard !walk.ignoresStored, walk.flight.storage == .all, walk.sharedLock == nil else { return .goesOn }
        switch cache.tiers.lockElsewhere(walk.state.identity.key, tag: walk.rendition.tag) {
        case .held(let lock, let isStored):
            walk.sharedLock = lock
            guard isStored, let found = onDisk(walk) else { return .goesOn }
            return end(walk, found)
        case .unavailable, nil: return .goesOn
        case .taken: return wait(&walk)
        }
    }

    private func wait(_ walk: inout RenderWalk) -> RenderProgress {
        let now = clock.monotonic()
        let until = walk.waitsUntil ?? now + ProcessWaitLimit.longest
        // What has a claim was to be made here.
        guard now < until, walk.claim == .none, !shouldStop(walk) else { return .goesOn }
        var later = walk
        later.waitsUntil = until
        later.lock = nil
        let waiting = later
        guard cache.tiers.whenFree(walk.state.identity.key, before: until, { [self] in resume(waiting) }) else {
            return .goesOn
        }
        walk.lock = nil
        walk.isPostponed = true
        return .ended
    }

    /// In the line of its client, as at first.
    private func resume(_ walk: RenderWalk) {
        let isAdmitted = workers.submit(
            for: walk.client, cancelledBy: walk.flight.abandonment, displaced: { [self] in refuse(walk) }
        ) { [self] in
            run(walk.queued(walk.queued + (clock.monotonic() - walk.began)))
        }
        if !isAdmitted { refuse(walk) }
    }
}
