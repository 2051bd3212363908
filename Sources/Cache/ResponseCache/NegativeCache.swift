package import Reactor
import Synchronization

// Failures are kept for seconds, so that an unreadable source is not read again for every request. They are few and
// small: one lock, and the newest replaces the oldest. A hit never comes here.

/// Recent failures to make responses, each for a short while.
package final class NegativeCache<Failure: Sendable>: Sendable {
    package struct Known: Sendable {
        package let failure: Failure
        package let failedAt: MonotonicInstant
        package let until: MonotonicInstant
    }

    private struct Entry: Sendable {
        let known: Known
        let tags: [CacheTag]
        let number: UInt64
    }

    private struct Table: Sendable {
        var entries: [CacheKey: Entry] = [:]
        /// Keys in order of insertion; replaced and removed keys have another number.
        var order: [(key: CacheKey, number: UInt64)] = []
        var first = 0
        var lastNumber: UInt64 = 0

        mutating func removeOldest() {
            while first < order.count {
                let (key, number) = order[first]
                first += 1
                guard entries[key]?.number == number else { continue }
                entries[key] = nil
                return
            }
        }

        mutating func compact() {
            guard first > 64 || order.count > 4 * entries.count + 64 else { return }
            order = order[first...].filter { entries[$0.key]?.number == $0.number }
            first = 0
        }
    }

    private let table = Mutex(Table())
    private let countLimit: Int

    package init(countLimit: Int = 4096) { self.countLimit = max(1, countLimit) }

    package func failure(for key: CacheKey, at now: MonotonicInstant) -> Known? {
        table.withLock { table in
            guard let entry = table.entries[key] else { return nil }
            if now < entry.known.until { return entry.known }
            table.entries[key] = nil
            return nil
        }
    }

    /// Replaces `key`'s or, without room, the oldest. `isPurged` is called under the lock. Returns success.
    @discardableResult package func insert(
        _ failure: Failure, for key: CacheKey, tag: CacheTag, furtherTags: [CacheTag] = [], at now: MonotonicInstant,
        lifetime: Duration, unless isPurged: () -> Bool = { false }
    ) -> Bool {
        guard lifetime > .zero else { return false }
        return table.withLock { table in
            guard !isPurged() else { return false }
            if table.entries[key] == nil, table.entries.count >= countLimit { table.removeOldest() }
            table.lastNumber += 1
            table.entries[key] = Entry(
                known: Known(failure: failure, failedAt: now, until: now + lifetime), tags: [tag] + furtherTags,
                number: table.lastNumber)
            table.order.append((key, table.lastNumber))
            table.compact()
            return true
        }
    }

    package func remove(_ key: CacheKey) { table.withLock { $0.entries[key] = nil } }

    /// O(failures).
    package func purge(tag: CacheTag) {
        table.withLock { table in table.entries = table.entries.filter { !$0.value.tags.contains(tag) } }
    }

    package func removeAll() { table.withLock { $0 = Table() } }

    /// Includes failures that no longer hold.
    package var count: Int { table.withLock { $0.entries.count } }
}
