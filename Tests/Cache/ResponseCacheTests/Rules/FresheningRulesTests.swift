import HTTPMessage
import ResponseCache
import Testing

/// What 304, the answers to HEAD and those to unsafe methods do to what is stored (RFC 9111 §3.2, §4.3.4, §4.3.5, §4.4).
@Suite(.timeLimit(.minutes(5))) struct FresheningRulesTests {
    private let engine = CacheEngine()

    private func entries(_ all: [[String]]) throws -> [StoredExchange] {
        try all.enumerated().map { number, lines in
            let asked = request(.get, ["Accept: \(number)"])
            let time = noon + Int64(number)
            return try #require(
                stored(200, ["Cache-Control: max-age=60", "Vary: Accept"] + lines, to: asked, at: time))
        }
    }

    private static let old = "Last-Modified: \(HTTPDate.text(noon - 500))"
    private static let older = "Last-Modified: \(HTTPDate.text(noon - 900))"

    /// §4.3.4, one rule after the other; nil stands for a repetition without conditions.
    @Test(
        arguments: [
            // A strong validator identifies all that have it, and nothing else.
            ([["ETag: \"a\""], ["ETag: \"b\""], ["ETag: \"a\""]], ["ETag: \"a\""], 0, [0, 2], 0),
            ([["ETag: \"a\""], ["ETag: \"b\""]], ["ETag: \"b\""], 0, [1], 1),
            ([["ETag: \"a\""]], ["ETag: \"b\""], 0, nil, nil),
            ([["ETag: W/\"a\""]], ["ETag: \"a\""], 0, nil, nil),
            ([["ETag: \"a\"", old]], ["ETag: \"b\"", old], 0, nil, nil),
            // A weak one the most recent, or the one that was asked about.
            ([["ETag: W/\"a\""], ["ETag: W/\"a\""]], ["ETag: W/\"a\""], nil, [1], 1),
            ([["ETag: W/\"a\""], ["ETag: \"a\""]], ["ETag: W/\"a\""], 0, [0], 0),
            ([["ETag: \"a\""]], ["ETag: W/\"b\""], 0, nil, nil),
            ([[old], [older]], [older], 0, [1], 1),
            ([[old], [old]], [old], nil, [1], 1),
            ([[old]], [older], 0, nil, nil),
            // None: only what was asked for alone.
            ([["ETag: \"a\""]], [], 0, [0], 0),
            ([["ETag: \"a\""], ["ETag: \"b\""]], [], 0, nil, nil),
            ([[old], ["ETag: \"b\""]], [], 0, [0], 0),
            ([["X: y"]], [], nil, [0], 0),
            ([["ETag: \"a\""]], [], nil, nil, nil),
            ([], ["ETag: \"a\""], nil, nil, nil),
        ] as [([[String]], [String], Int?, [Int]?, Int?)])
    func notModified_identifiesWhatItUpdates(
        _ held: [[String]], _ lines: [String], _ asked: Int?, _ updated: [Int]?, _ served: Int?
    ) throws {
        let outcome = engine.record(
            exchange(304, lines, to: request(.get, ["Accept: 0"]), at: noon + 90), try entries(held), validating: asked)
        guard case .update(let updates, let removed, let serving) = outcome else {
            #expect(outcome == .repeatWithoutConditions && updated == nil)
            return
        }
        #expect((updates.map(\.index), serving) == (updated ?? [], served))
        #expect(removed.isEmpty && updates.allSatisfy { $0.fate == .kept })
    }

    /// §3.2.
    @Test func freshenedAnswer_hasTheNewFieldsAndTheOldContent() throws {
        let entry = try #require(
            stored(
                200,
                [
                    "Cache-Control: max-age=60", "ETag: \"a\"", "X-A: 1", "X-A: 2", "X-B: 3",
                    "Content-Type: text/plain",
                    "Content-Encoding: gzip", "Age: 50", "Content-Length: 4",
                ]))
        let news = exchange(
            304,
            [
                "Cache-Control: max-age=90", "ETag: \"a\"", "X-A: 9", "X-C: 8", "Content-Type: text/html",
                "Content-Encoding: br", "Content-Length: 0", "Connection: X-Hop", "X-Hop: 1",
            ], at: noon + 100)
        guard case .update(let updates, _, _) = engine.record(news, [entry], validating: 0) else {
            Issue.record("no update")
            return
        }
        let fresh = try #require(updates.first).entry
        #expect(
            fresh.fields
                == fields([
                    "X-B: 3", "Content-Encoding: gzip", "Cache-Control: max-age=90", "ETag: \"a\"", "X-A: 9", "X-C: 8",
                    "Content-Type: text/html", "Date: \(HTTPDate.text(noon + 100))",
                ]))
        #expect((fresh.requestTime, fresh.responseTime) == (noon + 100, noon + 100))
        #expect((fresh.status, fresh.contentByteCount) == (.ok, 4))
        #expect(engine.freshness(of: fresh, now: noon + 101) == Freshness(age: 1, lifetime: 90))
    }

    @Test(
        arguments: [
            (["Cache-Control: no-store"], [], .removed), (["Cache-Control: private"], [], .removed),
            (["Vary: *"], [], .removed), ([], ["Cache-Control: no-store"], .unstored),
            ([], ["Authorization: x"], .unstored), (["Cache-Control: public, max-age=5"], ["Authorization: x"], .kept),
            ([], [], .kept),
        ] as [([String], [String], Freshening.Fate)])
    func freshenedAnswer_isKeptOnlyWhenItMayBe(_ lines: [String], _ asking: [String], _ fate: Freshening.Fate) throws {
        let entry = try #require(stored(200, ["Cache-Control: max-age=60", "ETag: \"a\""]))
        let answer = exchange(304, lines + ["ETag: \"a\""], to: request(.get, asking), at: noon + 90)
        guard case .update(let updates, _, let serving) = engine.record(answer, [entry], validating: 0) else {
            Issue.record("no update")
            return
        }
        #expect(updates.map(\.fate) == [fate])
        #expect(serving == 0)
    }

    @Test func varyThatChanges_isTakenWithTheRequestThatLearnedIt() throws {
        let entry = try #require(stored(200, ["Cache-Control: max-age=60", "ETag: \"a\""]))
        let asked = request(.get, ["Accept: x"])
        let answer = exchange(304, ["ETag: \"a\"", "Vary: Accept"], to: asked, at: noon + 90)
        guard case .update(let updates, _, _) = engine.record(answer, [entry], validating: 0) else {
            Issue.record("no update")
            return
        }
        let fresh = try #require(updates.first).entry
        #expect(fresh.matches(fields(["Accept: x"])) && !fresh.matches(Fields()))
    }

    /// §4.3.5.
    @Test(
        arguments: [
            (200, ["ETag: \"a\"", "Content-Length: 4"], true, false), (200, [], true, false),
            (200, ["ETag: \"b\""], false, true), (200, ["ETag: \"a\"", "Content-Length: 5"], false, true),
            (200, [old], false, true), (404, ["ETag: \"b\""], false, false),
        ] as [(Int, [String], Bool, Bool)])
    func answerToHead_freshensOrEndsWhatIsStored(
        _ status: Int, _ lines: [String], _ isFreshened: Bool, _ isRemoved: Bool
    ) throws {
        let entry = try #require(stored(200, ["Cache-Control: max-age=60", "ETag: \"a\""]))
        let asked = request(.head)
        let outcome = engine.record(exchange(status, lines, to: asked, at: noon + 90, contentByteCount: 0), [entry])
        guard case .update(let updates, let removed, let serving) = outcome else {
            #expect(!isFreshened && !isRemoved)
            return
        }
        #expect((updates.map(\.index), removed) == (isFreshened ? [0] : [], isRemoved ? [0] : []))
        #expect(serving == nil)
        if let fresh = updates.first { #expect(engine.freshness(of: fresh.entry, now: noon + 90).age == 0) }
    }

    @Test func answerToHead_leavesOtherVariantsAlone() throws {
        let held = try entries([["ETag: \"a\""], ["ETag: \"b\""]])
        let answer = exchange(200, ["ETag: \"c\""], to: request(.head, ["Accept: 1"]), contentByteCount: 0)
        #expect(engine.record(answer, held) == .update([], removing: [1], serving: nil))
    }

    /// §4.4.
    @Test(
        arguments: [
            (.post, 200, [], ["/a"]), (.put, 204, [], ["/a"]), (.delete, 302, [], ["/a"]), (.patch, 201, [], ["/a"]),
            (.other, 200, [], ["/a"]), (.post, 404, [], nil), (.post, 500, [], nil), (.get, 201, [], nil),
            (.options, 200, [], nil),
            (.post, 201, ["Location: /b?c#d", "Content-Location: e"], ["/a", "/b?c", "/e"]),
            (.post, 201, ["Location: http://ORIGIN.test:80/b"], ["/a", "/b"]),
            (.post, 201, ["Location: http://other.test/b", "Content-Location: https://origin.test/b"], ["/a"]),
            (.post, 201, ["Location: /a", "Content-Location: a"], ["/a"]),
        ] as [(Method, Int, [String], [String]?)])
    func unsafeMethod_invalidatesWhatItChanged(
        _ method: Method, _ status: Int, _ lines: [String], _ expected: [String]?
    ) {
        let outcome = engine.record(exchange(status, lines, to: request(method)), [])
        guard case .invalidate(let uris) = outcome else {
            #expect(expected == nil)
            return
        }
        #expect(uris.map(\.text) == expected?.map { "http://origin.test\($0)" })
    }
}
