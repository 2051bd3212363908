import SeededRandom
import Testing

@testable import Eviction

@Suite("Eviction queue", .timeLimit(.minutes(5)))
struct EvictionQueueTests {
    private var queue = EvictionQueue<Int>(capacity: 1000)

    /// Asks for a number, puts it in if it is not there, and says whether it was.
    private mutating func request(_ number: Int, weight: Int = 10) -> Bool {
        if queue.find(key(number)) != nil { return true }
        var evicted: [Int] = []
        queue.insert(number, for: key(number), weight: weight, evicted: &evicted)
        return false
    }

    @Test mutating func weights_neverExceedTheCapacity() {
        var numbers = SeededGenerator(state: 7)
        for number in 0..<20_000 {
            var evicted: [Int] = []
            queue.insert(number, for: key(number % 700), weight: Int(numbers.next() % 300), evicted: &evicted)
            #expect(queue.weight <= 1000)
            if number % 3 == 0 { _ = queue.find(key(number / 2 % 700)) }
        }
        #expect(queue.weight > 600)
    }

    @Test mutating func anEntryHeavierThanTheCapacity_leavesAtOnce() {
        _ = request(1)
        var evicted: [Int] = []
        #expect(queue.insert(2, for: key(1), weight: 1001, evicted: &evicted) == 1)
        #expect(evicted == [2])
        #expect(queue.peek(key(1)) == nil)
        #expect(queue.count == 0)
        #expect(queue.insert(3, for: key(1), weight: .max, evicted: &evicted) == nil)
        #expect(queue.insert(4, for: key(1), weight: .min, evicted: &evicted) == nil)
        #expect(queue.count == 1)
        #expect(queue.weight == 0)
    }

    @Test mutating func insertionWithoutEviction_waitsForEvictOne() {
        for number in 0..<200 { queue.insert(number, for: key(number), weight: 10) }
        #expect(queue.weight == 2000)
        var left: [Int] = []
        while queue.weight > queue.capacity, let entry = queue.evictOne() {
            #expect(entry.key == key(entry.payload))
            #expect(entry.weight == 10)
            left.append(entry.payload)
        }
        #expect(queue.count == 100)
        let stayed = (0..<200).filter { queue.peek(key($0)) == $0 }
        #expect((left + stayed).sorted() == Array(0..<200))
    }

    @Test func anEmptyQueue_hasNothingToEvict() {
        var queue = EvictionQueue<Int>(capacity: -5)
        #expect(queue.capacity == 0)
        #expect(queue.evictOne() == nil)
        #expect(queue.remove(key(1)) == nil)
        #expect(queue.find(key(1)) == nil)
        #expect(queue.scan(from: 0, limit: 10) { _, _ in } == nil)
    }

    @Test mutating func aScan_leavesWhatIsAskedForAgain() {
        for _ in 0..<3 {
            for number in 0..<50 { _ = request(number) }
        }
        for number in 1000..<11_000 { _ = request(number) }
        let survivors = (0..<50).count { queue.peek(key($0)) != nil }
        #expect(survivors == 50)
    }

    /// However costly: whoever makes many requests for costly pictures pushes out no picture that somebody uses.
    @Test mutating func aScanOfCostlyEntries_leavesWhatIsAskedForAgain() {
        var evicted: [Int] = []
        for number in 0..<50 {
            queue.insert(number, for: key(number), weight: 10, costMicroseconds: 1, evicted: &evicted)
            _ = queue.find(key(number))
        }
        for number in 1000..<11_000 {
            queue.insert(number, for: key(number), weight: 10, costMicroseconds: .max, evicted: &evicted)
        }
        #expect((0..<50).count { queue.peek(key($0)) != nil } == 50)
    }

    /// Entries that are used lie side by side here, the worst for a scan.
    @Test(arguments: [5000, 10_000])
    func aScanThroughALargeQueue_takesATwentiethAtMost(favouriteCount: Int) {
        var queue = EvictionQueue<Int>(capacity: 10_000)
        var evicted: [Int] = []
        for number in 0..<favouriteCount {
            queue.insert(number, for: key(number), weight: 1, evicted: &evicted)
            _ = queue.find(key(number))
        }
        for number in 20_000..<70_000 { queue.insert(number, for: key(number), weight: 1, evicted: &evicted) }
        let survivors = (0..<favouriteCount).count { queue.peek(key($0)) != nil }
        #expect(survivors * 20 > favouriteCount * 19, "\(survivors) of \(favouriteCount)")
    }

    @Test mutating func aKeyThatComesBackSoon_getsAPlace() throws {
        for _ in 0..<3 {
            for number in 0..<80 { _ = request(number) }
        }
        for number in 1000..<1040 { _ = request(number) }
        let evicted = try #require((1000..<1040).first { queue.peek(key($0)) == nil })
        _ = request(evicted)
        for number in 2000..<2100 { _ = request(number) }
        #expect(queue.peek(key(evicted)) == evicted)
    }

    @Test mutating func usedEntriesAlone_doNotHoldAnInsertionUp() {
        var queue = EvictionQueue<Int>(capacity: 100_000)
        for number in 0..<100_000 { queue.insert(number, for: key(number), weight: 1) }
        for number in 0..<100_000 { _ = queue.find(key(number)) }
        var evicted: [Int] = []
        for number in 1...1000 {
            let hand = queue.hand
            queue.insert(-number, for: key(-number), weight: 1, evicted: &evicted)
            #expect(evicted.count == number)
            #expect((queue.hand - hand + 100_000) % 100_000 <= 128)
        }
    }

