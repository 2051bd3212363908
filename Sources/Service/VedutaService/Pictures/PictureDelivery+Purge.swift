import OriginCache
import ResponseCache

extension PictureDelivery {
    /// Whether one of the tiers has the picture of `identity`.
    func contains(_ plan: PicturePlan, _ identity: PictureIdentity) -> Bool {
        cache.contains(identity.key, tag: plan.tag, furtherTags: plan.furtherTags(of: identity))
    }

    /// Forgets what `scope` says, in both tiers: of an asset also the pictures of others over which it is laid or for which
    /// it stands in; what is being made of it is not kept. It waits for the disk; workers only.
    func purge(_ scope: PurgeScope) -> PurgeResult {
        switch scope {
        case .asset(let id):
            defer { forget(CacheTag(assetID: id)) }
            return cache.purge(tag: CacheTag(assetID: id))
        case .picture(let name): return cache.purge(name.key, tag: name.tag)
        case .whole:
            defer { forget(nil) }
            return cache.purgeAll()
        }
    }

    /// Forgets what is held in memory of other servers: a group, or everything.
    func forget(_ tag: CacheTag?) {
        for cache in origins { cache.forget(tag) }
    }
}
