import SeededRandom
import Bytes
import ResponseCache
import Testing

@Suite("Memory cache")
struct MemoryCacheTests {
    @Test func whatWasPutIn_comesBack() throws {
        let cache = MemoryCache(byteCapacity: 1 << 20)
        #expect(cache.response(for: key(1)) == nil)
        let stored = StoredResponse(
            status: 404, mediaType: "image/png", entityTag: "\"abc\"", lastModifiedUnixSeconds: 12,
            head: Array("HTTP/1.1 200 OK\r\n".utf8), content: SharedBytes([1, 2, 3]))
        #expect(cache.insert(stored, for: key(1)))
        let found = try #require(cache.response(for: key(1)))
        #expect(found === stored)
        #expect(found.byteCount == 3 + 17 + 9 + 5 + StoredResponse.overheadByteCount)
        #expect(cache.response(for: key(2)) == nil)
        #expect(cache.counts.hits == 1)
        #expect(cache.counts.misses == 2)
    }

    @Test(arguments: [1, 2, 4, 8])
    func capacity_holdsIncludingOverhead(shardCount: Int) {
        let cache = MemoryCache(byteCapacity: 400_000, shardCount: shardCount)
        var numbers = SeededGenerator(state: 1)
        for number in 0..<5000 {
            let byteCount = 600 + Int(numbers.next() % 40_000)
            #expect(cache.insert(response(byteCount: byteCount), for: key(number)))
            if number.isMultiple(of: 3) { _ = cache.response(for: key(number - Int(numbers.next() % 5))) }
            #expect(cache.counts.byteCount <= 400_000)
        }
        let counts = cache.counts
        #expect(counts.byteCount > 250_000)
        #expect(counts.entryCount > 0)
        #expect(counts.insertions == 5000)
        #expect(counts.evictions == 5000 - counts.entryCount)
    }

    @Test func emptyContent_countsForTheOverhead() {
        let cache = MemoryCache(byteCapacity: 100_000, shardCount: 1)
        for number in 0..<1000 { cache.insert(response(byteCount: 0), for: key(number)) }
        #expect(cache.counts.entryCount <= 100_000 / StoredResponse.overheadByteCount)
    }

