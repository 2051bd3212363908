package struct SharedCacheSettings: Sendable {
    package var address: RedisAddress
    package var prefix = SharedPrefix()
    /// A worker waits no longer for an answer.
    package var patience = Duration.milliseconds(250)
    /// Connections besides the one that listens for purges, each with a thread.
    package var connectionCount = 3
    /// Of the content of results that wait to be stored.
    package var waitingByteLimit = 32 << 20
    package var waitingLimit = 4096
    /// How the host of `address` is looked up; tests choose it.
    var lookUp: HostLookup.LookUp = HostLookup.system

    package init(_ address: RedisAddress) { self.address = address }
}

package enum SharedCacheEvent: Equatable, Sendable {
    case reached
    /// Purges of other servers are not heard, and what is stored there may not be found.
    case lost(cause: String)
    /// Purges of other servers that cannot be told any more, so everything was purged here.
    case historyLost
    /// Other servers have not heard of a purge yet; it is told when the tier is back.
    case purgeDelayed
}
