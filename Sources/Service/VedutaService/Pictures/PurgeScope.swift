import ResponseCache

/// What a purge takes out of the cache.
enum PurgeScope: Equatable, Sendable {
    /// All pictures made of the asset with this id.
    case asset(String)
    /// One picture, by the key that `Cache-Status` shows.
    case picture(CacheEntryName)
    case whole
}