    @Test(arguments: [1, 4, 8])
    func oneEntry_takesAnEighthAtMost(shardCount: Int) {
        let cache = MemoryCache(byteCapacity: 80_000, shardCount: shardCount)
        #expect(cache.objectByteLimit == 10_000)
        for number in 0..<16 { #expect(cache.insert(response(byteCount: 10_000), for: key(number))) }
        #expect(cache.counts.byteCount <= 80_000)
        #expect(!cache.insert(response(byteCount: 10_001), for: key(100)))
        #expect(cache.response(for: key(100)) == nil)
        #expect(cache.counts.refusals == 1)
    }

    @Test func aNewAnswer_takesThePlaceOfTheOld() {
        let cache = MemoryCache(byteCapacity: 80_000)
        cache.insert(response(byteCount: 2000, tag: "\"old\""), for: key(1))
        cache.insert(response(byteCount: 3000, tag: "\"new\""), for: key(1))
        #expect(cache.response(for: key(1))?.entityTag == "\"new\"")
        #expect(cache.counts.entryCount == 1)
        #expect(cache.counts.byteCount == 3000)
        #expect(!cache.insert(response(byteCount: 70_000), for: key(1)))
        #expect(cache.response(for: key(1)) == nil)
        #expect(cache.counts.byteCount == 0)
    }

    @Test(arguments: [0, -1, 7])
    func noCapacity_holdsNothing(capacity: Int) {
        let cache = MemoryCache(byteCapacity: capacity)
        #expect(!cache.insert(response(byteCount: 0), for: key(1)))
        #expect(cache.response(for: key(1)) == nil)
    }

    @Test func removal_givesRoomBack() {
        let cache = MemoryCache(byteCapacity: 1 << 20)
        for number in 0..<50 { cache.insert(response(byteCount: 1000), for: key(number)) }
        #expect(cache.remove(key(7)) != nil)
        #expect(cache.remove(key(7)) == nil)
        #expect(cache.counts.entryCount == 49)
        cache.removeAll()
        #expect(cache.counts.entryCount == 0)
        #expect(cache.counts.byteCount == 0)
        for number in 0..<50 { #expect(cache.response(for: key(number)) == nil) }
        cache.insert(response(byteCount: 1000), for: key(7))
        #expect(cache.response(for: key(7)) != nil)
    }

    @Test func anAnswerInUse_outlivesItsEviction() {
        let freed = Tally()
        let cache = MemoryCache(byteCapacity: 80_000, shardCount: 1)
        var held: StoredResponse? = {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 1)
            memory.initializeMemory(as: UInt8.self, repeating: 9, count: 100)
            let content = SharedBytes(
                adopting: memory, count: 100,
                release: {
                    UnsafeMutableRawPointer(mutating: $0).deallocate()
                    freed.add()
                })
            return StoredResponse(mediaType: "image/png", entityTag: "\"x\"", content: content)
        }()
        held.map { _ = cache.insert($0, for: key(0)) }
        for number in 1..<100 { cache.insert(response(byteCount: 8000), for: key(number)) }
        #expect(cache.response(for: key(0)) == nil)
        #expect(freed.value == 0)
        #expect(held?.content.withUnsafeBytes { $0.allSatisfy { $0 == 9 } } == true)
        held = nil
        #expect(freed.value == 1)
    }

    @Test func threads_mayUseItTogether() {
        let cache = MemoryCache(byteCapacity: 200_000)
        onThreads(8) { thread in
            var numbers = SeededGenerator(state: UInt64(thread))
            for _ in 0..<1000 {
                let number = Int(numbers.next() % 200)
                if let found = cache.response(for: key(number)) {
                    #expect(found.entityTag == "\"\(number)\"")
                } else {
                    cache.insert(response(byteCount: 600 + number * 20, tag: "\"\(number)\""), for: key(number))
                }
                if number == 0 { cache.remove(key(Int(numbers.next() % 200))) }
                if number == 1 { cache.removeAll() }
            }
        }
        #expect(cache.counts.byteCount <= 200_000)
        cache.removeAll()
        #expect(cache.counts.byteCount == 0)
    }
}

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

@Suite("Eviction")
struct EvictionTests {
    private let cache = MemoryCache(byteCapacity: 100_000, shardCount: 1)

    private func request(_ number: Int) -> Bool {
        if cache.response(for: key(number)) != nil { return true }
        cache.insert(response(byteCount: 1000), for: key(number))
        return false
    }

    @Test func aScan_leavesWhatIsAskedForAgain() {
        for _ in 0..<3 {
            for number in 0..<50 { _ = request(number) }
        }
        for number in 1000..<11_000 { _ = request(number) }
        let survivors = (0..<50).filter { cache.response(for: key($0)) != nil }
        #expect(survivors.count == 50)
    }

    @Test func aNewFavourite_getsInAfterAScan() {
        for _ in 0..<3 {
            for number in 0..<100 { _ = request(number) }
        }
        // Put out of the small queue before it is asked for again: its key is remembered, so the second time it stays.
        for round in 0..<20 {
            _ = request(500)
            for number in 0..<15 { _ = request(1000 + round * 15 + number) }
        }
        #expect(request(500))
    }

    @Test func oldFavourites_leaveInTheEnd() {
        for _ in 0..<5 {
            for number in 0..<100 { _ = request(number) }
        }
        for _ in 0..<10 {
            for number in 200..<290 { _ = request(number) }
        }
        let hits = (200..<290).filter { request($0) }.count
        #expect(hits > 80)
    }

    @Test func mixedRequests_hitMoreThanLeastRecentlyUsed() {
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
