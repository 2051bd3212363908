package import ResponseCache

/// The tiers that an ``OriginCache`` shares with rendered images.
package protocol OriginStore: Sendable {
    var hasDisk: Bool { get }
    var ledger: PurgeLedger { get }

    func find(
        _ key: CacheKey, tag: CacheTag, furtherTags: [CacheTag], entityTag: String, status: Int, mediaTypes: [String],
        since epoch: PurgeEpoch, keepsInMemory: Bool
    ) -> KeptAnswer?
    func write(_ response: StoredResponse, for key: CacheKey, since epoch: PurgeEpoch) -> Bool
    func purge(_ key: CacheKey, tag: CacheTag) -> PurgeResult
}

extension TieredCache: OriginStore {}
