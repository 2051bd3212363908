import Dispatch
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

    @Test func whoWaits_leavesWhenNobodyWantsTheValue() {
        let cache = SharedCache<Int, Int>(byteCapacity: 100)
        let begun = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        onThreads(2) { thread in
            guard thread == 1 else {
                let value = cache.value(for: 1) {
                    begun.signal()
                    mayEnd.wait()
                    return .init(7, byteCount: 1)
                }
                #expect(value == 7)
                return
            }
            begun.wait()
            let leave = { () throws(Refusal) -> Void in throw Refusal() }
            #expect(throws: Refusal.self) {
                try cache.value(for: 1, whileWaiting: leave) { () throws(Refusal) in .init(8, byteCount: 1) }
            }
            mayEnd.signal()
        }
        #expect(cache.value(for: 1) == 7)
    }

    @Test func whenAMakerGivesUp_onlyOneOfThoseWaitingMakesTheValue() {
        let cache = SharedCache<Int, Int>(byteCapacity: 100)
        let begun = DispatchSemaphore(value: 0)
        let waiting = DispatchSemaphore(value: 0)
        let makes = Mutex(0)
        onThreads(4) { thread in
            guard thread > 0 else {
                #expect(throws: Refusal.self) {
                    try cache.value(for: 1) { () throws(Refusal) in
                        for _ in 0..<3 { begun.signal() }
                        for _ in 0..<3 { waiting.wait() }
                        throw Refusal()
                    }
                }
                return
            }
            begun.wait()
            var hasTold = false
            let value = try? cache.value(
                for: 1,
                whileWaiting: { () throws(Refusal) -> Void in
                    if !hasTold { waiting.signal() }
                    hasTold = true
                }
            ) { () throws(Refusal) in
                makes.withLock { $0 += 1 }
                return .init(8, byteCount: 1)
            }
            #expect(value == 8)
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
