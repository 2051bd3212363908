import HTTPMessage
import ResponseCache
import Testing

/// Which answers are stored, and what of them (RFC 9111 §3).
@Suite(.timeLimit(.minutes(5))) struct StorageRulesTests {
    private let engine = CacheEngine()

    @Test(
        arguments: [
            // §3: explicit lifetimes, or a status for which one may be guessed.
            (200, ["Cache-Control: max-age=60"], nil),
            (200, ["Cache-Control: s-maxage=60"], nil),
            (200, ["Expires: \(HTTPDate.text(noon + 60))"], nil),
            (200, ["ETag: \"a\""], nil),
            (200, ["Last-Modified: \(HTTPDate.text(noon - 1000))"], nil),
            (302, ["Cache-Control: max-age=60"], nil),
            (302, ["ETag: \"a\""], .notCacheable),
            (302, ["Last-Modified: \(HTTPDate.text(noon - 1000))"], .notCacheable),
            (302, ["Cache-Control: public", "Last-Modified: \(HTTPDate.text(noon - 1000))"], nil),
            (500, ["Cache-Control: max-age=60"], nil),
            (500, ["ETag: \"a\""], .notCacheable),
            (599, ["Cache-Control: max-age=60"], nil),
            (404, ["Cache-Control: max-age=60"], nil),
            // What could never be used.
            (200, [], .useless),
            (404, [], .useless),
            (404, ["ETag: \"a\""], .useless),
            (200, ["Cache-Control: max-age=0"], .useless),
            (200, ["Cache-Control: max-age=0", "ETag: \"a\""], nil),
            (200, ["Cache-Control: max-age=0, stale-while-revalidate=9"], nil),
            (200, ["Cache-Control: max-age=60", "Age: 60"], .useless),
            // §5.2.2.5, §5.2.2.7.
            (200, ["Cache-Control: max-age=60, no-store"], .noStore),
            (200, ["Cache-Control: max-age=60, private"], .isPrivate),
            (200, ["Cache-Control: max-age=60, private=\"X-User\""], nil),
            (200, ["Cache-Control: max-age=60, private=\"Vary\""], .isPrivate),
            (200, ["Cache-Control: no-cache", "ETag: \"a\""], nil),
            // §5.2.2.3.
            (200, ["Cache-Control: max-age=60, no-store, must-understand"], nil),
            (299, ["Cache-Control: max-age=60, no-store, must-understand"], .notUnderstood),
            (299, ["Cache-Control: max-age=60, must-understand"], .notUnderstood),
            // RFC 9110 §15.3.7, §15.5.13, §15.5.17: parts, and what became of conditions.
            (206, ["Cache-Control: max-age=60"], .aboutTheRequest),
            (412, ["Cache-Control: max-age=60"], .aboutTheRequest),
            (416, ["Cache-Control: max-age=60"], .aboutTheRequest),
            (103, ["Cache-Control: max-age=60"], .aboutTheRequest),
            // §4.1.
            (200, ["Cache-Control: max-age=60", "Vary: *"], .variesByEverything),
            (200, ["Cache-Control: max-age=60", "Vary: Accept", "Vary: Foo, *"], .variesByEverything),
            (200, ["Cache-Control: max-age=60", "Vary: a b"], .variesByEverything),
            (200, ["Cache-Control: max-age=60", "Vary: Accept, ,"], nil),
            // RFC 9213.
            (200, ["Cache-Control: no-store", "CDN-Cache-Control: max-age=60"], nil),
            (200, ["Cache-Control: max-age=60", "CDN-Cache-Control: no-store"], .noStore),
            (200, ["Cache-Control: max-age=60", "CDN-Cache-Control: private"], .isPrivate),
            (302, ["Cache-Control: max-age=60", "CDN-Cache-Control: must-revalidate"], .notCacheable),
            (302, ["Expires: \(HTTPDate.text(noon + 60))", "CDN-Cache-Control: must-revalidate"], .notCacheable),
            (200, ["Cache-Control: max-age=60", "CDN-Cache-Control: ;broken"], nil),
        ] as [(Int, [String], StorageRefusal?)])
    func answer_isStoredOrRefused(_ status: Int, _ lines: [String], _ refusal: StorageRefusal?) {
        #expect(engine.record(exchange(status, lines), []).refusal == refusal)
    }

    /// RFC 9111 §3, §5.2.1.5; RFC 9110 §9.2.3.
    @Test(
        arguments: [
            (.get, [], nil), (.get, ["Cache-Control: no-store"], .requestNoStore),
            (.options, [], .method), (.trace, [], .method),
        ] as [(Method, [String], StorageRefusal?)])
    func request_hasItsSay(_ method: Method, _ lines: [String], _ refusal: StorageRefusal?) {
        let outcome = engine.record(exchange(["Cache-Control: max-age=60"], to: request(method, lines)), [])
        #expect(outcome.refusal == refusal)
    }

    @Test func requestWithContent_isNotStored() {
        let asked = request(hasContent: true)
        #expect(engine.record(exchange(["Cache-Control: max-age=60"], to: asked), []).refusal == .method)
    }

    /// §3.5.
    @Test(
        arguments: [
            ("max-age=60", .authorization), ("max-age=60, public", nil), ("max-age=60, must-revalidate", nil),
            ("s-maxage=60", nil), ("max-age=60, proxy-revalidate", .authorization), ("public, no-store", .noStore),
        ] as [(String, StorageRefusal?)])
    func answerToAuthorization_isStoredOnlyWhenItMayBeShared(_ directives: String, _ refusal: StorageRefusal?) {
        let asked = request(.get, ["Authorization: Basic eDp5"])
        #expect(engine.record(exchange(["Cache-Control: \(directives)"], to: asked), []).refusal == refusal)
    }

    @Test(arguments: [64, 65])
    func varyWithTooManyNames_isLikeAnAsterisk(_ count: Int) {
        let names = (0..<count).map { "X-\($0)" }.joined(separator: ", ")
        let outcome = engine.record(exchange(["Cache-Control: max-age=60", "Vary: \(names)"]), [])
        #expect(outcome.refusal == (count > 64 ? .variesByEverything : nil))
    }

    /// §3.3.
    @Test func incompleteContent_isNotStored() {
        let lines = ["Cache-Control: max-age=60"]
        #expect(engine.record(exchange(lines, isComplete: false), []).refusal == .incomplete)
        #expect(engine.record(exchange(lines + ["Content-Length: 5"]), []).refusal == .incomplete)
        #expect(engine.record(exchange(lines + ["Content-Length: 4"]), []).refusal == nil)
        #expect(
            engine.record(exchange(lines + ["Content-Length: 9", "Transfer-Encoding: chunked"]), []).refusal == nil)
    }

    /// §3.1, §5.2.2.4, §5.2.2.7; RFC 9110 §7.6.1.
    @Test func fieldsOfOneConnectionOrOneUser_areNotKept() throws {
        let entry = try #require(
            stored([
                "Cache-Control: max-age=60, private=\"X-User\", no-cache=\"Set-Cookie, Cache-Control\"",
                "Connection: close, X-Hop, Vary", "X-Hop: 1", "Keep-Alive: 5", "Proxy-Authenticate: x",
                "Proxy-Connection: x", "TE: x", "Trailer: x", "Upgrade: x", "Content-Length: 4", "Vary: Accept",
                "X-User: me", "Set-Cookie: a=b", "Content-Type: text/plain", "X-Kept: 1", "Date: \(noonText)",
            ]))
        #expect(entry.fields.lines.map(\.name) == ["Cache-Control", "Vary", "Content-Type", "X-Kept", "Date"])
        #expect(entry.contentByteCount == 4)
    }

    /// RFC 9110 §6.6.1.
    @Test(arguments: [["Date: yesterday"], ["Date:"], ["Date: \(noonText)", "Date: \(noonText)"]])
    func dateThatCannotBeRead_isTheTimeOfArrival(_ lines: [String]) throws {
        let entry = try #require(stored(lines + ["Cache-Control: max-age=60"], at: noon + 7))
        #expect(entry.fields.all(.date) == [HTTPDate.text(noon + 7)])
    }

    /// §4: what cannot be stored ends the life of what was, unless it was for one user or about one request.
    @Test(
        arguments: [
            (200, ["Cache-Control: no-store"], [], true), (404, [], [], true), (410, [], [], true),
            (302, [], [], true), (200, ["Cache-Control: private"], [], false),
            (200, ["Cache-Control: no-store"], ["Authorization: x"], false), (500, [], [], false),
            (403, ["Cache-Control: no-store"], [], false), (206, [], [], false), (416, [], [], false),
            (200, ["Vary: *"], [], true), (200, ["Content-Length: 77"], [], false),
            (200, ["Cache-Control: no-store"], ["Cache-Control: no-store"], false),
        ] as [(Int, [String], [String], Bool)])
    func unstoredAnswer_endsTheOldOneOrNot(_ status: Int, _ lines: [String], _ asking: [String], _ ends: Bool) throws {
        let old = try #require(stored(["Cache-Control: max-age=60", "ETag: \"a\""]))
        let outcome = engine.record(exchange(status, lines, to: request(.get, asking)), [old])
        guard case .none(_, let removed) = outcome else {
            Issue.record("stored: \(outcome)")
            return
        }
        #expect(removed == (ends ? [0] : []))
    }

    @Test func newAnswer_takesThePlaceOfTheOldForTheSameRequestAlone() throws {
        let vary = ["Cache-Control: max-age=60", "Vary: Accept"]
        let asked = ["a", "b"].map { request(.get, ["Accept: \($0)"]) }
        let entries = try asked.map { try #require(stored(vary, to: $0)) }
        for index in 0..<2 {
            guard case .store(_, let replaced) = engine.record(exchange(vary, to: asked[index]), entries) else {
                Issue.record("not stored")
                return
            }
            #expect(replaced == [index])
        }
    }

    @Test func variantsOfOneURI_areLimited() throws {
        var engine = CacheEngine()
        engine.variantLimit = 3
        var entries: [StoredExchange] = []
        for number in 0..<10 {
            let asked = request(.get, ["Accept: \(number)"])
            let time = noon + Int64(number)
            let answer = exchange(["Cache-Control: max-age=60", "Vary: Accept"], to: asked, at: time)
            guard case .store(let entry, let replaced) = engine.record(answer, entries) else {
                Issue.record("not stored")
                return
            }
            #expect(replaced == (number < 3 ? [] : [0]))
            for index in replaced.sorted(by: >) { entries.remove(at: index) }
            entries.append(entry)
        }
        #expect(entries.count == 3)
    }
}

private func exchange(
    _ lines: [String], to request: CacheRequest = request(), isComplete: Bool = true
) -> UpstreamExchange {
    exchange(200, lines, to: request, isComplete: isComplete)
}

private func exchange(_ lines: [String], to request: CacheRequest, at time: Int64) -> UpstreamExchange {
    exchange(200, lines, to: request, at: time)
}

private func stored(_ lines: [String], to request: CacheRequest = request(), at time: Int64 = noon) -> StoredExchange? {
    stored(200, lines, to: request, at: time)
}
