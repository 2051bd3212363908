package import DiskStore
import HTTPMessage
package import Reactor
package import ResponseCache

/// The tiers of stored renditions, and the failures that are remembered for a short while.
package final class RenditionCache: Sendable {
    package let tiers: TieredCache
    /// Failures that are not tried again at once.
    let failures = NegativeCache<RenditionError>()

    package init(_ tiers: TieredCache) {
        self.tiers = tiers
    }

    // MARK: Renditions

    /// Whether one of the tiers has the rendition of `identity`. It waits for the disk.
    package func contains(_ rendition: Rendition, _ identity: RenditionIdentity) -> Bool {
        tiers.contains(identity.key, tag: rendition.tag, furtherTags: rendition.furtherTags(of: identity))
    }

    /// What is on disk of `rendition`, whose source was observed as `state`; workers only.
    func find(_ rendition: Rendition, _ state: SourceState, _ storage: StoragePolicy) -> StoredRendition? {
        let identity = state.identity
        let kept = tiers.find(
            identity.key, tag: rendition.tag, furtherTags: rendition.furtherTags(of: identity),
            entityTag: identity.entityTag?.text ?? "", status: identity.validator.status,
            mediaTypes: rendition.mediaTypes, since: state.epoch, keepsInMemory: storage >= .memory)
        return kept.map { StoredRendition(kept: $0, state: state) }
    }

    /// What is in memory of the rendition of `state`.
    func inMemory(_ state: SourceState) -> StoredRendition? {
        tiers.response(for: state.identity.key).map { StoredRendition(kept: KeptAnswer($0), state: state) }
    }

    // MARK: Failures

    /// A failure that is remembered of the rendition with `key` and holds under `limits`.
    func failure(of key: CacheKey, _ limits: RenditionLimits, at now: MonotonicInstant) -> FailedRender? {
        guard let known = failures.failure(for: key, at: now), let error = limits.remembered(known.failure) else {
            return nil
        }
        func seconds(_ from: MonotonicInstant, _ to: MonotonicInstant) -> Int {
            max(0, Int(truncatingIfNeeded: (to.nanoseconds &- from.nanoseconds) / 1_000_000_000))
        }
        return FailedRender(error: error, known: (seconds(known.failedAt, now), seconds(now, known.until)))
    }

    /// The same, if it is that work did not end in time. That is remembered whatever requests and policy say about caches: it
    /// is no answer that is kept, but work that is not begun again.
    func timeout(of key: CacheKey, _ limits: RenditionLimits, at now: MonotonicInstant) -> FailedRender? {
        failure(of: key, limits, at: now).flatMap { $0.error.isTimeout ? $0 : nil }
    }

    /// Remembers `error`, unless the rendition was purged since its source was observed; whether it did.
    @discardableResult
    package func remember(
        _ error: RenditionError, of rendition: Rendition, _ state: SourceState, at now: MonotonicInstant,
        forSeconds seconds: Int
    ) -> Bool {
        failures.insert(
            error, for: state.identity.key, tag: rendition.tag, furtherTags: rendition.furtherTags(of: state.identity),
            at: now, lifetime: .seconds(seconds),
            unless: { rendition.isPurged(state.identity, since: state.epoch, by: tiers.ledger) })
    }

    // MARK: Purging

    // Failures come last: one that was found before the purge was noted goes, and none is remembered after it.

    /// Takes out what `scope` says, in both tiers: of an asset also the renditions of others over which it is laid or for
    /// which it stands in; what is being made of it is not kept. It waits for the disk; workers only.
    package func purge(_ scope: PurgeScope) -> PurgeResult {
        switch scope {
        case .asset(let id):
            let tag = CacheTag(assetID: id)
            defer { failures.purge(tag: tag) }
            return tiers.purge(tag: tag)
        case .rendition(let name):
            defer { failures.remove(name.key) }
            return tiers.purge(name.key, tag: name.tag)
        case .whole:
            defer { failures.removeAll() }
            return tiers.purgeAll()
        }
    }

    /// Forgets in memory what another process on the same folder has purged.
    package func apply(_ notice: SharedPurge) {
        tiers.apply(notice)
        switch notice {
        case .group(let tag): failures.purge(tag: CacheTag(word: tag))
        case .entry(let key, _): failures.remove(CacheKey(key))
        case .whole: failures.removeAll()
        }
    }
}
