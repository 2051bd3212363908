import Eviction
import Testing

@Suite(.timeLimit(.minutes(5))) struct BoundedMapTests {
    @Test func weights_neverExceedTheCapacity_andLaterValuesReplaceEarlierOnes() {
        var map = BoundedMap<String, Int>(capacity: 100)
        for number in 0..<1_000 {
            map.insert(number, for: "\(number % 300)", weight: 10)
            #expect(map.weight <= 100 && map.count <= 10)
        }
        map.insert(1, for: "a", weight: 10)
        map.insert(2, for: "a", weight: 20)
        #expect(map.find("a") == 2 && map.peek("a") == 2)
        #expect(map.find("b") == nil)
    }

    @Test func valueHeavierThanTheCapacity_leavesAtOnce_withWhatTheKeyHad() {
        var map = BoundedMap<Int, Int>(capacity: 100)
        map.insert(1, for: 1, weight: 10)
        map.insert(2, for: 1, weight: 101)
        #expect(map.find(1) == nil && map.weight == 0)
    }

    @Test func removal_takesOneOrAllThatAreMeant() {
        var map = BoundedMap<Int, Int>(capacity: 1_000)
        for number in 0..<20 { map.insert(number, for: number, weight: 1) }
        map.remove(3)
        _ = map.removeAll { $0.isMultiple(of: 2) }
        #expect((0..<20).filter { map.peek($0) != nil } == (0..<20).filter { $0 % 2 == 1 && $0 != 3 })
        #expect(map.weight == map.count)
    }
}
