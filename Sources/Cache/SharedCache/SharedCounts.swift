import Synchronization

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

    package init() {}
}

final class SharedCounters: Sendable {
    let hits = Atomic<Int>(0)
    let misses = Atomic<Int>(0)
    let stores = Atomic<Int>(0)
    let drops = Atomic<Int>(0)
    let failures = Atomic<Int>(0)
    let corruptions = Atomic<Int>(0)
    let waits = Atomic<Int>(0)
    let purges = Atomic<Int>(0)
    let isReached = Atomic<Bool>(false)

    var counts: SharedCounts {
        var counts = SharedCounts()
        counts.hits = hits.load(ordering: .relaxed)
        counts.misses = misses.load(ordering: .relaxed)
        counts.stores = stores.load(ordering: .relaxed)
        counts.drops = drops.load(ordering: .relaxed)
        counts.failures = failures.load(ordering: .relaxed)
        counts.corruptions = corruptions.load(ordering: .relaxed)
        counts.waits = waits.load(ordering: .relaxed)
        counts.purges = purges.load(ordering: .relaxed)
        counts.isReached = isReached.load(ordering: .relaxed)
        return counts
    }
}
