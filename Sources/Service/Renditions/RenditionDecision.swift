package import HTTPMessage
package import ResponseCache

/// Decides what becomes of one request for a rendition: it is told what the steps find out, and says what they do next.
///
/// A value without I/O and without a clock; ages come in as seconds. ``RenditionService`` carries out what it decides.
package struct RenditionDecision: Sendable {
    private let directives: RequestDirectives
    private let policy: RenditionPolicy
    /// Whether the source was observed for this request.
    private var isObserved = false
    /// Whether the answer is stale and the source is being observed in the background.
    private(set) package var isStale = false

    package init(_ directives: RequestDirectives, _ policy: RenditionPolicy) {
        self.directives = directives
        self.policy = policy
    }

    /// `no-cache` of the request: it is rendered whatever is stored.
    package var isForced: Bool { directives.noCache }

    /// The policy keeps such renditions out of the cache.
    package var bypasses: Bool { policy.directives.noStore }

    package var storage: StoragePolicy {
        if bypasses || directives.noStore { return .off }
        return directives.memoryOnly ? .memory : .all
    }

    package enum Observation: Equatable, Sendable {
        /// The known state is recent enough; `refreshes`: it expires soon, so the source is observed in the background.
        case useKnown(refreshes: Bool)
        case observe
    }

    /// The source was last observed `age` seconds ago.
    package mutating func sourceKnown(age: Int) -> Observation {
        // Observing a source is no request to anybody, so only-if-cached counts later, for the tiers.
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

    /// Whether the rendition of a source observed `age` seconds ago may be served in place of an error (RFC 5861 §4).
    package func mayServeStale(for error: RenditionError, age: Int) -> Bool {
        !error.isLasting && Reuse.mayServeOnError(directives, policy.freshness(age: age))
    }

    package enum Search: Equatable, Sendable {
        case notModified, preconditionFailed
        /// Stored renditions are not looked for.
        case skip
        case memory
    }

    package func preconditions(_ outcome: Preconditions.Outcome) -> Search {
        switch outcome {
        case .notModified: .notModified
        case .failed: .preconditionFailed
        case .proceed: isForced || bypasses ? .skip : .memory
        }
    }

    /// Whether an incomplete rendition that was begun `age` seconds ago will still do.
    package func mayServeIncomplete(age: Int) -> Bool {
        let freshness = Freshness(age: age, lifetime: RenditionPolicy.briefSeconds)
        if case .serve(isStale: false, _) = Reuse.decide(directives, freshness) { return true }
        return false
    }

    /// Whether the source is observed before anything is rendered, when memory has nothing: rendering costs more than
    /// that, and what was changed within the lifetime may be here already.
    package var observesAgain: Bool { !isObserved && !isForced }

    package enum Miss: Equatable, Sendable {
        case tellFailure
        case disk, notStored, render
    }

    /// `remembered` is the failure of an earlier try; `hasEarlier`: a worker may find an earlier rendition on disk.
    package func missed(remembered: RenditionError?, hasEarlier: Bool, hasDisk: Bool) -> Miss {
        if isForced { return directives.onlyIfCached ? .notStored : .render }
        // What once was not rendered in time may be on disk by now.
        if !bypasses, let remembered, remembered.isLasting || !hasEarlier, !remembered.isTimeout || !hasDisk {
            return .tellFailure
        }
        guard directives.onlyIfCached else { return .render }
        return bypasses || !hasDisk ? .notStored : .disk
    }

    package var ignoresStored: Bool { isForced || bypasses }

    /// Why the cache did not answer this one of those who waited for a render.
    package func forwardReason(_ reason: CacheStatus.Forward) -> CacheStatus.Forward {
        if bypasses { return .bypass }
        if isForced { return .request }
        // Another request had it rendered; to this one, it was not there yet.
        return reason == .request ? .miss : reason
    }
}
