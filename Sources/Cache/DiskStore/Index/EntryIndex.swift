import Eviction
import Synchronization

/// The known entries in the order of eviction. Not needed to find one.
final class EntryIndex: Sendable {
    private struct State {
        /// The tag of each entry; with the key it gives the name.
        var queue: EvictionQueue<UInt64>
        /// Less than configured where the disk was full before.
        var byteCapacity: Int
        /// Bytes of an entry that was turned away for want of room; 0: none was.
        var wantedByteCount = 0
        var folderCounts = [Int32](repeating: 0, count: EntryName.folderCount)

        mutating func removed(_ tag: UInt64) { folderCounts[Int(tag >> 56)] -= 1 }
    }

    private let byteCapacity: Int
    private let fileCapacity: Int
    private let state: Mutex<State>

    init(byteCapacity: Int, fileCapacity: Int) {
        self.byteCapacity = max(byteCapacity, 0)
        self.fileCapacity = max(fileCapacity, 0)
        state = Mutex(State(queue: EvictionQueue(capacity: self.byteCapacity), byteCapacity: self.byteCapacity))
    }

    private static func hardBound(_ capacity: Int) -> Int {
        let (sum, overflow) = capacity.addingReportingOverflow(capacity / 20)
        return overflow ? .max : sum
    }

    var entryLimit: Int { byteCapacity / 8 }

    /// At 105 % storing waits for eviction, which then makes that much room.
    func hasRoom(for byteCount: Int) -> Bool {
        state.withLock { state in
            let bound = Self.hardBound(state.byteCapacity)
            let fits = byteCount <= bound - min(state.queue.weight, bound)
            if fits, state.queue.count < Self.hardBound(fileCapacity) { return true }
            if byteCount <= state.byteCapacity { state.wantedByteCount = max(state.wantedByteCount, byteCount, 1) }
            return false
        }
    }

    func use(_ name: EntryName) -> Bool { state.withLock { $0.queue.find(name.indexKey) != nil } }
    func contains(_ name: EntryName) -> Bool { state.withLock { $0.queue.peek(name.indexKey) != nil } }

    /// Adds `name` or corrects its size. Evicts nothing. A cost of zero is not known: the listing reads no entries.
    func insert(_ name: EntryName, byteCount: Int, cost: Duration = .zero) {
        state.withLock { state in
            let known = state.queue.insert(
                name.tag, for: name.indexKey, weight: byteCount, costMicroseconds: cost.wholeMicroseconds)
            if known == nil { state.folderCounts[name.folder] += 1 }
        }
    }

    private static func evict(_ state: inout State) -> EntryName? {
        guard let entry = state.queue.evictOne() else { return nil }
        state.removed(entry.payload)
        return EntryName(indexed: entry.key, tag: entry.payload)
    }

    func remove(_ name: EntryName) {
        state.withLock { state in
            if state.queue.remove(name.indexKey) != nil { state.removed(name.tag) }
        }
    }

    func removeAll() {
        state.withLock { state in
            state.queue.removeAll()
            state.wantedByteCount = 0
            state.folderCounts = [Int32](repeating: 0, count: EntryName.folderCount)
        }
    }

    /// Whether a limit is exceeded, or an entry was turned away.
    var isOverCapacity: Bool {
        state.withLock { $0.queue.weight > $0.byteCapacity || $0.queue.count > fileCapacity || $0.wantedByteCount > 0 }
    }

    /// Takes out entries until usage is a little below capacity and there is room for what was turned away.
    func evict(limit: Int) -> [EntryName] {
        state.withLock { state in
            var byteTarget = state.byteCapacity - min(state.byteCapacity / 100, 64 << 20)
            var fileTarget = fileCapacity - fileCapacity / 100
            if state.wantedByteCount > 0 {
                byteTarget = min(byteTarget, max(0, Self.hardBound(state.byteCapacity) - state.wantedByteCount))
                fileTarget = min(fileTarget, max(0, Self.hardBound(fileCapacity) - 1))
            }
            let names = Self.evict(&state, limit: limit) { $0.weight > byteTarget || $0.count > fileTarget }
            if names.count < limit { state.wantedByteCount = 0 }
            return names
        }
    }

    func evict(byteCount: Int, limit: Int) -> [EntryName] {
        state.withLock { state in
            let weight = state.queue.weight
            return Self.evict(&state, limit: limit) { weight - $0.weight < byteCount }
        }
    }

    private static func evict(
        _ state: inout State, limit: Int, while isNeeded: (borrowing EvictionQueue<UInt64>) -> Bool
    ) -> [EntryName] {
        var names: [EntryName] = []
        while names.count < limit, isNeeded(state.queue), let name = evict(&state) { names.append(name) }
        return names
    }

    /// The disk was full. If our entries fill it, they may take a sixteenth less from now on.
    func limitToDisk(byteCount: Int) {
        state.withLock { state in
            let weight = state.queue.weight
            guard weight / 16 >= byteCount else { return }
            state.byteCapacity = min(state.byteCapacity, weight - weight / 16)
            state.queue.capacity = state.byteCapacity
        }
    }

    var isLimitedByDisk: Bool { state.withLock { $0.byteCapacity < byteCapacity } }

    /// The disk has `byteCount` bytes left: entries may take more again if a sixteenth of theirs stays free.
    func raiseLimit(availableByteCount byteCount: Int) {
        state.withLock { state in
            let weight = state.queue.weight
            let (sum, overflow) = (weight - weight / 16).addingReportingOverflow(byteCount)
            state.byteCapacity = max(state.byteCapacity, min(overflow ? .max : sum, byteCapacity))
            state.queue.capacity = state.byteCapacity
        }
    }

    func count(inFolder folder: Int) -> Int { state.withLock { Int($0.folderCounts[folder]) } }

    /// Known entries of the folder number `folder` for which `isMissing` holds. Scans all entries, a few thousand at a time.
    func names(inFolder folder: Int, where isMissing: (EntryName) -> Bool) -> [EntryName] {
        var names: [EntryName] = []
        var cursor: Int? = 0
        while let from = cursor {
            cursor = state.withLock { state in
                state.queue.scan(from: from, limit: 4096) { key, tag in
                    guard Int(tag >> 56) == folder else { return }
                    names.append(EntryName(indexed: key, tag: tag))
                }
            }
        }
        return names.filter(isMissing)
    }

    var sums: (entryCount: Int, byteCount: Int, overheadByteCount: Int) {
        state.withLock { ($0.queue.count, $0.queue.weight, $0.queue.overheadByteCount) }
    }
}
