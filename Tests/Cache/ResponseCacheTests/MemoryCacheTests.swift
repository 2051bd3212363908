import SeededRandom
import Bytes
import ResponseCache
import TestThreads
import Testing

@Suite("Memory cache", .timeLimit(.minutes(5)))
struct MemoryCacheTests {
    @Test func whatWasPutIn_comesBack() throws {
        let cache = MemoryCache(byteCapacity: 1 << 20)
        #expect(cache.response(for: key(1)) == nil)
        let stored = StoredResponse(
            status: 404, mediaType: "image/png", entityTag: "\"abc\"", lastModifiedUnixSeconds: 12,
            head: Array("HTTP/1.1 200 OK\r\n".utf8), content: SharedBytes([1, 2, 3]), tag: CacheTag(word: 5),
            cost: .milliseconds(7), storedUnixSeconds: 99)
        #expect(cache.insert(stored, for: key(1)))
        let found = try #require(cache.response(for: key(1)))
        #expect(found.status == 404)
        #expect(found.mediaType == "image/png")
        #expect(found.entityTag == "\"abc\"")
        #expect(found.lastModifiedUnixSeconds == 12)
        #expect(found.head == stored.head)
        #expect(found.content.withUnsafeBytes { Array($0) } == [1, 2, 3])
        #expect(found.tag == CacheTag(word: 5))
        #expect(found.cost == .milliseconds(7))
        #expect(found.storedUnixSeconds == 99)
        // 176, 64, 64, 32, 48 and 48 for the objects, 32 for the content, 64 for the head, whose block may be larger than it
        // need be.
        #expect(found.byteCount >= 500 && found.byteCount <= 576, "\(found.byteCount)")
        #expect(cache.response(for: key(2)) == nil)
        #expect(cache.counts.hits == 1)
        #expect(cache.counts.misses == 2)
    }

    @Test(arguments: [1, 2, 4])
    func capacity_holdsIncludingOverhead(shardCount: Int) {
        let cache = MemoryCache(byteCapacity: 4_000_000, shardCount: shardCount)
        var numbers = SeededGenerator(state: 1)
        for number in 0..<5000 {
            let byteCount = 600 + Int(numbers.next() % 60_000)
            #expect(cache.insert(response(byteCount: byteCount), for: key(number)))
            if number.isMultiple(of: 3) { _ = cache.response(for: key(number - Int(numbers.next() % 5))) }
            // Part of a page may lie between two contents, which counts from the next insertion on.
            #expect(cache.counts.byteCount <= 4_000_000 + 10 * 4096)
        }
        let counts = cache.counts
        #expect(counts.byteCount > 3_500_000)
        #expect(counts.entryCount > 0)
        #expect(counts.insertions == 5000)
        #expect(counts.evictions == 5000 - counts.entryCount)
    }

    @Test func emptyContent_countsForTheOverhead() {
        let cache = MemoryCache(byteCapacity: 100_000, shardCount: 1)
        for number in 0..<1000 { cache.insert(response(byteCount: 0), for: key(number)) }
        // 432 bytes for the objects, and what the queue takes.
        #expect(cache.counts.entryCount < 100_000 / 450)
        #expect(cache.counts.entryCount > 120)
    }

