import Foundation
import Glibc
import ResponseCache
import SeededRandom
import Synchronization
import TestThreads
import Testing

/// Whatever many threads do with single flight at once comes to what one thread could have done: one leader at a time,
/// each waiter called once by the flight that it waits for or not at all once it has left, the last to leave abandons,
/// and nobody joins work that is not forced where theirs must be, or that a purge has made out of date.
@Suite(.timeLimit(.minutes(5))) struct SingleFlightHistoryTests {
    private typealias Flights = SingleFlight<Int>

    /// Flights and waiters that any thread may pick up, and the record of what was done with them.
    private final class Stage: Sendable {
        struct Call {
            let thread: pthread_t
            let waiter: Int
            let value: Int
        }

        struct HeldFlight {
            let number: Int
            let keyNumber: Int
            let flight: Flights.Flight
        }

        struct HeldWaiter {
            let number: Int
            let keyNumber: Int
            let waiter: Flights.FlightWaiter
        }

        /// A flight that a thread had a reference to for a while.
        struct Touched {
            let number: Int
            let keyNumber: Int
        }

        struct Hand {
            var flights: [HeldFlight] = []
            var waiters: [HeldWaiter] = []
        }

        static let dropped = -1
        static let keyCount = 2
        static let purgeLimit = 64

        let flights = Flights(valueWhenDropped: dropped)
        let hand = Mutex(Hand())
        private let calls = Mutex<[Call]>([])
        private let operations = Mutex<[[FlightHistory.Operation]]>(Array(repeating: [], count: keyCount))
        private let ticket = Atomic(0)

        var histories: [FlightHistory] { operations.withLock { $0.map { FlightHistory($0) } } }
        var callCount: Int { calls.withLock { $0.count } }

        private let purgeCount = Atomic(0)
        /// What a requester has seen after so many purges.
        private let epochs: [PurgeEpoch]

        init() {
            let ledger = PurgeLedger()
            epochs = (0...Self.purgeLimit).map { _ in
                defer { ledger.notePurgeOfAll() }
                return ledger.epoch
            }
        }

        func takeTicket() -> Int { ticket.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }

        private func record(_ keyNumber: Int, _ began: Int, _ action: FlightHistory.Action) {
            let operation = FlightHistory.Operation(action: action, began: began, ended: takeTicket())
            operations.withLock { $0[keyNumber].append(operation) }
        }

        /// The waiters that this thread has called with `value` since it was last asked.
        private func takeCalls(_ value: Int) -> [Int] {
            let thread = pthread_self()
            func isMine(_ call: Call) -> Bool { call.value == value && pthread_equal(call.thread, thread) != 0 }
            return calls.withLock { calls in
                let mine = calls.filter(isMine)
                calls.removeAll(where: isMine)
                return mine.map(\.waiter)
            }
        }

        /// Enters, and publishes what came of it. Returns the flight that it leads.
        func enter(_ keyNumber: Int, isForced: Bool) -> Touched? {
            let began = takeTicket()
            let epoch = purgeCount.load(ordering: .sequentiallyConsistent)
            let entrance = flights.enter(
                key(keyNumber), isForced: isForced, epoch: epochs[epoch],
                isPurged: { $0 < self.epochs[self.purgeCount.load(ordering: .sequentiallyConsistent)] },
                receive: { value in
                    self.calls.withLock { $0.append(Call(thread: pthread_self(), waiter: began, value: value)) }
                    // Time for others to leave or to enter while some are called and some are not.
                    sched_yield()
                })
            let waiter = HeldWaiter(number: began, keyNumber: keyNumber, waiter: entrance.waiter)
            guard case .leader(let flight, _) = entrance else {
                record(keyNumber, began, .enter(waiter: began, leads: false, isForced: isForced, epoch: epoch))
                hand.withLock { $0.waiters.append(waiter) }
                return nil
            }
            record(keyNumber, began, .enter(waiter: began, leads: true, isForced: isForced, epoch: epoch))
            hand.withLock {
                $0.waiters.append(waiter)
                $0.flights.append(HeldFlight(number: began, keyNumber: keyNumber, flight: flight))
            }
            return Touched(number: began, keyNumber: keyNumber)
        }

        /// From now on, what began before is out of date, for all keys.
        func purge() {
            let began = takeTicket()
            purgeCount.add(1, ordering: .sequentiallyConsistent)
            for keyNumber in 0..<Self.keyCount { record(keyNumber, began, .purge) }
        }

        func leave(_ waiter: HeldWaiter) {
            let began = takeTicket()
            let isOut = waiter.waiter.leave()
            record(waiter.keyNumber, began, .leave(waiter: waiter.number, isOut: isOut))
        }

        func finish(_ held: HeldFlight) {
            let began = takeTicket()
            let count = held.flight.finish(began)
            let called = takeCalls(began)
            #expect(called.count == count)
            record(held.keyNumber, began, .finish(flight: held.number, called: called))
        }

        /// Notes that this thread has let go of its reference to a flight at some moment since `began`.
        func noteRelease(_ touched: Touched, since began: Int) {
            let called = takeCalls(Self.dropped)
            record(touched.keyNumber, began, .release(flight: touched.number, called: called))
        }

        func ask(_ held: HeldFlight) {
            let began = takeTicket()
            let isAbandoned = held.flight.isAbandoned
            record(held.keyNumber, began, .ask(flight: held.number, isAbandoned: isAbandoned))
        }
    }

    /// Does something with a flight or a waiter of whoever. References that it takes are gone when it returns.
    private static func step(_ stage: Stage, _ numbers: inout SeededGenerator) -> Stage.Touched? {
        let (choice, pick) = (numbers.next() % 17, numbers.next())
        if choice == 16 {
            stage.purge()
            return nil
        }
        if choice < 7 { return stage.enter(Int(pick % UInt64(Stage.keyCount)), isForced: choice < 2) }
        if choice < 11 {
            let waiter = stage.hand.withLock { hand in
                hand.waiters.isEmpty ? nil : hand.waiters[Int(pick % UInt64(hand.waiters.count))]
            }
            if let waiter { stage.leave(waiter) }
            return nil
        }
        let held = stage.hand.withLock { hand -> Stage.HeldFlight? in
            guard !hand.flights.isEmpty else { return nil }
            let index = Int(pick % UInt64(hand.flights.count))
            return choice < 14 ? hand.flights[index] : hand.flights.remove(at: index)
        }
        guard let held else { return nil }
        if choice < 13 { stage.finish(held) } else { stage.ask(held) }
        return Stage.Touched(number: held.number, keyNumber: held.keyNumber)
    }

    /// Asks the last flight of the hand, which is let go of.
    private static func stepOut(_ stage: Stage) -> Stage.Touched? {
        guard let held = stage.hand.withLock({ $0.flights.popLast() }) else { return nil }
        stage.ask(held)
        return Stage.Touched(number: held.number, keyNumber: held.keyNumber)
    }

    @Test func randomHistories_areThoseOfOneThread() {
        for round in 0..<200 {
            let stage = Stage()
            onThreads(5) { index in
                var numbers = SeededGenerator(state: UInt64(round * 100 + index))
                for _ in 0..<8 {
                    if numbers.next() % 3 == 0 { sched_yield() }
                    let began = stage.takeTicket()
                    if let touched = Self.step(stage, &numbers) { stage.noteRelease(touched, since: began) }
                }
            }
            var began = stage.takeTicket()
            while let touched = Self.stepOut(stage) {
                stage.noteRelease(touched, since: began)
                began = stage.takeTicket()
            }
            stage.hand.withLock { $0.waiters = [] }
            #expect(stage.flights.runningCount == 0)
            #expect(stage.callCount == 0)
            for history in stage.histories where !history.isExplained { Issue.record("round \(round): \(history)") }
        }
    }

    // MARK: What the search refuses

    private typealias Action = FlightHistory.Action

    /// Whether the actions can be, one after another.
    private static func inTurn(_ actions: Action...) -> Bool {
        FlightHistory(actions.enumerated().map { .init(action: $1, began: 2 * $0, ended: 2 * $0 + 1) }).isExplained
    }

    @Test func search_takesWhatIsRight() {
        #expect(Self.inTurn(.enter(waiter: 1, leads: true), .finish(flight: 1, called: [1])))
        #expect(
            Self.inTurn(
                .enter(waiter: 1, leads: true), .enter(waiter: 2, leads: false), .leave(waiter: 1, isOut: true),
                .ask(flight: 1, isAbandoned: false), .release(flight: 1, called: [2]), .leave(waiter: 2, isOut: false)))
        #expect(
            Self.inTurn(
                .enter(waiter: 1, leads: true), .enter(waiter: 2, leads: true, isForced: true),
                .enter(waiter: 3, leads: false), .finish(flight: 1, called: [1]), .purge,
                .enter(waiter: 4, leads: true, epoch: 1), .finish(flight: 2, called: [2, 3]),
                .finish(flight: 4, called: [4])))
        #expect(
            Self.inTurn(
                .enter(waiter: 1, leads: true), .leave(waiter: 1, isOut: true), .ask(flight: 1, isAbandoned: true),
                .enter(waiter: 2, leads: true), .finish(flight: 1, called: []), .finish(flight: 2, called: [2])))
    }

    @Test func search_refusesEveryKindOfFault() {
        let lead = Action.enter(waiter: 1, leads: true)
        let join = Action.enter(waiter: 2, leads: false)
        let leave = Action.leave(waiter: 1, isOut: true)
        // Two leaders; nobody to join; somebody forgotten, left waiting, called twice, or in the wrong order.
        #expect(!Self.inTurn(lead, .enter(waiter: 2, leads: true), .finish(flight: 1, called: [1])))
        #expect(!Self.inTurn(join, .finish(flight: 2, called: [2])))
        #expect(!Self.inTurn(lead, join, .finish(flight: 1, called: [1])))
        #expect(!Self.inTurn(lead))
        #expect(!Self.inTurn(lead, .finish(flight: 1, called: [1]), .finish(flight: 1, called: [1])))
        #expect(!Self.inTurn(lead, join, .finish(flight: 1, called: [2, 1])))
        // Called after it left; left twice; left after it was called; one generation ended by another's flight.
        #expect(!Self.inTurn(lead, join, leave, .finish(flight: 1, called: [1, 2])))
        #expect(!Self.inTurn(lead, join, leave, leave, .finish(flight: 1, called: [2])))
        #expect(!Self.inTurn(lead, .finish(flight: 1, called: [1]), leave))
        #expect(!Self.inTurn(lead, leave, .enter(waiter: 2, leads: true), .finish(flight: 1, called: [2])))
        // Joined what was not forced, or what was purged.
        #expect(
            !Self.inTurn(lead, .enter(waiter: 2, leads: false, isForced: true), .finish(flight: 1, called: [1, 2])))
        #expect(
            !Self.inTurn(lead, .purge, .enter(waiter: 2, leads: false, epoch: 1), .finish(flight: 1, called: [1, 2])))
        // Abandoned though one waits, and not though nobody does.
        #expect(!Self.inTurn(lead, join, leave, .ask(flight: 1, isAbandoned: true), .finish(flight: 1, called: [2])))
        #expect(!Self.inTurn(lead, leave, .ask(flight: 1, isAbandoned: false)))
    }

    @Test func search_knowsWhatOverlaps() {
        let operations: [FlightHistory.Operation] = [
            .init(action: .enter(waiter: 1, leads: true), began: 0, ended: 1),
            .init(action: .finish(flight: 1, called: [1]), began: 2, ended: 5),
            .init(action: .enter(waiter: 2, leads: true), began: 3, ended: 4),
            .init(action: .finish(flight: 2, called: [2]), began: 6, ended: 7),
        ]
        #expect(FlightHistory(operations).isExplained)
        // The same, but the second entered before the first was being finished.
        var early = operations
        early[2] = .init(action: .enter(waiter: 2, leads: true), began: 1, ended: 2)
        early[1] = .init(action: .finish(flight: 1, called: [1]), began: 3, ended: 5)
        #expect(!FlightHistory(early).isExplained)
    }
}
