import HTTPMessage
import Reactor
import ResponseCache
import Synchronization

// What a picture is depends on its source, and looking at a source takes time. So each look is shared: by all requests of a
// loop through its memo, by all loops through the watch of the plan. The lock of a watch is taken when what a loop knows has
// run out, never for a plain hit.

/// What a source was found to be like at some moment.
struct Sighting: Sendable {
    /// The picture that the source makes.
    let identity: PictureIdentity
    /// When it was looked at.
    let at: MonotonicInstant
    /// The purges before that: after another one, it has to be looked at again.
    let epoch: PurgeEpoch

    /// Whole seconds since then.
    func age(at now: MonotonicInstant) -> Int {
        max(0, Int(truncatingIfNeeded: (now.nanoseconds &- at.nanoseconds) / 1_000_000_000))
    }
}

/// What all loops know of the source of one picture.
final class SourceWatch: Sendable {
    private struct State: Sendable {
        var latest: Sighting?
        var made: Sighting?
        var incomplete: Sighting?
        var isRefreshing = false
        var refreshesFrom: MonotonicInstant?
        /// When the source was found gone: nothing that was seen before counts any more.
        var lostAt: MonotonicInstant?
    }

    private let state = Mutex(State())

    /// The latest sighting of all loops, of which the caller's is `own`, however long ago; nil once the source was found
    /// gone.
    func latest(knowing own: Sighting?) -> Sighting? {
        state.withLock { state in
            guard let own else { return state.latest }
            if let latest = state.latest, latest.at > own.at || latest.epoch > own.epoch { return latest }
            if let lostAt = state.lostAt, own.at <= lostAt { return state.latest }
            return own
        }
    }

    /// The latest sighting of the source in a state of which there was a picture: what may stand in for one that cannot be
    /// made.
    var made: Sighting? { state.withLock { $0.made } }

    /// The latest picture that was made of sources in the state of `validator`, lacks something and is kept briefly; its
    /// instant is when work on it began.
    func incomplete(of validator: SourceValidator) -> Sighting? {
        guard let wanted = validator.incomplete else { return nil }
        return state.withLock { $0.incomplete }.flatMap { $0.identity.validator == wanted ? $0 : nil }
    }

    /// Notes a look at the source.
    func saw(_ sighting: Sighting) {
        state.withLock { state in
            if let latest = state.latest, latest.at > sighting.at { return }
            state.latest = sighting
            if state.made?.identity.key == sighting.identity.key { state.made = sighting }
        }
    }

    /// Notes that there is a picture of the source as it was seen.
    func made(_ sighting: Sighting) {
        state.withLock { state in
            if let made = state.made, made.at > sighting.at { return }
            state.made = sighting
        }
    }

    /// Notes that there is a picture that lacks something; `sighting.at` is when work on it began.
    func madeIncomplete(_ sighting: Sighting) {
        state.withLock { state in
            if let known = state.incomplete, known.at > sighting.at { return }
            state.incomplete = sighting
        }
    }

    /// Forgets what the source is like, as it is gone.
    func lost(at now: MonotonicInstant) {
        state.withLock { state in
            state.lostAt = now
            state.latest = nil
            state.made = nil
            state.incomplete = nil
        }
    }

    /// Whether the caller is the one that looks at the source in the background; it ends that with `endRefresh`.
    func beginRefresh(at now: MonotonicInstant) -> Bool {
        state.withLock { state in
            if state.isRefreshing { return false }
            if let earliest = state.refreshesFrom, now < earliest { return false }
            state.isRefreshing = true
            return true
        }
    }

    /// Ends it; the next one begins at `earliest` at the earliest.
    func endRefresh(notBefore earliest: MonotonicInstant? = nil) {
        state.withLock { state in
            state.isRefreshing = false
            state.refreshesFrom = earliest
        }
    }
}