    @Test func theLastOfManyEntries_areFoundToLeave() {
        var queue = EvictionQueue<Int>(capacity: .max)
        for number in 0..<100_000 { queue.insert(number, for: key(number), weight: 1) }
        for number in 0..<100_000 where number % 40_000 != 7 { queue.remove(key(number)) }
        var left: [Int] = []
        while let entry = queue.evictOne() { left.append(entry.payload) }
        #expect(left.sorted() == [7, 40_007, 80_007])
        #expect(queue.count == 0 && queue.weight == 0)
    }

    @Test func afterATimeOfFewEntries_littleIsLookedAtAgain() {
        var queue = EvictionQueue<Int>(capacity: .max)
        for number in 0..<100_000 { queue.insert(number, for: key(number), weight: 1) }
        for number in 1..<100_000 { queue.remove(key(number)) }
        for number in 200_000..<203_000 {
            queue.insert(number, for: key(number), weight: 1)
            #expect(queue.evictOne() != nil)
        }
        for number in 300_000..<399_000 {
            queue.insert(number, for: key(number), weight: 1)
            _ = queue.find(key(number))
        }
        var slotCount = 0
        for _ in 0..<1000 {
            let hand = queue.hand
            _ = queue.evictOne()
            slotCount += (queue.hand - hand + 100_000) % 100_000
        }
        #expect(slotCount < 50_000, "\(slotCount) for 1,000 evictions")
    }

    @Test mutating func replacing_keepsTheUsesOfAnEntry() {
        _ = request(1)
        #expect(request(1) == true)
        var evicted: [Int] = []
        #expect(queue.insert(7, for: key(1), weight: 10, evicted: &evicted) == 1)
        for number in 100..<300 { _ = request(number) }
        #expect(queue.peek(key(1)) == 7)
    }

    @Test func removal_freesSlotsForOthers() {
        var queue = EvictionQueue<Int>(capacity: .max)
        for number in 0..<10_000 { queue.insert(number, for: key(number), weight: 1) }
        let before = queue.overheadByteCount
        for round in 1..<6 {
            for number in 0..<10_000 { #expect(queue.remove(key(number + (round - 1) * 10_000)) != nil) }
            for number in 0..<10_000 { queue.insert(number, for: key(number + round * 10_000), weight: 1) }
        }
        #expect(queue.overheadByteCount == before)
        #expect(queue.count == 10_000)
        queue.removeAll()
        #expect(queue.count == 0)
        #expect(queue.overheadByteCount < 2000)
    }

    @Test func aScanInSteps_meetsEachEntryThatStaysOnce() {
        var queue = EvictionQueue<Int>(capacity: .max)
        for number in 0..<5000 { queue.insert(number, for: key(number), weight: 1) }
        for number in 0..<5000 where number % 3 == 0 { queue.remove(key(number)) }
        var met: [Int] = []
        var cursor: Int? = 0
        var steps = 0
        while let from = cursor {
            cursor = queue.scan(from: from, limit: 100) { key, number in
                #expect(EvictionTests.key(number) == key)
                met.append(number)
            }
            steps += 1
            // Others come and go meanwhile.
            queue.remove(key(steps * 3 + 1))
            queue.insert(-steps, for: key(-steps), weight: 1)
        }
        #expect(steps >= 50)
        #expect(Set(met).count == met.count)
        let stayed = (0..<5000).filter { $0 % 3 != 0 && !($0 % 3 == 1 && $0 / 3 <= steps) }
        #expect(Set(stayed).isSubset(of: Set(met)))
        #expect(queue.scan(from: .max, limit: .max) { _, _ in } == nil)
        #expect(queue.scan(from: -1, limit: -1) { _, _ in } == 1)
    }

    @Test func payloads_areLetGoOf() {
        final class Token: Sendable {}
        var queue = EvictionQueue<Token>(capacity: 10)
        weak var first: Token?
        do {
            let token = Token()
            first = token
            queue.insert(token, for: key(1), weight: 1)
        }
        #expect(first != nil)
        queue.remove(key(1))
        #expect(first == nil)
    }

    @Test func aMillionEntries_areFoundAndTakeLittle() {
        let count = 1_000_000
        var queue = EvictionQueue<UInt64>(capacity: count)
        var evicted: [UInt64] = []
        for number in 0..<count + 1000 { queue.insert(UInt64(number), for: key(number), weight: 1, evicted: &evicted) }
        #expect(queue.count == count)
        let left = Set(evicted)
        #expect(evicted.count == 1000 && left.count == 1000)
        for number in stride(from: 0, to: UInt64(count), by: 333) {
            #expect(queue.peek(key(Int(number))) == (left.contains(number) ? nil : number))
        }
        // 40 for the slot with its payload, 8.4 for the table, 4.2 for the ghosts at this count.
        #expect(queue.overheadByteCount / count < 60, "\(queue.overheadByteCount / count) bytes an entry")
    }

    @Test func keysThatShareTheirHome_areToldApart() {
        var queue = EvictionQueue<Int>(capacity: .max)
        let keys = (0..<300).map { EvictionKey(high: UInt64($0 % 3) << 40, low: UInt64($0 / 3)) }
        for (number, key) in keys.enumerated() { queue.insert(number, for: key, weight: 1) }
        for number in stride(from: 0, to: 300, by: 2) { #expect(queue.remove(keys[number]) == number) }
        for (number, key) in keys.enumerated() { #expect(queue.peek(key) == (number % 2 == 0 ? nil : number)) }
    }
}
