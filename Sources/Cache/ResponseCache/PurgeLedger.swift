import Digest
import Synchronization

// The last purge of each group in a table of fixed size without locks. Groups that share a slot share their purges: then a
// response being made at that moment is not stored, nothing worse. Nothing is forgotten, so work may take any time.

/// A number of purges so far.
package struct PurgeEpoch: Hashable, Comparable, Sendable {
    fileprivate let number: UInt64

    package static func < (left: PurgeEpoch, right: PurgeEpoch) -> Bool { left.number < right.number }
}

/// A purge wins against older work: note it, then remove. Code that stores calls `isPurged` under its lock or after.
package final class PurgeLedger: Sendable {
    private static let slotCount = 4096

    private let latest = Atomic<UInt64>(0)
    private let whole = Atomic<UInt64>(0)
    private let slots: [4096 of Atomic<UInt64>]

    package init() { slots = InlineArray { _ in Atomic(0) } }

    /// Taken before a look at a source. A new epoch also tells those who remember a source's state to look again.
    package var epoch: PurgeEpoch { PurgeEpoch(number: latest.load(ordering: .acquiring)) }

    /// Whether the group of `tag`, the entry of `key` or everything was purged after `epoch`; rarely true when not.
    package func isPurged(_ tag: CacheTag, _ key: CacheKey, since epoch: PurgeEpoch) -> Bool {
        guard latest.load(ordering: .acquiring) != epoch.number else { return false }
        return whole.load(ordering: .acquiring) > epoch.number
            || slots[Self.slot(of: tag)].load(ordering: .acquiring) > epoch.number
            || slots[Self.slot(of: key)].load(ordering: .acquiring) > epoch.number
    }

    /// Whether one of these groups was purged after `epoch`; rarely true when not.
    package func isPurged(_ tags: [CacheTag], since epoch: PurgeEpoch) -> Bool {
        guard !tags.isEmpty, latest.load(ordering: .acquiring) != epoch.number else { return false }
        return tags.contains { slots[Self.slot(of: $0)].load(ordering: .acquiring) > epoch.number }
    }

    /// Call it before the entries with `tag` are removed.
    package func notePurge(of tag: CacheTag) { note(in: slots[Self.slot(of: tag)]) }

    package func notePurge(of key: CacheKey) { note(in: slots[Self.slot(of: key)]) }

    package func notePurgeOfAll() { note(in: whole) }

    private func note(in slot: borrowing Atomic<UInt64>) {
        let number = latest.add(1, ordering: .acquiringAndReleasing).newValue
        // Two purges may get here in either order: the later one stays.
        slot.max(number, ordering: .acquiringAndReleasing)
    }

    private static func slot(of tag: CacheTag) -> Int { Int(truncatingIfNeeded: tag.word % UInt64(slotCount)) }

    private static func slot(of key: CacheKey) -> Int {
        Int(truncatingIfNeeded: key.digest.trailingWord % UInt64(slotCount))
    }
}

package struct PurgeResult: Equatable, Sendable {
    package var memory = 0
    package var disk = 0
}
