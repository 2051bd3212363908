import Eviction
import SeededRandom
import Testing

@Suite("Eviction queue against a naive one", .timeLimit(.minutes(5)))
struct EvictionQueueModelTests {
    @Test(arguments: 0..<20)
    func randomUse_givesTheSame(seed: Int) {
        var numbers = SeededGenerator(state: UInt64(seed))
        let capacity = [0, 1, 50, 400, 3000][seed % 5]
        let keyCount = [8, 60, 400][seed % 3]
        var queue = EvictionQueue<Int>(capacity: capacity)
        var model = NaiveQueue(capacity: capacity)
        for round in 0..<3000 {
            // A few keys are asked for often, as in a cache.
            let draw = Int(numbers.next() % UInt64(keyCount))
            let number = numbers.next() % 2 == 0 ? draw : draw / 8
            switch numbers.next() % 100 {
            case 0..<45:
                #expect(queue.find(key(number)) == model.find(key(number)))
            case 45..<90:
                let weight = Int(numbers.next() % 40)
                var evicted: [Int] = []
                let milliseconds = Int(numbers.next() % 3) * 7
                #expect(
                    queue.insert(
                        round, for: key(number), weight: weight, costMicroseconds: UInt64(milliseconds) * 1000,
                        evicted: &evicted) == model.peek(key(number)))
                #expect(evicted == model.insert(round, for: key(number), weight: weight, milliseconds: milliseconds))
                #expect(queue.weight <= queue.capacity)
            case 90..<95:
                #expect(queue.remove(key(number)) == model.remove(key(number)))
            case 95..<98:
                #expect(queue.evictOne()?.payload == model.evictOne())
            case 98:
                #expect(queue.peek(key(number)) == model.peek(key(number)))
            default:
                let changed = capacity / 2 + Int(numbers.next() % UInt64(capacity / 2 + 1))
                queue.capacity = changed
                model.capacity = changed
                while queue.weight > changed { #expect(queue.evictOne()?.payload == model.evictOne()) }
            }
            #expect(queue.count == model.entries.count)
            #expect(queue.weight == model.weight)
        }
        for entry in model.entries { #expect(queue.peek(entry.key) == entry.payload) }
    }
}
