import FakeOrigin
import HTTPMessage
import Testing

@testable import Origin

/// What speaks against an origin as a whole, and what does not.
extension FetcherTests {
    @Test func originThatFailsAgainAndAgain_isLeftAlone() throws {
        try Self.withFetcher({ seen in seen.target == "/ok" ? .answer() : .answer(503, "") }) {
            (origin, fetcher) throws in
            for index in 1...CircuitBreaker.failureLimit { _ = try fetcher.begin(origin.url("/\(index)")).error }
            let count = origin.requests.count
            // Three attempts for each but the last, which opens the breaker.
            #expect(count == 3 * (CircuitBreaker.failureLimit - 1) + 1)
            guard case .resting? = try fetcher.begin(origin.url("/ok")).error else {
                Issue.record("the origin was asked")
                return
            }
            #expect(origin.requests.count == count)
        }
    }

    /// One client could choose addresses that fail, and have the whole origin left alone.
    @Test(arguments: [500, 501, 429, 508])
    func addressesThatFail_sayNothingAboutTheirOrigin(_ code: Int) throws {
        try Self.withFetcher({ seen in seen.target == "/ok" ? .answer() : .answer(code, "") }) {
            (origin, fetcher) throws in
            for index in 0..<(2 * CircuitBreaker.failureLimit) { _ = try fetcher.begin(origin.url("/\(index)")).error }
            #expect(try fetcher.begin(origin.url("/ok")).error == nil)
        }
    }

    @Test func oneAddress_countsOnce_howeverOftenItFails() throws {
        try Self.withFetcher({ seen in seen.target == "/ok" ? .answer() : .answer(503, "") }) {
            (origin, fetcher) throws in
            for _ in 0..<(2 * CircuitBreaker.failureLimit) { _ = try fetcher.begin(origin.url("/bad")).error }
            #expect(try fetcher.begin(origin.url("/ok")).error == nil)
        }
    }

    /// The wait for one of our own connections says nothing about the origin.
    @Test func connectionsInUse_areNoFaultOfTheOrigin() throws {
        try withTrialOrigin({ seen in seen.target == "/held" ? [.wait("go")] + .answer() : .answer() }) { origin in
            let fetcher = try Fetcher.onLoopback(["http://127.0.0.1:\(origin.port)"]) { settings in
                settings.bounds.connectionsPerHost = 1
                settings.limits.exchange.wait = .milliseconds(500)
                settings.limits.exchange.firstByte = .seconds(600)
                settings.limits.total = .seconds(600)
                settings.limits.exchange.total = .seconds(600)
                settings.limits.exchange.slowFor = .seconds(600)
            }
            defer { fetcher.stop() }
            let held = try fetcher.begin(origin.url("/held"))
            origin.waitForRequests(1)
            for index in 0...CircuitBreaker.failureLimit {
                #expect(try fetcher.begin(origin.url("/\(index)")).error == .busy)
            }
            origin.release("go")
            #expect(held.error == nil)
            #expect(try fetcher.begin(origin.url("/ok")).error == nil)
        }
    }
}
