import HTTPMessage
import ResponseCache
import Testing

/// What is done with a stored answer, directive by directive (RFC 9111 §4.2.4, §5.2.1).
@Suite(.timeLimit(.minutes(5))) struct ReuseTests {
    private static func request(_ text: String) -> RequestDirectives {
        var fields = Fields()
        fields.append(.cacheControl, text)
        return RequestDirectives(fields)
    }

    private static let fresh = Freshness(age: 50, lifetime: 100)
    private static let ending = Freshness(age: 90, lifetime: 100)
    private static let stale = Freshness(age: 110, lifetime: 100)
    private static let revalidating = Freshness(age: 110, lifetime: 100, staleWhileRevalidate: 10, staleIfError: 20)
    private static let strict = Freshness(
        age: 110, lifetime: 100, staleWhileRevalidate: 99, staleIfError: 99, mustRevalidate: true)
    private static let checked = Freshness(age: 50, lifetime: 100, needsValidation: true)
    private static let hit = Reuse.serve(isStale: false, refresh: .none)
    private static let staleHit = Reuse.serve(isStale: true, refresh: .none)

    @Test(
        arguments: [
            ("", fresh, hit),
            ("", ending, .serve(isStale: false, refresh: .early)),
            ("", Freshness(age: 89, lifetime: 100), hit),
            ("", Freshness(age: 99, lifetime: 100, isImmutable: true), hit),
            ("", Freshness(age: 0, lifetime: 9), hit),
            ("", Freshness(age: 0, lifetime: 0), .validate(.stale)),
            ("", Freshness(age: 100, lifetime: 100), .validate(.stale)),
            ("", stale, .validate(.stale)),
            ("", checked, .validate(.stale)),
            ("", revalidating, .serve(isStale: true, refresh: .background)),
            ("", Freshness(age: 111, lifetime: 100, staleWhileRevalidate: 10), .validate(.stale)),
            ("", strict, .validate(.stale)),
            ("no-store", fresh, hit),
            ("no-cache", fresh, .forward(.request)),
            ("no-cache, max-stale", stale, .forward(.request)),
            ("max-age=0", Freshness(age: 0, lifetime: 100), .validate(.request)),
            ("max-age=50", fresh, hit),
            ("max-age=49", fresh, .validate(.request)),
            ("max-age=49, max-stale", fresh, .validate(.request)),
            ("max-age=100", revalidating, .validate(.stale)),
            ("max-age=120", stale, .validate(.stale)),
            ("max-age=120, max-stale=10", stale, staleHit),
            ("min-fresh=50", fresh, hit),
            ("min-fresh=51", fresh, .validate(.request)),
            ("min-fresh=1, max-stale", stale, .validate(.stale)),
            ("max-stale", stale, staleHit),
            ("max-stale=10", stale, staleHit),
            ("max-stale=9", stale, .validate(.stale)),
            ("max-stale", strict, .validate(.stale)),
            ("max-stale", checked, .validate(.stale)),
            ("max-stale", revalidating, .serve(isStale: true, refresh: .background)),
            ("only-if-cached", fresh, hit),
            ("only-if-cached", stale, .unavailable),
            ("only-if-cached, max-stale", stale, staleHit),
            ("only-if-cached, max-stale", strict, .unavailable),
            ("only-if-cached, no-cache", fresh, .unavailable),
            ("only-if-cached, max-age=0", fresh, .unavailable),
            ("only-if-cached", nil, .unavailable),
            ("max-stale", nil, .forward(.miss)),
            ("", nil, .forward(.miss)),
        ] as [(String, Freshness?, Reuse)])
    func decision_followsTheDirectives(_ directives: String, _ stored: Freshness?, _ expected: Reuse) {
        #expect(Reuse.decide(Self.request(directives), stored) == expected)
    }

    /// RFC 5861 §4.
    @Test(
        arguments: [
            ("", fresh, true), ("", stale, false), ("", revalidating, true), ("", strict, false), ("", checked, false),
            ("", Freshness(age: 121, lifetime: 100, staleIfError: 20), false),
            ("stale-if-error=10", stale, true), ("stale-if-error=9", stale, false),
            ("stale-if-error=9", revalidating, false), ("stale-if-error=99", strict, false),
            ("no-cache", revalidating, false),
        ] as [(String, Freshness, Bool)])
    func staleAnswerInsteadOfAnError_hasItsLimits(_ directives: String, _ stored: Freshness, _ expected: Bool) {
        #expect(Reuse.mayServeOnError(Self.request(directives), stored) == expected)
    }

    @Test func extremeTimes_doNotOverflow() {
        let ancient = Freshness(age: .max, lifetime: .min)
        #expect(ancient.staleness == .max)
        #expect(ancient.timeToLive == .min)
        #expect(Reuse.decide(RequestDirectives(), ancient) == .validate(.stale))
        #expect(Freshness(age: .min, lifetime: .max).timeToLive == .max)
    }
}
