package import DiskStore
import HTTPMessage
package import Reactor
package import ResponseCache

/// The stored renditions, and the failures that are remembered for a short while.
package final class RenditionCache: Sendable {
    package let tiers: TieredCache
    let failures = NegativeCache<RenditionError>()

    package init(_ tiers: TieredCache) {
        self.tiers = tiers
        tiers.onSharedPurge { [weak self] in self?.apply($0) }
    }

    /// Whether one of the tiers has the rendition. Waits for the disk.
    package func contains(_ rendition: Rendition, _ identity: RenditionIdentity) -> Bool {
        tiers.contains(identity.key, tag: rendition.tag, furtherTags: rendition.furtherTags(of: identity))
    }

    /// What the disk or other servers have of `rendition`, whose source was observed as `state`; workers only.
    func find(_ rendition: Rendition, _ state: SourceState, _ storage: StoragePolicy) -> StoredRendition? {
        let identity = state.identity
        let kept = tiers.find(
            identity.key, tag: rendition.tag, furtherTags: rendition.furtherTags(of: identity),
            entityTag: identity.entityTag?.text ?? "", status: identity.validator.status,
            mediaTypes: rendition.mediaTypes, since: state.epoch, keepsInMemory: storage >= .memory,
            keepsOnDisk: storage == .all, isShared: true)
        return kept.map { StoredRendition(kept: $0, state: state) }
    }

    func inMemory(_ state: SourceState) -> StoredRendition? {
        tiers.response(for: state.identity.key).map { StoredRendition(kept: KeptAnswer($0), state: state) }
    }

    /// What the disk has and needs no worker.
    func inOpenFile(_ state: SourceState) -> StoredRendition? {
        tiers.openEntry(for: state.identity.key).map { StoredRendition(kept: $0, state: state) }
    }

    /// The remembered failure that holds under `limits`.
    func failure(of key: CacheKey, _ limits: RenditionLimits, at now: MonotonicInstant) -> FailedRender? {
        guard let known = failures.failure(for: key, at: now), let error = limits.remembered(known.failure) else {
            return nil
        }
        func seconds(_ from: MonotonicInstant, _ to: MonotonicInstant) -> Int {
            max(0, Int(truncatingIfNeeded: (to.nanoseconds &- from.nanoseconds) / 1_000_000_000))
        }
        return FailedRender(error: error, known: (seconds(known.failedAt, now), seconds(now, known.until)))
    }

    /// The same, if it is a timeout. That is remembered whatever requests and policy say about caches: it is no stored
    /// answer, but work that is not begun again.
    func timeout(of key: CacheKey, _ limits: RenditionLimits, at now: MonotonicInstant) -> FailedRender? {
        failure(of: key, limits, at: now).flatMap { $0.error.isTimeout ? $0 : nil }
    }

    /// Returns false where the rendition was purged since its source was observed.
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

    // Failures come last: what was found before the purge was noted goes, and nothing is remembered after it.

    /// Purges both tiers: of an asset also the renditions that it is laid over or stands in for; what is being made of
    /// it is not kept. Waits for the disk; workers only.
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

    /// Forgets what another process on the same folder, or another server, has purged.
    package func apply(_ notice: SharedPurge) {
        tiers.apply(notice)
        switch notice {
        case .group(let tag): failures.purge(tag: CacheTag(word: tag))
        case .entry(let key, _): failures.remove(CacheKey(key))
        case .whole: failures.removeAll()
        }
    }
}

package enum PurgeScope: Equatable, Sendable {
    /// All renditions of the asset with this id.
    case asset(String)
    /// By the key that `Cache-Status` shows.
    case rendition(CacheEntryName)
    case whole
}
