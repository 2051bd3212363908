import SeededRandom
import Testing

@testable import Reactor

@Suite(.timeLimit(.minutes(5))) struct TimerTests {
    @Test func timersFire_inTheOrderOfDeadlines_equalOnesInTheOrderOfScheduling() throws {
        let time = HandMovedClock()
        let loop = try EventLoop(clock: time.clock)
        let recorder = Recorder()
        let late = loop.schedule(at: loop.now + .seconds(3), recorder)
        let first = loop.schedule(at: loop.now + .seconds(1), recorder)
        let second = loop.schedule(at: loop.now + .seconds(1), recorder)
        try loop.turn(maximumWait: .zero)
        #expect(recorder.fired.isEmpty)
        time.advance(by: .milliseconds(999))
        try loop.turn(maximumWait: .zero)
        #expect(recorder.fired.isEmpty)
        time.advance(by: .milliseconds(1))
        try loop.turn(maximumWait: .zero)
        #expect(recorder.fired == [first, second])
        time.advance(by: .seconds(10))
        try loop.turn()
        #expect(recorder.fired == [first, second, late])
        #expect(loop.timerCount == 0)
        #expect(loop.unixSeconds == 1_800_000_011)
    }

    @Test func cancelledTimer_neverFires_evenWhenItWasDueInTheSameTurn() throws {
        let time = HandMovedClock()
        let loop = try EventLoop(clock: time.clock)
        let recorder = Recorder()
        let first = loop.schedule(at: loop.now + .seconds(1), recorder)
        let second = loop.schedule(at: loop.now + .seconds(1), recorder)
        recorder.onTimer = { _, loop in #expect(loop.cancel(second)) }
        time.advance(by: .seconds(1))
        try loop.turn()
        #expect(recorder.fired == [first])
        #expect(!loop.cancel(first))
        #expect(!loop.cancel(second))
    }

    @Test func bytesThatCameInTime_moveTheirDeadline_beforeItFires() throws {
        let time = HandMovedClock()
        let loop = try EventLoop(clock: time.clock)
        let pair = try StreamSocket.makePair()
        let recorder = Recorder()
        _ = try loop.add(pair.near.rawValue, .read, recorder)
        let idle = loop.schedule(at: loop.now + .seconds(1), recorder)
        recorder.onReady = { _, loop in #expect(loop.reschedule(idle, at: loop.now + .seconds(1))) }
        _ = pair.far.sendText("x")
        time.advance(by: .seconds(1))
        try loop.turn()
        #expect(recorder.seen == [.readable])
        #expect(recorder.fired.isEmpty)
    }

    @Test func movedTimer_firesAtItsNewDeadline_once() throws {
        let time = HandMovedClock()
        let loop = try EventLoop(clock: time.clock)
        let recorder = Recorder()
        let timer = loop.schedule(at: loop.now + .seconds(1), recorder)
        #expect(loop.reschedule(timer, at: loop.now + .seconds(5)))
        time.advance(by: .seconds(4))
        try loop.turn(maximumWait: .zero)
        #expect(recorder.fired.isEmpty)
        time.advance(by: .seconds(1))
        try loop.turn(maximumWait: .zero)
        #expect(recorder.fired == [timer])
        #expect(!loop.reschedule(timer, at: loop.now))
    }

    @Test func timerThatSchedulesItselfForNow_firesOnceATurn() throws {
        let loop = try EventLoop(clock: HandMovedClock().clock)
        let recorder = Recorder()
        recorder.onTimer = { [unowned recorder] _, loop in _ = loop.schedule(at: loop.now, recorder) }
        _ = loop.schedule(at: loop.now, recorder)
        for count in 1...3 {
            try loop.turn()
            #expect(recorder.fired.count == count)
        }
    }

    @Test func waiting_endsAtTheNextDeadline() throws {
        let loop = try EventLoop()
        let recorder = Recorder()
        let start = loop.now
        let timer = loop.schedule(at: start + .milliseconds(20), recorder)
        // Nothing else would ever end it.
        try loop.turn()
        #expect(recorder.fired == [timer])
        #expect(loop.now - start >= .milliseconds(20))
    }

    @Test func timers_fireOnceAndNeverEarly_whenTheClockJumpsByDays() throws {
        let time = HandMovedClock()
        let loop = try EventLoop(clock: time.clock)
        let recorder = Recorder()
        var random = SeededGenerator(state: 3)
        var deadlines: [TimerToken: MonotonicInstant] = [:]
        recorder.onTimer = { timer, loop in
            guard let deadline = deadlines.removeValue(forKey: timer) else {
                Issue.record("a timer fired twice")
                return
            }
            #expect(loop.now >= deadline)
        }
        for _ in 0..<400 {
            for _ in 0..<5 {
                let deadline = loop.now + .milliseconds(Int64(random.next() % 1_000_000_000 >> (random.next() % 30)))
                deadlines[loop.schedule(at: deadline, recorder)] = deadline
            }
            time.advance(by: .microseconds(Int64(random.next() % 200_000_000_000 >> (random.next() % 38))))
            try loop.turn(maximumWait: .zero)
            #expect(deadlines.values.allSatisfy { $0 + .milliseconds(1) > loop.now })
        }
        time.advance(by: .seconds(86_400 * 30))
        try loop.turn(maximumWait: .zero)
        #expect(deadlines.isEmpty)
        #expect(recorder.fired.count == 2_000)
    }

    @Test func instants_saturate_ratherThanTrap() {
        let late = MonotonicInstant(nanoseconds: .max - 5)
        #expect(late + .seconds(1) == .distantFuture)
        #expect(MonotonicInstant(nanoseconds: 0) + .seconds(Int64.max) == .distantFuture)
        #expect((MonotonicInstant(nanoseconds: .min) - .seconds(1)).nanoseconds == .min)
        #expect(MonotonicInstant(nanoseconds: .max) - MonotonicInstant(nanoseconds: -5) == .nanoseconds(Int64.max))
        #expect(MonotonicInstant(nanoseconds: 7) - MonotonicInstant(nanoseconds: 5) == .nanoseconds(2))
        #expect(Duration.milliseconds(-1500).saturatedNanoseconds == -1_500_000_000)
    }
}
