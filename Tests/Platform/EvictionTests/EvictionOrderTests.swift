import Eviction
import SeededRandom
import Testing

/// The textbook cache to compare with: the entry not asked for the longest leaves first.
private struct LeastRecentlyUsed {
    let limit: Int
    private var times: [Int: Int] = [:]
    private var time = 0

    init(limit: Int) { self.limit = limit }

    mutating func request(_ number: Int) -> Bool {
        time += 1
        let isHit = times.updateValue(time, forKey: number) != nil
        if times.count > limit, let oldest = times.min(by: { $0.value < $1.value }) { times[oldest.key] = nil }
        return isHit
    }
}

@Suite("What stays in an eviction queue", .timeLimit(.minutes(5)))
struct EvictionOrderTests {
    private var queue = EvictionQueue<Int>(capacity: 100)

    private mutating func request(_ number: Int) -> Bool {
        if queue.find(key(number)) != nil { return true }
        var evicted: [Int] = []
        queue.insert(number, for: key(number), weight: 1, evicted: &evicted)
        return false
    }

    @Test mutating func aNewFavourite_getsInAfterAScan() {
        for _ in 0..<3 {
            for number in 0..<100 { _ = request(number) }
        }
        // Evicted before it is asked for again: its key is remembered, so the second time it stays.
        for round in 0..<20 {
            _ = request(500)
            for number in 0..<15 { _ = request(1000 + round * 15 + number) }
        }
        #expect(queue.peek(key(500)) != nil)
    }

    /// Of 150 new ones none is there when it is asked for again, so nothing but their return tells that the old ones rest.
    @Test(arguments: [(5, 10, 200..<290, 80), (10, 40, 200..<350, 50)])
    mutating func oldFavourites_leaveInTheEnd(old: Int, new: Int, _ numbers: Range<Int>, hits: Int) {
        for _ in 0..<old {
            for number in 0..<100 { _ = request(number) }
        }
        for _ in 0..<new {
            for number in numbers { _ = request(number) }
        }
        let found = numbers.count { request($0) }
        #expect(found > hits)
    }

    /// As after many small entries made room for a few large ones.
    @Test func aScanAmongManyFreeSlots_leavesWhatIsAskedForAgain() {
        var queue = EvictionQueue<Int>(capacity: 16_384)
        for number in 0..<16_384 { queue.insert(number, for: key(number), weight: 1) }
        for number in 0..<16_384 where number % 64 != 0 { queue.remove(key(number)) }
        queue.capacity = queue.count
        for number in stride(from: 0, to: 16_384, by: 64) {
            for _ in 0..<2 { _ = queue.find(key(number)) }
        }
        var evicted: [Int] = []
        for number in 20_000..<25_000 { queue.insert(number, for: key(number), weight: 1, evicted: &evicted) }
        let survivors = stride(from: 0, to: 16_384, by: 64).count { queue.peek(key($0)) != nil }
        #expect(survivors > 230, "\(survivors) of 256")
    }

    @Test mutating func ofEntriesUsedAlike_thoseStayThatSaveMoreTimePerByte() {
        var queue = EvictionQueue<Int>(capacity: 100_000)
        var evicted: [Int] = []
        // 4 ms or 1 ms; 500 bytes or 2000.
        for number in 0..<80 {
            queue.insert(
                number, for: key(number), weight: number % 2 == 0 ? 500 : 2000,
                costMicroseconds: number % 4 < 2 ? 4000 : 1000, evicted: &evicted)
        }
        #expect(evicted.isEmpty)
        for number in 0..<80 { _ = queue.find(key(number)) }
        for number in 100..<140 {
            queue.insert(number, for: key(number), weight: 2000, costMicroseconds: 4000, evicted: &evicted)
            _ = queue.find(key(number))
        }
        let kept = (0..<4).map { kind in (0..<80).count { $0 % 4 == kind && queue.peek(key($0)) != nil } }
        #expect(kept[0] == 20 && min(kept[1], kept[2]) > kept[3], "\(kept)")
    }

    @Test mutating func mixedRequests_hitMoreThanLeastRecentlyUsed() {
        var numbers = SeededGenerator(state: 42)
        var peer = LeastRecentlyUsed(limit: 100)
        var hits = 0
        var peerHits = 0
        var scan = 100_000
        for _ in 0..<20_000 {
            // One request in three walks through pictures nobody asks for again; the others follow Zipf's law over 1,000.
            let number: Int
            if numbers.next() % 3 == 0 {
                scan += 1
                number = scan
            } else {
                let fraction = Double(numbers.next() >> 11) / Double(1 << 53)
                number = Int(1000.0.power(fraction))
            }
            if request(number) { hits += 1 }
            if peer.request(number) { peerHits += 1 }
        }
        #expect(Double(hits) > 1.1 * Double(peerHits), "\(hits) hits against \(peerHits) of 20,000")
    }
}

extension Double {
    /// `self` to the power of `exponent` in 0…1, by halving: enough for a test, without a mathematics library.
    fileprivate func power(_ exponent: Double) -> Double {
        var (result, root, rest) = (1.0, self, exponent)
        for _ in 0..<40 {
            root = root.squareRoot()
            rest *= 2
            if rest >= 1 {
                result *= root
                rest -= 1
            }
        }
        return result
    }
}
