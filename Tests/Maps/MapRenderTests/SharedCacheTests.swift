import Foundation
import MapRender
import Synchronization
import TestThreads
import Testing

@Suite(.timeLimit(.minutes(5))) struct SharedCacheTests {
    private struct Refusal: Error {}

    @Test func threadsThatAskTogether_shareOneValue() {
        let cache = SharedCache<String, Int>(byteCapacity: 1000)
        let makes = Mutex(0)
        onThreads(8) { _ in
            let value = cache.value(for: "a") {
                Thread.sleep(forTimeInterval: 0.01)
                makes.withLock { $0 += 1 }
                return .init(7, byteCount: 10)
            }
            #expect(value == 7)
        }
        #expect(makes.withLock { $0 } == 1)
    }

    @Test func whatDoesNotFit_leaves() {
        let cache = SharedCache<Int, Int>(byteCapacity: 100)
        for key in 0..<50 { _ = cache.value(for: key) { .init(key, byteCount: 10) } }
        #expect(cache.byteCount <= 100)
        #expect(cache.value(for: 1000) { .init(1, byteCount: 101) } == 1)
        #expect(cache.value(for: 1000) == nil)
    }

    @Test func afterAFailure_theNextOneMakesTheValue() throws {
        let cache = SharedCache<Int, Int>(byteCapacity: 100)
        #expect(throws: Refusal.self) { try cache.value(for: 1) { () throws(Refusal) in throw Refusal() } }
        #expect(cache.value(for: 1) == nil)
        #expect(cache.value(for: 1) { .init(5, byteCount: 1) } == 5)
        #expect(cache.value(for: 1) { .init(6, byteCount: 1) } == 5)
    }
}
