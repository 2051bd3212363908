import HTTPMessage
import ResponseCache
import Testing

/// Age and lifetime of stored answers (RFC 9111 §4.2).
@Suite(.timeLimit(.minutes(5))) struct FreshnessRulesTests {
    private let engine = CacheEngine()

    private func entry(_ status: Int = 200, _ lines: [String], requested: Int64 = noon, came: Int64 = noon)
        -> StoredExchange
    {
        StoredExchange(
            selecting: [Fields()], status: Status(code: status), fields: fields(lines), requestTime: requested,
            responseTime: came, contentByteCount: 0)
    }

    @Test(
        arguments: [
            // §4.2.1: s-maxage before max-age before Expires.
            (200, ["Cache-Control: s-maxage=10, max-age=20", "Expires: \(HTTPDate.text(noon + 30))"], 10),
            (200, ["Cache-Control: max-age=20", "Expires: \(HTTPDate.text(noon + 30))"], 20),
            (200, ["Cache-Control: public", "Expires: \(HTTPDate.text(noon + 30))"], 30),
            (200, ["Cache-Control: max-age=0, s-maxage=5"], 5),
            (200, ["Cache-Control: max-age=5, max-age=9"], 5),
            (200, ["Cache-Control: max-age=x"], 0),
            (200, ["Cache-Control: max-age=99999999999"], 1 << 31),
            // §5.3.
            (200, ["Expires: 0"], 0), (200, ["Expires: -1"], 0), (200, ["Expires:"], 0),
            (200, ["Expires: \(HTTPDate.text(noon - 30))"], 0),
            (200, ["Expires: \(HTTPDate.text(noon + 30))", "Expires: \(HTTPDate.text(noon + 20))"], 20),
            (200, ["Expires: \(HTTPDate.text(noon + 30))", "Expires: soon"], 0),
            (200, ["Expires: Fri, 31 Dec 9999 23:59:59 GMT"], 1 << 31),
            // §4.2.2: a tenth of the time since the last change, a day at most.
            (200, ["Last-Modified: \(HTTPDate.text(noon - 1000))"], 100),
            (200, ["Last-Modified: \(HTTPDate.text(noon - 100_000_000))"], 86400),
            (200, ["Last-Modified: \(HTTPDate.text(noon + 1000))"], 0),
            (200, ["Last-Modified: once"], 0),
            (404, ["Last-Modified: \(HTTPDate.text(noon - 1000))"], 100),
            (302, ["Last-Modified: \(HTTPDate.text(noon - 1000))"], 0),
            (302, ["Last-Modified: \(HTTPDate.text(noon - 1000))", "Cache-Control: public"], 100),
            (200, ["Last-Modified: \(HTTPDate.text(noon - 1000))", "Expires: 0"], 0),
            // RFC 9213 §2.2: what is targeted makes Cache-Control and Expires void.
            (200, ["CDN-Cache-Control: max-age=5", "Cache-Control: max-age=9, s-maxage=8"], 5),
            (200, ["CDN-Cache-Control: public", "Expires: \(HTTPDate.text(noon + 30))"], 0),
            (
                200,
                [
                    "CDN-Cache-Control: public", "Expires: \(HTTPDate.text(noon + 30))",
                    "Last-Modified: \(HTTPDate.text(noon - 1000))",
                ], 100
            ),
        ] as [(Int, [String], Int)])
    func lifetime_isThatOfTheRules(_ status: Int, _ lines: [String], _ seconds: Int) {
        let entry = entry(status, ["Date: \(noonText)"] + lines)
        #expect(engine.freshness(of: entry, now: noon).lifetime == seconds)
    }

    /// §4.2.3, §5.1.
    @Test(
        arguments: [
            (["Date: \(noonText)"], 0, 0, 0, 0),
            (["Date: \(noonText)"], 0, 0, 30, 30),
            // The origin's clock is behind, or the answer was long on its way.
            (["Date: \(HTTPDate.text(noon - 10))"], 0, 0, 5, 15),
            // The origin's clock is ahead.
            (["Date: \(HTTPDate.text(noon + 3600))"], 0, 0, 5, 5),
            (["Date: \(noonText)", "Age: 7"], 0, 0, 5, 12),
            (["Date: \(noonText)", "Age: 7"], -4, 0, 5, 16),
            (["Date: \(HTTPDate.text(noon - 20))", "Age: 7"], -4, 0, 0, 20),
            (["Date: \(noonText)", "Age: 7, 99"], 0, 0, 0, 7),
            (["Date: \(noonText)", "Age: 7 ,99"], 0, 0, 0, 7),
            (["Date: \(noonText)", "Age: 7", "Age: 8"], 0, 0, 0, 7),
            (["Date: \(noonText)", "Age: -7"], 0, 0, 3, 3),
            (["Date: \(noonText)", "Age: 7.5"], 0, 0, 3, 3),
            (["Date: \(noonText)", "Age: old"], 0, 0, 3, 3),
            (["Date: \(noonText)", "Age: 99999999999999999999"], 0, 0, 0, 1 << 31),
            // Our clock went back while we waited.
            (["Date: \(noonText)"], 50, 0, 5, 5),
            (["Date: \(noonText)", "Age: 3"], 50, 0, 5, 8),
        ] as [([String], Int64, Int64, Int64, Int)])
    func age_isThatOfTheRules(_ lines: [String], _ requested: Int64, _ came: Int64, _ now: Int64, _ age: Int) {
        let entry = entry(lines, requested: noon + requested, came: noon + came)
        #expect(engine.freshness(of: entry, now: noon + now).age == age)
    }

    @Test func clockThatWentBack_makesTheOriginDecide() {
        let entry = entry(["Date: \(noonText)", "Cache-Control: max-age=60"])
        #expect(!engine.freshness(of: entry, now: noon - 1).needsValidation)
        #expect(engine.freshness(of: entry, now: noon - 2).needsValidation)
        #expect(engine.freshness(of: entry, now: .min).needsValidation)
    }

    @Test func extremeTimes_doNotOverflow() {
        for lines in [["Age: 2147483648"], ["Date: Fri, 31 Dec 9999 23:59:59 GMT"], ["Expires: 0"]] {
            for (requested, came, now) in [
                (Int64.min, Int64.max, Int64.max), (.max, .min, .max), (.min, .min, .max), (0, .max, .min),
            ] {
                let freshness = engine.freshness(of: entry(lines, requested: requested, came: came), now: now)
                #expect(freshness.age >= 0 && freshness.lifetime >= 0)
            }
        }
    }

    /// §5.2.2: who may not be served stale.
    @Test(
        arguments: [
            ("max-age=1", false), ("max-age=1, must-revalidate", true), ("max-age=1, proxy-revalidate", true),
            ("s-maxage=1", true),
        ])
    func staleAnswer_mayBeForbidden(_ directives: String, _ forbidden: Bool) {
        let entry = entry(["Date: \(noonText)", "Cache-Control: \(directives)"])
        #expect(engine.freshness(of: entry, now: noon).mustRevalidate == forbidden)
    }

    @Test func everyDirectiveOfTime_isTaken() {
        let entry = entry(["Cache-Control: max-age=1, stale-while-revalidate=2, stale-if-error=3, immutable, no-cache"])
        #expect(
            engine.freshness(of: entry, now: noon)
                == Freshness(
                    age: 0, lifetime: 1, staleWhileRevalidate: 2, staleIfError: 3, needsValidation: true,
                    isImmutable: true))
    }

    private func entry(_ lines: [String], requested: Int64 = noon, came: Int64 = noon) -> StoredExchange {
        entry(200, lines, requested: requested, came: came)
    }
}
