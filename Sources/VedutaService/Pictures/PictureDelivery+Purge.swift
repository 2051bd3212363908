import ResponseCache

extension PictureDelivery {
    /// Forgets what `scope` says, in both tiers; what is being made of it is not kept. It waits for the disk; workers only.
    func purge(_ scope: CacheRoute.Scope) -> PurgeResult {
        switch scope {
        case .asset(let id): cache.purge(tag: CacheTag(assetID: id))
        case .picture(let name): cache.purge(name.key, tag: name.tag)
        case .whole: cache.purgeAll()
        }
    }
}
