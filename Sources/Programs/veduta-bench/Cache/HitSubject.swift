import Bytes
import CMeasure
import Glibc
import ResponseCache

/// What a look-up in the memory tier costs with a thousand entries and a million, most of which no processor cache holds.
/// Beside it stands what three misses (table, slot, answer) cost; favourites (Zipf's law) are what a service sees.
enum HitSubject {
    private static let entryCounts = [1000, 10_000, 100_000, 1_000_000]
    private static let hitCount = 400_000
    private static let roundCount = 5

    static func run(largest: Int) throws(BenchError) {
        for entryCount in entryCounts where entryCount <= largest { try measure(entryCount) }
    }

    private static func measure(_ entryCount: Int) throws(BenchError) {
        // Room for all: what is measured is a hit.
        let cache = MemoryCache(byteCapacity: max(entryCount * 1200, 16 << 20))
        var keys: [CacheKey] = []
        for number in 0..<entryCount {
            let key = MemorySubject.makeKey(UInt64(number))
            keys.append(key)
            cache.insert(
                StoredResponse(mediaType: "image/png", entityTag: "\"\(number)\"", content: SharedBytes([1, 2, 3, 4])),
                for: key)
        }
        guard cache.counts.entryCount == entryCount else { throw .refusedInput }
        var random = SplitMix(state: 1)
        let popularity = Popularity(pictureCount: entryCount, exponent: 1)
        // Ranks lie side by side in `keys`, but keys are digests: their entries do not.
        let favourites = (0..<hitCount).map { _ in keys[popularity.rank(random.nextFraction())] }
        let anyOrder = (0..<hitCount).map { _ in keys[Int(random.next() % UInt64(entryCount))] }
        let chain = Chain(byteCount: entryCount * 256)
        let favouriteCost = try cost(of: favourites, in: cache)
        let cost = try cost(of: anyOrder, in: cache)
        let missNanoseconds = (0..<roundCount).map { _ in chain.walk(3 * hitCount) }.min() ?? 0
        print(
            """
            {"subject": "hits", "entries": \(entryCount), "requests": \(hitCount), \
            "allocations": \(cost.allocations + favouriteCost.allocations), \
            "nanoseconds_favourites": \(favouriteCost.nanoseconds), "nanoseconds_any": \(cost.nanoseconds), \
            "nanoseconds_three_misses": \(Double(missNanoseconds) / Double(hitCount))}
            """)
        fflush(nil)
    }

    private struct Cost {
        var nanoseconds = Double.infinity
        var allocations = 0.0
    }

    /// What a look-up costs in the best of some rounds; the first of them lies between two marks.
    private static func cost(of keys: [CacheKey], in cache: MemoryCache) throws(BenchError) -> Cost {
        var cost = Cost()
        for round in 0..<roundCount {
            if round == 0 { cmeasure_mark() }
            let (start, allocated) = (processorNanoseconds(), cmeasure_allocation_count())
            for key in keys where cache.response(for: key)?.status != 200 { throw .refusedInput }
            let nanoseconds = processorNanoseconds() - start
            cost.allocations = Double(cmeasure_allocation_count() - allocated) / Double(keys.count)
            if round == 0 { cmeasure_mark() }
            cost.nanoseconds = min(cost.nanoseconds, Double(nanoseconds) / Double(keys.count))
        }
        return cost
    }
}

/// Of this thread: others on the machine count only for what they do to its caches.
private func processorNanoseconds() -> Int64 { Meter.nanoseconds(CLOCK_THREAD_CPUTIME_ID) }

/// Memory in which each place says where to read next.
private struct Chain {
    private var next: [Int32]
    private static let stride = 16

    init(byteCount: Int) {
        let lineCount = byteCount / (Self.stride * 4)
        var order = Array(0..<Int32(lineCount))
        var random = SplitMix(state: 2)
        // One circle through all lines (Sattolo).
        for place in (1..<lineCount).reversed() { order.swapAt(place, Int(random.next() % UInt64(place))) }
        next = Array(repeating: 0, count: lineCount * Self.stride)
        for place in order.indices { next[place * Self.stride] = order[place] }
    }

    func walk(_ stepCount: Int) -> Int64 {
        let start = processorNanoseconds()
        var place: Int32 = 0
        for _ in 0..<stepCount { place = next[Int(place) * Self.stride] }
        // What nobody looks at would be left out by the compiler.
        if place == -1 { cmeasure_mark() }
        return processorNanoseconds() - start
    }
}
