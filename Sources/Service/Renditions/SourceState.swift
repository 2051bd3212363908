package import Reactor
package import ResponseCache
import Synchronization

// A rendition depends on its source, and observing a source takes time. So each observation is shared: by all requests
// of a loop through its memo, by all loops through the record of the rendition, whose lock is taken when what a loop
// knows has expired, never for a plain hit.

/// Names the state of everything that a rendition is made of, and dates it.
package struct SourceValidator: Equatable, Sendable {
    /// Changes with each source; part of the cache key.
    package let text: String
    /// When the latest source was last changed, in seconds since 1970, if known.
    package let lastModified: Int64?
    /// The rendition is stored and sent with this status, and stands in for another one.
    package let status: Int
    package let isFallback: Bool
    /// The rendition lacks something that may be there soon; it is kept briefly at most.
    package let isIncomplete: Bool
    private let mayLack: Bool
}

extension SourceValidator {
    /// Sources that are as asked for. `mayLack`: renditions may be incomplete, as maps whose tiles are out of reach.
    package init(_ text: String, lastModified: Int64? = nil, mayLack: Bool = false) {
        self.init(
            text: text, lastModified: lastModified, status: 200, isFallback: false, isIncomplete: false,
            mayLack: mayLack)
    }

    /// The source of a rendition that stands in for one that is missing; it is sent with `status`. It has no date, as
    /// it says nothing of the missing one.
    package init(fallback text: String, status: Int) {
        self.init(text: text, lastModified: nil, status: status, isFallback: true, isIncomplete: false, mayLack: false)
    }

    /// The same state for an incomplete rendition; nil where renditions never are.
    package var incomplete: SourceValidator? {
        guard mayLack else { return nil }
        if isIncomplete { return self }
        return SourceValidator(
            text: text + " incomplete", lastModified: nil, status: status, isFallback: true, isIncomplete: true,
            mayLack: true)
    }
}

/// A source as it was at some moment.
package struct SourceState: Sendable {
    /// Of the rendition that the source makes.
    package let identity: RenditionIdentity
    package let observedAt: MonotonicInstant
    /// The purges until then: after another one, it has to be observed again.
    package let epoch: PurgeEpoch

    package init(_ identity: RenditionIdentity, at instant: MonotonicInstant, epoch: PurgeEpoch) {
        self.identity = identity
        observedAt = instant
        self.epoch = epoch
    }

    /// Whole seconds since then.
    package func age(at now: MonotonicInstant) -> Int {
        max(0, Int(truncatingIfNeeded: (now.nanoseconds &- observedAt.nanoseconds) / 1_000_000_000))
    }
}

package final class SourceRecord: Sendable {
    private struct State: Sendable {
        var latest: SourceState?
        var rendered: SourceState?
        var incomplete: SourceState?
        var isRefreshing = false
        var refreshesFrom: MonotonicInstant?
        /// When the source was found gone: earlier observations no longer count.
        var goneAt: MonotonicInstant?
    }

    private let state = Mutex(State())

    package init() {}

    /// The latest state that any loop knows, however old, the caller's `own` included; nil once the source is gone.
    package func latest(knowing own: SourceState?) -> SourceState? {
        state.withLock { state in
            guard let own else { return state.latest }
            if let latest = state.latest, latest.observedAt > own.observedAt || latest.epoch > own.epoch {
                return latest
            }
            if let goneAt = state.goneAt, own.observedAt <= goneAt { return state.latest }
            return own
        }
    }

    /// The latest state with a rendition, which may be served stale where no new one can be made.
    package var lastRendered: SourceState? { state.withLock { $0.rendered } }

    /// The latest incomplete rendition of sources in this state; its instant is when work on it began.
    package func incomplete(of validator: SourceValidator) -> SourceState? {
        guard let wanted = validator.incomplete else { return nil }
        return state.withLock { $0.incomplete }.flatMap { $0.identity.validator == wanted ? $0 : nil }
    }

    package func observed(_ observed: SourceState) {
        state.withLock { state in
            if let latest = state.latest, latest.observedAt > observed.observedAt { return }
            state.latest = observed
            if state.rendered?.identity.key == observed.identity.key { state.rendered = observed }
        }
    }

    /// There is a rendition of the source as it was observed.
    package func rendered(_ rendered: SourceState) {
        state.withLock { state in
            if let known = state.rendered, known.observedAt > rendered.observedAt { return }
            state.rendered = rendered
        }
    }

    /// There is an incomplete rendition; its instant is when work on it began.
    package func renderedIncomplete(_ rendered: SourceState) {
        state.withLock { state in
            if let known = state.incomplete, known.observedAt > rendered.observedAt { return }
            state.incomplete = rendered
        }
    }

    package func gone(at now: MonotonicInstant) {
        state.withLock { state in
            state.goneAt = now
            state.latest = nil
            state.rendered = nil
            state.incomplete = nil
        }
    }

    /// Whether the caller is the one that observes the source in the background; it calls `endRefresh` then.
    package func beginRefresh(at now: MonotonicInstant) -> Bool {
        state.withLock { state in
            if state.isRefreshing { return false }
            if let earliest = state.refreshesFrom, now < earliest { return false }
            state.isRefreshing = true
            return true
        }
    }

    package func endRefresh(notBefore earliest: MonotonicInstant? = nil) {
        state.withLock { state in
            state.isRefreshing = false
            state.refreshesFrom = earliest
        }
    }
}
