import Digest
import Synchronization

// When each group was last purged, in a table of fixed size without locks. Groups that share a slot share their purges,
// which costs a picture that was being made at that moment its place in the cache, nothing else. Nothing is ever forgotten,
// so work may take as long as it likes.

/// How many purges there had been at some moment.
package struct PurgeEpoch: Hashable, Comparable, Sendable {
    fileprivate let number: UInt64

    package static func < (left: PurgeEpoch, right: PurgeEpoch) -> Bool { left.number < right.number }
}

/// Knows what was purged since a piece of work began, so that a purge wins against work that began before it.
///
/// Who purges notes it here first and takes the entries out afterwards. Who stores asks `isPurged` under the lock under
/// which the entry goes in: then either the note is seen, or the entry is in before the purge gets to that lock. Where there
/// is no such lock, as on disk, it is asked after the entry is in, which is taken out again if it must be.
///
/// Every call is a few atomic loads and stores: no lock, no allocation. 32 KiB.
package final class PurgeLedger: Sendable {
    private static let slotCount = 4096

    private let latest = Atomic<UInt64>(0)
    private let whole = Atomic<UInt64>(0)
    private let slots: [4096 of Atomic<UInt64>]

    package init() {
        slots = InlineArray { _ in Atomic(0) }
    }

    /// The epoch now: work takes it before it looks at its source. It is also the number by which those who remember what
    /// a source was like learn that there was a purge and that they have to look again.
    package var epoch: PurgeEpoch { PurgeEpoch(number: latest.load(ordering: .acquiring)) }

    /// Whether the group of `tag`, the entry of `key` or everything was purged after `epoch`. Rarely also true when it was
    /// not.
    package func isPurged(_ tag: CacheTag, _ key: CacheKey, since epoch: PurgeEpoch) -> Bool {
        guard latest.load(ordering: .acquiring) != epoch.number else { return false }
        return whole.load(ordering: .acquiring) > epoch.number
            || slots[Self.slot(of: tag)].load(ordering: .acquiring) > epoch.number
            || slots[Self.slot(of: key)].load(ordering: .acquiring) > epoch.number
    }

    /// Whether one of the groups of `tags` was purged after `epoch`, as above.
    package func isPurged(_ tags: [CacheTag], since epoch: PurgeEpoch) -> Bool {
        guard !tags.isEmpty, latest.load(ordering: .acquiring) != epoch.number else { return false }
        return tags.contains { slots[Self.slot(of: $0)].load(ordering: .acquiring) > epoch.number }
    }

    /// Notes that the entries with `tag` are about to be taken out.
    package func notePurge(of tag: CacheTag) {
        note(in: slots[Self.slot(of: tag)])
    }

    /// Notes that the entry of `key` is about to be taken out.
    package func notePurge(of key: CacheKey) {
        note(in: slots[Self.slot(of: key)])
    }

    /// Notes that all entries are about to be taken out.
    package func notePurgeOfAll() {
        note(in: whole)
    }

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
