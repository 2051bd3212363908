import SeededRandom
import Testing

@testable import Reactor

@Suite(.timeLimit(.minutes(5))) struct TimerWheelTests {
    /// What the wheel promises, by search through a plain list.
    private struct Model {
        struct Timer {
            var deadline: Int64
            var token: TimerToken
            var value: Int
        }

        var timers: [Timer] = []

        /// The deadline in whole milliseconds, rounded up.
        static func tick(_ deadline: Int64) -> Int64 { deadline <= 0 ? 0 : (deadline - 1) / 1_000_000 + 1 }

        mutating func takeDue(at now: Int64) -> [Timer] {
            let due = timers.filter { Model.tick($0.deadline) <= now / 1_000_000 }
            timers.removeAll { Model.tick($0.deadline) <= now / 1_000_000 }
            return due
        }
    }

    private static let day: Int64 = 86_400_000_000_000

    /// A time span of random magnitude, so that each level of the wheel is met as often as the others.
    private static func span(_ random: inout SeededGenerator, below limit: Int64) -> Int64 {
        Int64(random.next() % UInt64(limit)) >> Int64(random.next() % 44)
    }

    @Test(arguments: 1...40)
    func wheel_agreesWithAPlainList_overDaysAndJumps(_ seed: UInt64) {
        var random = SeededGenerator(state: seed)
        var wheel = TimerWheel<Int>()
        var model = Model()
        // Clocks begin anywhere.
        var now = Self.span(&random, below: 400 * Self.day)
        for step in 0..<3_000 {
            let deadline = now - 2_000_000 + Self.span(&random, below: 60 * Self.day)
            switch random.next() % 8 {
            case 0, 1, 2:
                let token = wheel.schedule(at: MonotonicInstant(nanoseconds: deadline), step)
                model.timers.append(Model.Timer(deadline: deadline, token: token, value: step))
            case 3 where !model.timers.isEmpty:
                let index = Int(random.next() % UInt64(model.timers.count))
                let token = model.timers.remove(at: index).token
                let results = [wheel.cancel(token), wheel.cancel(token)]
                #expect(results == [true, false])
            case 4 where !model.timers.isEmpty, 5 where !model.timers.isEmpty:
                let index = Int(random.next() % UInt64(model.timers.count))
                model.timers[index].deadline = deadline
                let waited = wheel.reschedule(model.timers[index].token, at: MonotonicInstant(nanoseconds: deadline))
                #expect(waited)
            default:
                now += Self.span(&random, below: random.next() % 50 == 0 ? 30 * Self.day : 100_000_000)
                let mistakes = turn(&wheel, &model, at: now)
                #expect(mistakes == [])
            }
            #expect(wheel.count == model.timers.count)
        }
    }

    /// Lets time come to `now` on both sides; what differs.
    private func turn(_ wheel: inout TimerWheel<Int>, _ model: inout Model, at now: Int64) -> [String] {
        var mistakes: [String] = []
        wheel.advance(to: MonotonicInstant(nanoseconds: now))
        let due = model.takeDue(at: now)
        var fired: [Int] = []
        while let timer = wheel.popDue() {
            let match = due.first { $0.value == timer.handler }
            if match?.token != timer.token { mistakes.append("\(timer.handler) was not due or has another token") }
            fired.append(timer.handler)
        }
        if Set(fired) != Set(due.map(\.value)) || fired.count != due.count {
            mistakes.append("fired \(fired), due were \(due.map(\.value))")
        }
        let next = model.timers.map { Model.tick($0.deadline) }.min()
        if let answer = wheel.nextDeadline?.nanoseconds {
            if next.map({ answer > $0 * 1_000_000 }) ?? true { mistakes.append("next is \(next ?? -1), not \(answer)") }
            if answer <= now { mistakes.append("\(answer) has come already") }
        } else if next != nil {
            mistakes.append("no next deadline")
        }
        return mistakes
    }

    @Test(arguments: 1...10)
    func nextDeadline_isExact_whenNothingWasMoved_onEveryLevel(_ seed: UInt64) {
        var random = SeededGenerator(state: seed)
        var wheel = TimerWheel<Int>()
        var ticks: [Int64] = []
        for _ in 0..<500 {
            let deadline = Self.span(&random, below: 60 * Self.day)
            _ = wheel.schedule(at: MonotonicInstant(nanoseconds: deadline), 0)
            ticks.append(Model.tick(deadline))
        }
        ticks.sort()
        wheel.advance(to: MonotonicInstant(nanoseconds: 0))
        while wheel.popDue() != nil { ticks.removeFirst() }
        // A wait for what the wheel names never ends in vain.
        while let next = wheel.nextDeadline {
            #expect(next.nanoseconds == ticks.first.map { $0 * 1_000_000 })
            wheel.advance(to: next)
            var firedCount = 0
            while wheel.popDue() != nil {
                ticks.removeFirst()
                firedCount += 1
            }
            #expect(firedCount > 0)
        }
        #expect(ticks.isEmpty)
    }

    @Test func movedTimers_costAtMostOneWaitInVain_forEachOfTheirLists() {
        var wheel = TimerWheel<Int>()
        let timer = wheel.schedule(at: MonotonicInstant(nanoseconds: 75_000_000_000), 1)
        for second in 0..<20 {
            let moved = wheel.reschedule(timer, at: MonotonicInstant(nanoseconds: 75_000_000_000 + Int64(second)))
            #expect(moved)
        }
        var waits = 0
        while wheel.count > 0, let next = wheel.nextDeadline {
            waits += 1
            wheel.advance(to: next)
            _ = wheel.popDue()
        }
        #expect(waits <= 8)
    }

    @Test func timersOfOneMillisecond_fireInTheOrderOfScheduling_throughAllLevels() {
        for distance: Int64 in [1, 63, 64, 4_095, 4_097, 300_000, 90_000_000, 10_000_000_000] {
            var wheel = TimerWheel<Int>()
            let deadline = MonotonicInstant(nanoseconds: distance * 1_000_000)
            for value in 0..<10 {
                // Time comes nearer between them, so that they begin on different levels.
                wheel.advance(to: MonotonicInstant(nanoseconds: distance * 100_000 * Int64(value)))
                _ = wheel.schedule(at: deadline, value)
            }
            wheel.advance(to: deadline)
            var fired: [Int] = []
            while let due = wheel.popDue() { fired.append(due.handler) }
            #expect(fired == Array(0..<10))
        }
    }

    @Test func extremeInstants_neitherTrapNorFire() {
        var wheel = TimerWheel<Int>()
        _ = wheel.schedule(at: .distantFuture, 1)
        _ = wheel.schedule(at: MonotonicInstant(nanoseconds: .min), 2)
        wheel.advance(to: MonotonicInstant(nanoseconds: 0))
        #expect(wheel.popDue()?.handler == 2)
        #expect(wheel.nextDeadline == .distantFuture)
        wheel.advance(to: .distantFuture)
        #expect(wheel.popDue()?.handler == nil)
        #expect(wheel.count == 1)
    }

    @Test func slots_areUsedAgain_underAnotherGeneration() {
        var wheel = TimerWheel<Int>()
        let first = wheel.schedule(at: MonotonicInstant(nanoseconds: 5_000_000), 1)
        let waited = wheel.cancel(first)
        let second = wheel.schedule(at: MonotonicInstant(nanoseconds: 5_000_000), 2)
        #expect(waited && first.slot == second.slot && first != second)
        let moved = wheel.reschedule(first, at: .distantFuture)
        #expect(!moved)
    }
}
