package import ResponseCache

/// What a purge takes out of the cache.
package enum PurgeScope: Equatable, Sendable {
    /// All renditions made of the asset with this id.
    case asset(String)
    /// One rendition, by the key that `Cache-Status` shows.
    case rendition(CacheEntryName)
    case whole
}
