import Telemetry
import Testing

@testable import Renditions

/// What waits counts by its price until it begins, is refused or is dropped.
@Suite(.timeLimit(.minutes(5))) struct BacklogTests {
    private let level = SecondsGauge()
    private let route = RenditionRoute(1, "map")

    @Test func unknownPrice_isTheMeanOfTheRoute() {
        let backlog = Backlog(level, routeCount: 2)
        let first = backlog.enter(route, price: nil)
        #expect(level.seconds == Double(Backlog.firstGuess) / 1e6)
        first.end()
        for _ in 0..<200 { backlog.learn(2_000_000, of: route) }
        let second = backlog.enter(route, price: nil)
        #expect(level.seconds > 1.9 && level.seconds <= 2)
        second.end()
        // The other route has learned nothing.
        let third = backlog.enter(RenditionRoute(0, "asset"), price: nil)
        #expect(level.seconds == Double(Backlog.firstGuess) / 1e6)
        third.end()
    }

    @Test func share_endsOnce_howeverItEnds() {
        let backlog = Backlog(level, routeCount: 2)
        let known = backlog.enter(route, price: 3_000_000)
        #expect(level.seconds == 3)
        known.end()
        known.end()
        #expect(level.seconds == 0)
        // A job that is dropped from the queue is released without having begun.
        var job: (@Sendable () -> Void)?
        do {
            let share = backlog.enter(route, price: 1_000_000)
            job = { share.end() }
        }
        #expect(level.seconds == 1)
        job = nil
        #expect(level.seconds == 0)
        #expect(job == nil)
    }

    @Test func absurdPrices_areBounded() {
        let backlog = Backlog(level, routeCount: 2)
        let shares = [Int.max, Int.min, -1].map { backlog.enter(route, price: $0) }
        #expect(level.seconds == 3600)
        shares.forEach { $0.end() }
        #expect(level.seconds == 0)
    }
}
