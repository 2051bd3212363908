import SeededRandom
import Foundation
import Reactor
import ResponseCache
import Synchronization
import TestThreads
import Testing

@Suite("Single flight", .timeLimit(.minutes(5)))
struct SingleFlightTests {
    typealias Flights = SingleFlight<Int>

    private let flights = Flights(valueWhenDropped: -1)

    /// What waiters were called with, in order.
    private final class Log: Sendable {
        private let entries = Mutex<[String]>([])
        var all: [String] { entries.withLock { $0 } }
        func receive(_ name: String) -> @Sendable (Int) -> Void {
            { value in self.entries.withLock { $0.append("\(name)=\(value)") } }
        }
    }

    private let log = Log()

    private func lead(_ number: Int, _ name: String) throws -> (Flights.Flight, Flights.FlightWaiter) {
        guard case .leader(let flight, let waiter) = flights.enter(key(number), receive: log.receive(name)) else {
            throw NotLeader()
        }
        return (flight, waiter)
    }

    private func join(_ number: Int, _ name: String) throws -> Flights.FlightWaiter {
        guard case .joined(let waiter) = flights.enter(key(number), receive: log.receive(name)) else {
            throw NotJoined()
        }
        return waiter
    }

    private struct NotLeader: Error {}
    private struct NotJoined: Error {}

    @Test func oneLeads_theOthersJoin_allGetTheValueInOrder() throws {
        let (flight, _) = try lead(1, "a")
        _ = try join(1, "b")
        _ = try join(1, "c")
        #expect(flights.runningCount == 1)
        #expect(flight.finish(5) == 3)
        #expect(log.all == ["a=5", "b=5", "c=5"])
        #expect(flights.runningCount == 0)
        #expect(flight.finish(6) == 0)
        #expect(log.all.count == 3)
    }

    /// #15: only the first knew.
    @Test func allWhoWaitKnowWhenTheWorkBegan() throws {
        let (flight, leader) = try lead(1, "a")
        let second = try join(1, "b")
        #expect(leader.work.instant == nil && second.work.instant == nil)
        flight.work.set(MonotonicInstant(nanoseconds: 7))
        #expect(leader.leave())
        #expect(second.work.instant == MonotonicInstant(nanoseconds: 7))
        flight.work.clear()
        #expect(second.work.instant == nil)
        flight.finish(1)
    }

    /// #15: the second try of who had got the value was charged with the work of the first.
    @Test func workIsOver_whereSomebodyGotItsValue() throws {
        let began = MonotonicInstant(nanoseconds: 7)
        let (flight, waiter) = try lead(1, "a")
        flight.work.set(began)
        #expect(flight.finish(1) == 1)
        #expect(waiter.work.instant == nil)
        let (abandoned, late) = try lead(1, "b")
        abandoned.work.set(began)
        #expect(late.leave())
        #expect(abandoned.finish(1) == 0)
        #expect(late.work.instant == began, "it has waited for nothing else")
    }

    @Test func keys_doNotMix() throws {
        let (one, _) = try lead(1, "a")
        let (two, _) = try lead(2, "b")
        #expect(two.finish(2) == 1)
        #expect(one.finish(1) == 1)
        #expect(log.all == ["b=2", "a=1"])
    }

    @Test func afterTheFinish_theNextOneLeads() throws {
        let (first, _) = try lead(1, "a")
        first.finish(1)
        let (second, _) = try lead(1, "b")
        first.finish(9)
        #expect(second.finish(2) == 1)
        #expect(log.all == ["a=1", "b=2"])
    }

    @Test func whoLeft_isNotCalled_theOthersAre() throws {
        let (flight, leader) = try lead(1, "a")
        let second = try join(1, "b")
        _ = try join(1, "c")
        #expect(leader.leave())
        #expect(!leader.leave())
        #expect(second.leave())
        #expect(!flight.isAbandoned)
        #expect(flight.finish(3) == 1)
        #expect(log.all == ["c=3"])
        #expect(!second.leave())
    }

    @Test func leavingAfterTheCall_saysSo() throws {
        let (flight, waiter) = try lead(1, "a")
        flight.finish(1)
        #expect(!waiter.leave())
        #expect(!flight.isAbandoned)
    }

    @Test func whenTheLastLeaves_theFlightIsAbandoned_andTheNextStartsOver() throws {
        let (flight, leader) = try lead(1, "a")
        let second = try join(1, "b")
        leader.leave()
        #expect(!flight.isAbandoned)
        second.leave()
        #expect(flight.isAbandoned)
        #expect(flights.runningCount == 0)

        let (again, _) = try lead(1, "c")
        #expect(!again.isAbandoned)
        #expect(flight.finish(7) == 0)
        #expect(!second.leave())
        #expect(again.finish(8) == 1)
        #expect(log.all == ["c=8"])
        #expect(flight.isAbandoned)
    }

    @Test func aForgottenFlight_answersItsWaiters() throws {
        do {
            let (flight, _) = try lead(1, "a")
            _ = try join(1, "b")
            withExtendedLifetime(flight) {}
        }
        #expect(log.all == ["a=-1", "b=-1"])
        #expect(flights.runningCount == 0)
    }

    @Test func aWaiter_mayEnterAgainFromItsCall() throws {
        let inner = Log()
        let flights = flights
        guard
            case .leader(let flight, _) = flights.enter(
                key(1),
                receive: { value in
                    if case .leader(let next, _) = flights.enter(key(1), receive: inner.receive("inner")) {
                        next.finish(value + 1)
                    }
                })
        else { throw NotLeader() }
        #expect(flight.finish(1) == 1)
        #expect(inner.all == ["inner=2"])
    }

    @Test func fiveHundredAtOnce_workOnce_andEachIsCalledOnce() {
        let flights = flights
        let workCount = Tally()
        let entered = Tally()
        let calls = (0..<500).map { _ in Tally() }
        onThreads(500) { index in
            let entrance = flights.enter(
                key(1),
                receive: { value in
                    #expect(value == 77)
                    calls[index].add()
                })
            entered.add()
            if case .leader(let flight, _) = entrance {
                while entered.value < 500 { Thread.sleep(forTimeInterval: 0.001) }
                workCount.add()
                flight.finish(77)
            }
        }
        #expect(workCount.value == 1)
        #expect(calls.allSatisfy { $0.value == 1 })
        #expect(flights.runningCount == 0)
    }

    @Test func joiningLeavingAndFinishingAtOnce_callsEachOnceOrNever() {
        let flights = flights
        let called = Tally()
        let left = Tally()
        let entered = Tally()
        onThreads(16) { index in
            var numbers = SeededGenerator(state: UInt64(index))
            for _ in 0..<500 {
                let mine = Tally()
                let entrance = flights.enter(
                    key(Int(numbers.next() % 3)),
                    receive: { _ in
                        mine.add()
                        called.add()
                    })
                entered.add()
                let leaves = numbers.next() % 2 == 0
                if leaves, entrance.waiter.leave() {
                    left.add()
                    #expect(mine.value == 0)
                }
                if case .leader(let flight, _) = entrance, !flight.isAbandoned { flight.finish(1) }
                #expect(mine.value <= 1)
            }
        }
        #expect(flights.runningCount == 0)
        #expect(called.value + left.value == entered.value)
        #expect(entered.value == 8000)
    }
}
