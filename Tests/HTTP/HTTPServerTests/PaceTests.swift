import Reactor
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(5))) struct PaceTests {
    private static let start = MonotonicInstant(nanoseconds: 5_000_000_000)

    private func at(_ seconds: Int) -> MonotonicInstant { Self.start + .seconds(seconds) }

    private func deadline(_ pace: Pace, rate: Int = 100) -> MonotonicInstant {
        pace.deadline(patienceNanoseconds: 10_000_000_000, minimumRate: rate)
    }

    @Test func nothingMoved_isTooSlow_whenPatienceEnds() {
        #expect(deadline(Pace(now: Self.start)) == at(10))
    }

    @Test func zeroBytes_areNoProgress() {
        var pace = Pace(now: Self.start)
        pace.moved(0, now: at(9))
        #expect(deadline(pace) == at(10))
        #expect(deadline(pace, rate: 0) == at(10))
    }

    @Test func progressAlone_doesNotHelp_belowTheRate() {
        var pace = Pace(now: Self.start)
        for second in 1...9 { pace.moved(1, now: at(second)) }
        #expect(deadline(pace) == at(10))
        #expect(deadline(pace, rate: 0) == at(19))
    }

    @Test func everyByteAtTheRate_buysItsTime() {
        var pace = Pace(now: Self.start)
        pace.moved(500, now: at(9))
        #expect(deadline(pace) == at(15))
        pace.moved(100, now: at(14))
        #expect(deadline(pace) == at(16))
    }

    @Test func fastStart_doesNotExcuseAStall() {
        var pace = Pace(now: Self.start)
        pace.moved(1_000_000, now: at(1))
        #expect(deadline(pace) == at(11))
    }

    @Test func averageIsOverTheWhole_notOverTheLastStretch() {
        var pace = Pace(now: Self.start)
        pace.moved(3000, now: at(0))
        for second in stride(from: 5, through: 35, by: 5) {
            #expect(deadline(pace) > at(second), "\(second)")
            pace.moved(1, now: at(second))
        }
        #expect(deadline(pace) == at(40))
    }
}
