package import Reactor
package import ResponseCache
import Synchronization

// What a rendition is depends on its source, and looking at a source takes time. So each look is shared: by all requests of a
// loop through its memo, by all loops through the record of the rendition. The lock of a record is taken when what a loop knows
// has run out, never for a plain hit.

/// Names the state of all that a rendition is made of, and dates it.
package struct SourceValidator: Equatable, Sendable {
    /// Changes whenever one of the sources does; part of the cache key.
    package let text: String
    /// When the latest of the sources was last changed, in seconds since 1970; nil where that is not known.
    package let lastModified: Int64?
    /// The status that the rendition is stored and sent with, and whether it stands in for another one.
    package let status: Int
    package let isFallback: Bool
    /// Of a rendition that lacks something that may be there soon; such a one is kept briefly at most.
    package let isIncomplete: Bool
    /// Whether renditions may lack something.
    private let mayLack: Bool

    /// Sources that are as asked for. `mayLack`: renditions of them may lack something, as maps whose tiles are out of reach.
    package init(_ text: String, lastModified: Int64? = nil, mayLack: Bool = false) {
        self.init(
            text: text, lastModified: lastModified, status: 200, isFallback: false, isIncomplete: false,
            mayLack: mayLack)
    }

    /// The source of a rendition that is shown because the one asked for cannot be had; it is sent with `status`, which tells
    /// so. It has no date: it says nothing of the one that was asked for.
    package init(fallback text: String, status: Int) {
        self.init(
            text: text, lastModified: nil, status: status, isFallback: true, isIncomplete: false, mayLack: false)
    }

    private init(
        text: String, lastModified: Int64?, status: Int, isFallback: Bool, isIncomplete: Bool, mayLack: Bool
    ) {
        self.text = text
        self.lastModified = lastModified
        self.status = status
        self.isFallback = isFallback
        self.isIncomplete = isIncomplete
        self.mayLack = mayLack
    }

    /// The same state for a rendition that lacks something; nil where renditions never do.
    package var incomplete: SourceValidator? {
        guard mayLack else { return nil }
        if isIncomplete { return self }
        return SourceValidator(
            text: text + " incomplete", lastModified: nil, status: status, isFallback: true, isIncomplete: true,
            mayLack: true)
    }
}

/// What a source was found to be like at some moment.
package struct SourceState: Sendable {
    /// The rendition that the source makes.
    package let identity: RenditionIdentity
    package let observedAt: MonotonicInstant
    /// The purges before that: after another one, it has to be observed again.
    package let epoch: PurgeEpoch

    package init(_ identity: RenditionIdentity, at instant: MonotonicInstant, epoch: PurgeEpoch) {
        self.identity = identity
        observedAt = instant
        self.epoch = epoch
    }

    /// Whole seconds since it was observed.
    package func age(at now: MonotonicInstant) -> Int {
        max(0, Int(truncatingIfNeeded: (now.nanoseconds &- observedAt.nanoseconds) / 1_000_000_000))
    }
}

/// What all loops know of the source of one rendition.
package final class SourceRecord: Sendable {
    private struct State: Sendable {
        var latest: SourceState?
        var rendered: SourceState?
        var incomplete: SourceState?
        var isRefreshing = false
        var refreshesFrom: MonotonicInstant?
        /// When the source was found gone: nothing that was observed before counts any more.
        var goneAt: MonotonicInstant?
    }

    private let state = Mutex(State())

    package init() {}

    /// The latest state of all loops, of which the caller's is `own`, however long ago; nil once the source was found gone.
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

    /// The latest state of which there was a rendition, which may be served stale where no new one can be made.
    package var lastRendered: SourceState? { state.withLock { $0.rendered } }

    /// The latest rendition that was made of sources in the state of `validator`, lacks something and is kept briefly; its
    /// instant is when work on it began.
    package func incomplete(of validator: SourceValidator) -> SourceState? {
        guard let wanted = validator.incomplete else { return nil }
        return state.withLock { $0.incomplete }.flatMap { $0.identity.validator == wanted ? $0 : nil }
    }

    /// Notes a look at the source.
    package func observed(_ observed: SourceState) {
        state.withLock { state in
            if let latest = state.latest, latest.observedAt > observed.observedAt { return }
            state.latest = observed
            if state.rendered?.identity.key == observed.identity.key { state.rendered = observed }
        }
    }

    /// Notes that there is a rendition of the source as it was observed.
    package func rendered(_ rendered: SourceState) {
        state.withLock { state in
            if let known = state.rendered, known.observedAt > rendered.observedAt { return }
            state.rendered = rendered
        }
    }

    /// Notes that there is a rendition that lacks something; its instant is when work on it began.
    package func renderedIncomplete(_ rendered: SourceState) {
        state.withLock { state in
            if let known = state.incomplete, known.observedAt > rendered.observedAt { return }
            state.incomplete = rendered
        }
    }

    /// Forgets what the source is like, as it is gone.
    package func gone(at now: MonotonicInstant) {
        state.withLock { state in
            state.goneAt = now
            state.latest = nil
            state.rendered = nil
            state.incomplete = nil
        }
    }

    /// Whether the caller is the one that looks at the source in the background; it ends that with `endRefresh`.
    package func beginRefresh(at now: MonotonicInstant) -> Bool {
        state.withLock { state in
            if state.isRefreshing { return false }
            if let earliest = state.refreshesFrom, now < earliest { return false }
            state.isRefreshing = true
            return true
        }
    }

    /// Ends it; the next one begins at `earliest` at the earliest.
    package func endRefresh(notBefore earliest: MonotonicInstant? = nil) {
        state.withLock { state in
            state.isRefreshing = false
            state.refreshesFrom = earliest
        }
    }
}
