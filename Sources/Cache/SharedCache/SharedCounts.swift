package struct SharedCounts: Sendable, Equatable {
    package internal(set) var hits = 0
    package internal(set) var misses = 0
    package internal(set) var stores = 0
    /// Results that were not stored, as too many waited or the tier is down.
    package internal(set) var drops = 0
    /// Requests to the tier that failed or were too late.
    package internal(set) var failures = 0
    package internal(set) var corruptions = 0
    /// Renders that waited for another server.
    package internal(set) var waits = 0
    /// Purges of other servers that were carried out here.
    package internal(set) var purges = 0
    /// Whether purges of others are heard at the moment.
    package internal(set) var isReached = false
}
