import SeededRandom
import Testing

@testable import Reactor

@Suite struct TimerTests {
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

    @Test func octetsThatCameInTime_moveTheirDeadline_beforeItFires() throws {
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

    @Test(arguments: PollerKind.allCases)
    func waiting_endsAtTheNextDeadline(_ kind: PollerKind) throws {
        let loop = try EventLoop(poller: kind)
        let recorder = Recorder()
        let start = loop.now
        let timer = loop.schedule(at: start + .milliseconds(20), recorder)
        try loop.turn()
        #expect(recorder.fired == [timer])
        #expect(loop.now - start >= .milliseconds(20))
        #expect(loop.now - start < .seconds(5))
    }

    @Test func queue_agreesWithASortedList_underRandomUse() {
        var queue = TimerQueue<Int>()
        var model: [(deadline: Int64, order: UInt64, token: TimerToken, value: Int)] = []
        var random = SeededGenerator(state: 42)
        for step in 0..<5_000 {
            let deadline = Int64(random.next() % 100)
            switch random.next() % 4 {
            case 0, 1:
                let order = queue.nextSequence
                let token = queue.schedule(at: MonotonicInstant(nanoseconds: deadline), step)
                model.append((deadline, order, token, step))
            case 2 where !model.isEmpty:
                let index = Int(random.next() % UInt64(model.count))
                if random.next() % 2 == 0 {
                    let waited = queue.cancel(model.remove(at: index).token)
                    #expect(waited)
                } else {
                    model[index].deadline = deadline
                    model[index].order = queue.nextSequence
                    let waited = queue.reschedule(
                        model[index].token, at: MonotonicInstant(nanoseconds: deadline))
                    #expect(waited)
                }
            default:
                let first = model.min { ($0.deadline, $0.order) < ($1.deadline, $1.order) }
                #expect(queue.nextDeadline?.nanoseconds == first?.deadline)
                let due = queue.popDue(at: .distantFuture, before: .max)
                #expect(due?.handler == first?.value)
                #expect(due?.token == first?.token)
                model.removeAll { $0.token == first?.token }
            }
            #expect(queue.count == model.count)
        }
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
