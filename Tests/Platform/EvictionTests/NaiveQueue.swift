@testable import Eviction

/// The same policy as one would write it down: places with entries or without, and every key looked for in all of them. Slow.
struct NaiveQueue {
    struct Entry {
        let key: EvictionKey
        let payload: Int
        let weight: Int
        let value: Double
        var halfUses: Int
        var stamp: Int
    }

    var capacity: Int
    private var places: [Entry?] = []
    private var freePlaces: [Int] = []
    private var ghosts = GhostTable()
    private var hand = -1
    private var threshold: Float = 0x1p-12
    private var time = 0

    init(capacity: Int) { self.capacity = capacity }

    var entries: [Entry] { places.compactMap(\.self) }
    var weight: Int { entries.reduce(0) { $0 + $1.weight } }

    func peek(_ key: EvictionKey) -> Int? { place(of: key).flatMap { places[$0]?.payload } }

    mutating func find(_ key: EvictionKey) -> Int? {
        guard let place = place(of: key), let entry = places[place] else { return nil }
        time += 1
        places[place]?.halfUses = min(entry.halfUses + 2, 15)
        places[place]?.stamp = time
        return entry.payload
    }

    mutating func insert(_ payload: Int, for key: EvictionKey, weight: Int, milliseconds: Int) -> [Int] {
        guard weight <= capacity else {
            remove(key)
            return [payload]
        }
        let ghostCount = ghosts.count(of: key)
        var halfUses = min(2 * ghostCount, 15)
        if let place = place(of: key), let before = places[place] {
            halfUses = before.halfUses
        } else if ghostCount > 0 {
            time += 1
        }
        remove(key)
        var evicted: [Int] = []
        while self.weight + weight > capacity, let payload = evictOne() { evicted.append(payload) }
        let perByte = Double(milliseconds) * 500 / Double(max(weight, 1))
        let entry = Entry(
            key: key, payload: payload, weight: weight,
            value: milliseconds == 0 ? 1 : min(max(perByte, 1.0 / 16), 16), halfUses: halfUses, stamp: time)
        if let place = freePlaces.popLast() { places[place] = entry } else { places.append(entry) }
        return evicted
    }

    @discardableResult
    mutating func remove(_ key: EvictionKey) -> Int? {
        guard let place = place(of: key) else { return nil }
        defer {
            places[place] = nil
            freePlaces.append(place)
        }
        return places[place]?.payload
    }

    mutating func evictOne() -> Int? {
        let count = entries.count
        guard count > 0 else { return nil }
        var least: (key: EvictionKey, rank: Float)?
        var (visitCount, placeCount) = (0, 0)
        while visitCount < 128 && placeCount < 4096 || least == nil {
            placeCount += 1
            hand = hand + 1 < places.count ? hand + 1 : 0
            let page = hand / 128 * 128
            if places[page..<min(page + 128, places.count)].allSatisfy({ $0 == nil }) {
                hand = page + 127
                continue
            }
            guard var entry = places[hand] else { continue }
            visitCount += 1
            if time - entry.stamp > 4 * count {
                entry.halfUses /= 2
                entry.stamp = time - (time - entry.stamp) / 2
                places[hand] = entry
            }
            // Kept with eight bits, like a number of that type without its lower half.
            let value = Float(bitPattern: Float(entry.value).bitPattern & 0xffff_0000)
            let rank = value * (entry.halfUses == 0 ? 1 / 256 : Float(entry.halfUses))
            if rank < least?.rank ?? .infinity { least = (entry.key, rank) }
            if rank <= threshold { break }
            threshold *= 1 + 1 / 256
        }
        threshold = max(threshold * (1 - 24 / 256), 0x1p-12)
        guard let least else { return nil }
        ghosts.insert(least.key, entryCount: count)
        return remove(least.key)
    }

    private func place(of key: EvictionKey) -> Int? { places.firstIndex { $0?.key == key } }
}
