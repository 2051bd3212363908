@testable import Eviction

/// S3-FIFO as one would write it down: lists from the oldest to the newest entry, and a dictionary. Slow.
struct NaiveQueue {
    struct Entry {
        var payload: Int
        var weight: Int
        var useCount = 0
    }

    var capacity: Int
    private(set) var entries: [EvictionKey: Entry] = [:]
    private var small: [EvictionKey] = []
    private var main: [EvictionKey] = []
    private var ghosts = GhostTable()

    init(capacity: Int) { self.capacity = capacity }

    var weight: Int { weight(of: small) + weight(of: main) }

    mutating func find(_ key: EvictionKey) -> Int? {
        guard let entry = entries[key] else { return nil }
        entries[key]?.useCount = min(entry.useCount + 1, 3)
        return entry.payload
    }

    mutating func insert(_ payload: Int, for key: EvictionKey, weight: Int) -> [Int] {
        guard weight <= capacity else {
            remove(key)
            return [payload]
        }
        let isGhost = ghosts.remove(key, limit: entries.count)
        let isMain = isGhost || main.contains(key)
        let useCount = entries[key]?.useCount ?? 0
        remove(key)
        var evicted: [Int] = []
        var passCount = 0
        while self.weight + weight > capacity, let entry = evict(&passCount) { evicted.append(entry) }
        entries[key] = Entry(payload: payload, weight: weight, useCount: useCount)
        if isMain { main.append(key) } else { small.append(key) }
        return evicted
    }

    @discardableResult
    mutating func remove(_ key: EvictionKey) -> Int? {
        small.removeAll { $0 == key }
        main.removeAll { $0 == key }
        return entries.removeValue(forKey: key)?.payload
    }

    mutating func evictOne() -> Int? {
        var passCount = 0
        return evict(&passCount)
    }

    private mutating func evict(_ passCount: inout Int) -> Int? {
        while !entries.isEmpty {
            let mayPass = passCount < 128
            let isFromSmall = !small.isEmpty && (main.isEmpty || mayPass && weight(of: small) > capacity / 10)
            let key = isFromSmall ? small[0] : main[0]
            let useCount = entries[key]?.useCount ?? 0
            if isFromSmall { small.removeFirst() } else { main.removeFirst() }
            if useCount > 0, mayPass {
                passCount += 1
                main.append(key)
                entries[key]?.useCount = isFromSmall ? 0 : useCount - 1
            } else {
                if isFromSmall { ghosts.insert(key, limit: entries.count) }
                return entries.removeValue(forKey: key)?.payload
            }
        }
        return nil
    }

    private func weight(of keys: [EvictionKey]) -> Int {
        keys.reduce(0) { $0 + (entries[$1]?.weight ?? 0) }
    }
}
