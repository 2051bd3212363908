import Reactor
import ResponseCache
import Testing

/// Failures hold for their time, leave for newer ones and for purges.
@Suite(.timeLimit(.minutes(5))) struct NegativeCacheTests {
    private let start = MonotonicInstant(nanoseconds: 5_000_000_000)
    private let tag = CacheTag(word: 1)

    @Test func failure_holdsForItsLifetime() throws {
        let cache = NegativeCache<String>()
        cache.insert("corrupt", for: key(1), tag: tag, at: start, lifetime: .seconds(60))
        let known = try #require(cache.failure(for: key(1), at: start + .seconds(59.9)))
        #expect(known.failure == "corrupt")
        #expect(known.failedAt == start)
        #expect(known.until == start + .seconds(60))
        #expect(cache.failure(for: key(2), at: start) == nil)
        #expect(cache.failure(for: key(1), at: start + .seconds(60)) == nil)
        #expect(cache.count == 0)
    }

    @Test func laterFailure_replacesTheEarlier() {
        let cache = NegativeCache<String>(countLimit: 2)
        for number in 0..<300 { cache.insert("\(number)", for: key(1), tag: tag, at: start, lifetime: .seconds(60)) }
        #expect(cache.failure(for: key(1), at: start)?.failure == "299")
        #expect(cache.count == 1)
    }

    @Test func oldest_leavesForTheNewest() {
        let cache = NegativeCache<Int>(countLimit: 10)
        for number in 0..<500 { cache.insert(number, for: key(number), tag: tag, at: start, lifetime: .seconds(9)) }
        #expect(cache.count == 10)
        for number in 490..<500 { #expect(cache.failure(for: key(number), at: start)?.failure == number) }
        // One that came again is young again.
        cache.insert(0, for: key(490), tag: tag, at: start, lifetime: .seconds(9))
        cache.insert(1, for: key(1), tag: tag, at: start, lifetime: .seconds(9))
        #expect(cache.failure(for: key(490), at: start) != nil)
        #expect(cache.failure(for: key(491), at: start) == nil)
    }

    @Test func purges_takeOutTheirGroup_andKeepOutWhatBeganBefore() {
        let cache = NegativeCache<Int>()
        for number in 0..<10 {
            cache.insert(
                number, for: key(number), tag: CacheTag(word: UInt64(number % 2)), at: start, lifetime: .seconds(9))
        }
        cache.purge(tag: tag)
        #expect(cache.count == 5)
        #expect(cache.failure(for: key(1), at: start) == nil)
        cache.insert(1, for: key(1), tag: tag, at: start, lifetime: .seconds(9), unless: { true })
        #expect(cache.failure(for: key(1), at: start) == nil)
        cache.remove(key(2))
        #expect(cache.failure(for: key(2), at: start) == nil)
        cache.removeAll()
        #expect(cache.count == 0)
    }

    @Test func noLifetime_isNotKept() {
        let cache = NegativeCache<Int>()
        cache.insert(1, for: key(1), tag: tag, at: start, lifetime: .zero)
        #expect(cache.count == 0)
    }
}
