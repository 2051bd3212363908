import Eviction
import Reactor
import ResponseCache

/// The lists whose renditions are being made ahead, and those whose were a short while ago.
struct PreparedLists: Sendable {
    private struct Ended: Sendable {
        let epoch: PurgeEpoch
        let instant: MonotonicInstant
    }

    /// What was evicted since is made ahead again after this time.
    private static let rest = Duration.seconds(60)

    private var running: Set<CacheKey> = []
    private var ended = BoundedMap<CacheKey, Ended>(capacity: 4096)

    /// Whether the list has to be prepared; then it counts as running.
    mutating func begin(_ preparation: Preparation, at now: MonotonicInstant, _ ledger: PurgeLedger) -> Bool {
        let list = preparation.list
        if let last = ended.find(list.name), now < last.instant + Self.rest,
            !list.isPurged(since: last.epoch, by: ledger)
        {
            return false
        }
        return running.insert(list.name).inserted
    }

    /// `isWhole`: all renditions were made, or were there.
    mutating func end(_ preparation: Preparation, isWhole: Bool, at now: MonotonicInstant) {
        let name = preparation.list.name
        running.remove(name)
        if isWhole { ended.insert(Ended(epoch: preparation.epoch, instant: now), for: name, weight: 1) }
    }
}