    @Test(arguments: [1, 2, 4, 8])
    func oneEntry_takesAnEighthAtMost(shardCount: Int) {
        let cache = MemoryCache(byteCapacity: 128_000, shardCount: shardCount)
        #expect(cache.objectByteLimit == 16_000)
        for number in 0..<16 { #expect(cache.insert(response(byteCount: 15_980), for: key(number))) }
        #expect(cache.counts.byteCount <= 128_000 + 8 * 4096)
        cache.insert(response(byteCount: 1000), for: key(100))
        #expect(!cache.insert(response(byteCount: 16_016), for: key(100)))
        #expect(cache.response(for: key(100)) == nil)
        #expect(cache.counts.refusals == 1)
    }

    @Test func aNewAnswer_takesThePlaceOfTheOld() {
        let cache = MemoryCache(byteCapacity: 80_000)
        cache.insert(response(byteCount: 2000, entityTag: "\"old\""), for: key(1))
        cache.insert(response(byteCount: 3008, entityTag: "\"new\""), for: key(1))
        #expect(cache.response(for: key(1))?.entityTag == "\"new\"")
        #expect(cache.counts.entryCount == 1)
        #expect(cache.counts.insertions == 2)
        #expect(cache.counts.evictions == 0)
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
        #expect(cache.removeAll() == 49)
        #expect(cache.counts.entryCount == 0)
        #expect(cache.counts.byteCount == 0)
        #expect(cache.counts.purges == 50)
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
        var found = cache.response(for: key(0))
        for number in 1..<200 {
            cache.insert(response(byteCount: 8000), for: key(number))
            _ = cache.response(for: key(number))
        }
        #expect(cache.response(for: key(0)) == nil)
        #expect(found?.content.withUnsafeBytes { $0.allSatisfy { $0 == 9 } } == true)
        found = nil
        // The cache has a copy of its own: what was put in is let go of.
        #expect(freed.value == 0)
        held = nil
        #expect(freed.value == 1)
    }

    @Test func ofAnswersUsedAlike_thoseStayThatTookLongerToMake() {
        let cache = MemoryCache(byteCapacity: 1 << 20, shardCount: 1)
        for number in 0..<200 {
            let cost = Duration.milliseconds(number < 100 && number % 2 == 0 ? 2 : 200)
            cache.insert(response(byteCount: 8000, cost: cost), for: key(number))
            _ = cache.response(for: key(number))
        }
        let kept = (0..<100).filter { cache.contains(key($0)) }
        #expect(cache.counts.evictions > 50)
        #expect(kept.count { $0 % 2 == 1 } > 2 * kept.count { $0 % 2 == 0 }, "\(kept)")
    }

    @Test func aPurge_takesOutWhatHasTheTag() {
        let cache = MemoryCache(byteCapacity: 8 << 20)
        for number in 0..<6000 { cache.insert(response(byteCount: 400, tag: UInt64(number % 5)), for: key(number)) }
        #expect(cache.counts.entryCount == 6000)
        #expect(cache.purge(tag: CacheTag(word: 3)) == 1200)
        #expect(cache.purge(tag: CacheTag(word: 3)) == 0)
        #expect(cache.purge(tag: CacheTag(word: 9)) == 0)
        #expect(cache.counts.entryCount == 4800)
        #expect(cache.counts.purges == 1200)
        for number in 0..<6000 { #expect((cache.remove(key(number)) == nil) == (number % 5 == 3)) }
    }

    /// Contents of several pages, as the holes that tiny ones leave are as large as what they made room for: how many of
    /// those stay hangs on a few bytes of the heap.
    @Test func anotherCapacity_holdsAtOnce() {
        let cache = MemoryCache(byteCapacity: 8 << 20)
        for number in 0..<2000 { cache.insert(response(byteCount: 20_000), for: key(number)) }
        let before = cache.counts
        #expect(before.entryCount > 300 && before.byteCount > 7 << 20, "\(before)")
        cache.setByteCapacity(3_000_000)
        let after = cache.counts
        #expect(cache.byteCapacity == 3_000_000)
        #expect(cache.objectByteLimit == 375_000)
        // Pages that evicted contents have left in part make others leave at the next insertion only.
        #expect(after.byteCount < before.byteCount / 2, "\(after)")
        #expect(after.entryCount > 80, "\(after)")
        #expect(after.evictions == before.evictions + before.entryCount - after.entryCount)
        cache.setByteCapacity(1 << 20)
        for number in 0..<500 { cache.insert(response(byteCount: 20_000), for: key(number)) }
        #expect(cache.counts.byteCount > 800_000 && cache.counts.byteCount <= 1 << 20, "\(cache.counts)")
        cache.setByteCapacity(-1)
        #expect(cache.counts.entryCount == 0)
        #expect(!cache.insert(response(byteCount: 0), for: key(1)))
    }

    @Test func manySmallEntries_makeRoomForALargeOne() {
        let cache = MemoryCache(byteCapacity: 4 << 20, shardCount: 1)
        for number in 0..<20_000 { cache.insert(response(byteCount: 0), for: key(number)) }
        let before = cache.counts.entryCount
        #expect(cache.insert(response(byteCount: 500_000), for: key(-1)))
        #expect(cache.counts.byteCount <= 4 << 20 + 8192)
        #expect(before - cache.counts.entryCount > 1000)
        #expect(cache.response(for: key(-1)) != nil)
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
                    cache.insert(response(byteCount: 600 + number * 20, entityTag: "\"\(number)\""), for: key(number))
                }
                if number == 0 { cache.remove(key(Int(numbers.next() % 200))) }
                if number == 1 { cache.removeAll() }
                if number == 2 { _ = cache.purge(tag: CacheTag(word: 0)) }
                if number == 3 { cache.setByteCapacity(100_000 + Int(numbers.next() % 100_000)) }
            }
        }
        cache.removeAll()
        #expect(cache.counts.byteCount == 0)
    }
}
