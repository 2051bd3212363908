package import HTTPMessage
package import ResponseCache

/// What becomes of one request for a rendition: it is told what the steps find out, and says what they do next.
///
/// A value without I/O and without a clock: ages come in as seconds. ``RenditionService`` carries out what it decides.
package struct RenditionDecision: Sendable {
    private let directives: RequestDirectives
    private let policy: RenditionPolicy
    /// Whether the source was looked at for this very request.
    private var isObserved = false
    /// Whether the answer is stale, and the source is looked at in the background.
    private(set) package var isStale = false

    /// For a request that says `directives`, under `policy`.
    package init(_ directives: RequestDirectives, _ policy: RenditionPolicy) {
        self.directives = directives
        self.policy = policy
    }

    /// Whether it is rendered whatever is stored (`no-cache` of the request).
    package var isForced: Bool { directives.noCache }

    /// Whether the policy keeps such renditions out of the cache.
    package var bypasses: Bool { policy.directives.noStore }

    /// Where the rendition may be kept.
    package var storage: StoragePolicy {
        if bypasses || directives.noStore { return .off }
        return directives.memoryOnly ? .memory : .all
    }

    // MARK: The source

    package enum Observation: Equatable, Sendable {
        /// What is known will do; `refreshes`: and is looked at in the background, as its time is nearly over.
        case useKnown(refreshes: Bool)
        /// The source has to be looked at.
        case observe
    }

    /// What is known of the source was observed `age` seconds ago.
    package mutating func sourceKnown(age: Int) -> Observation {
        // Looking at a source is no request to anybody: only-if-cached matters when there is nothing in the tiers.
        var directives = directives
        directives.onlyIfCached = false
        switch Reuse.decide(directives, policy.freshness(age: age)) {
        case .serve(let isStale, let refresh):
            self.isStale = isStale
            return .useKnown(refreshes: refresh != .none)
        case .validate, .forward, .unavailable: return .observe
        }
    }

    package mutating func sourceObserved() {
        isObserved = true
        isStale = false
    }

    /// Whether the rendition of a source that was observed `age` seconds ago may be served in place of an error (RFC 5861 §4).
    package func mayServeStale(for error: RenditionError, age: Int) -> Bool {
        !error.isLasting && Reuse.mayServeOnError(directives, policy.freshness(age: age))
    }

    // MARK: What is stored

    package enum Search: Equatable, Sendable {
        case notModified, preconditionFailed
        /// Nothing that is stored is looked for.
        case skip
        case memory
    }

    /// What the preconditions of the request came to.
    package func preconditions(_ outcome: Preconditions.Outcome) -> Search {
        switch outcome {
        case .notModified: .notModified
        case .failed: .preconditionFailed
        case .proceed: isForced || bypasses ? .skip : .memory
        }
    }

    /// Whether a rendition that lacks something, and was begun `age` seconds ago, will still do.
    package func mayServeIncomplete(age: Int) -> Bool {
        let freshness = Freshness(age: age, lifetime: RenditionPolicy.briefSeconds)
        if case .serve(isStale: false, _) = Reuse.decide(directives, freshness) { return true }
        return false
    }

    /// Memory had nothing. Whether the source is looked at before anything is rendered: that costs more than a look, and what
    /// was changed within the lifetime may be here already.
    package var observesAgain: Bool { !isObserved && !isForced }

    package enum Miss: Equatable, Sendable {
        /// The failure that is remembered is the answer.
        case tellFailure
        /// The disk alone is asked.
        case disk
        /// The answer is that nothing is stored.
        case notStored
        case render
    }

    /// What is remembered of earlier tries: nil, nothing. `hasEarlier`: there was a rendition of the source before, which a
    /// worker may find on disk.
    package func missed(remembered: RenditionError?, hasEarlier: Bool, hasDisk: Bool) -> Miss {
        if isForced { return directives.onlyIfCached ? .notStored : .render }
        // One that was not made in time once may be on disk by now.
        if !bypasses, let remembered, remembered.isLasting || !hasEarlier, !remembered.isTimeout || !hasDisk {
            return .tellFailure
        }
        guard directives.onlyIfCached else { return .render }
        return bypasses || !hasDisk ? .notStored : .disk
    }

    /// Whether the render does without what is stored.
    package var ignoresStored: Bool { isForced || bypasses }

    /// Why the cache was of no use to this one of those who waited for the same render.
    package func forwardReason(_ reason: CacheStatus.Forward) -> CacheStatus.Forward {
        if bypasses { return .bypass }
        if isForced { return .request }
        // Another one's request had it rendered; to this one, it was not there yet.
        return reason == .request ? .miss : reason
    }
}
