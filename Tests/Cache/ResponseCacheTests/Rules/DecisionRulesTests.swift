import HTTPMessage
import ResponseCache
import Testing

/// What is done with a request, given what is stored for its URI (RFC 9111 §4).
@Suite(.timeLimit(.minutes(5))) struct DecisionRulesTests {
    private let engine = CacheEngine()

    private static let tagged = ["Cache-Control: max-age=60", "ETag: \"a\""]

    /// §4, §4.2.4, §5.2.1; RFC 5861 §3: the entry is fresh for 60 s and asked for so many seconds later.
    @Test(
        arguments: [
            ("", [], 0, "hit"), ("", [], 53, "hit"), ("", [], 54, "hit+"), ("", [], 59, "hit+"),
            ("", [], 60, "validate stale"), (", immutable", [], 59, "hit"),
            (", stale-while-revalidate=10", [], 70, "stale+"),
            (", stale-while-revalidate=10", [], 71, "validate stale"),
            (", stale-while-revalidate=10, must-revalidate", [], 61, "validate stale"),
            (", no-cache", [], 1, "validate stale"), (", no-cache=\"X-A\"", [], 1, "hit"),
            (", no-cache=\"Vary\"", [], 1, "validate stale"),
            ("", ["Cache-Control: max-stale"], 100, "stale"),
            ("", ["Cache-Control: max-stale=39"], 100, "validate stale"),
            (", must-revalidate", ["Cache-Control: max-stale"], 100, "validate stale"),
            (", proxy-revalidate", ["Cache-Control: max-stale"], 100, "validate stale"),
            (", s-maxage=60", ["Cache-Control: max-stale"], 100, "validate stale"),
            ("", ["Cache-Control: no-cache"], 1, "forward request"), ("", ["Pragma: no-cache"], 1, "forward request"),
            ("", ["Cache-Control: max-age=0"], 1, "validate request"),
            ("", ["Cache-Control: min-fresh=60"], 1, "validate request"),
            ("", ["Cache-Control: no-store"], 1, "hit"), ("", ["Cache-Control: only-if-cached"], 1, "hit"),
            ("", ["Cache-Control: only-if-cached"], 60, "504"), ("", ["Authorization: x"], 1, "hit"),
            ("", ["Range: bytes=0-1"], 1, "hit"),
            // §4.3.2: conditions that only the origin can judge.
            ("", ["If-Match: \"a\""], 1, "forward bypass"),
            ("", ["If-Unmodified-Since: \(noonText)"], 1, "forward bypass"),
            ("", ["If-Match: \"a\"", "Cache-Control: only-if-cached"], 1, "504"),
        ] as [(String, [String], Int64, String)])
    func storedAnswer_isUsedByTheRules(_ more: String, _ asking: [String], _ later: Int64, _ expected: String) throws {
        let entry = try #require(stored(200, ["Cache-Control: max-age=60\(more)", "ETag: \"a\""]))
        #expect(engine.decide(request(.get, asking), [entry], now: noon + later).word == expected)
    }

    @Test func nothingStored_isForwardedOr504() {
        #expect(engine.decide(request(), [], now: noon).word == "forward uri-miss")
        #expect(engine.decide(request(.head), [], now: noon).word == "forward uri-miss")
        #expect(engine.decide(request(.get, ["Cache-Control: only-if-cached"]), [], now: noon).word == "504")
    }

    /// §4: only GET is stored, and it answers HEAD too.
    @Test func method_decides() throws {
        let entry = try #require(stored(200, Self.tagged))
        for method in Method.allCases {
            let expected = method == .get || method == .head ? "hit" : "forward method"
            #expect(engine.decide(request(method), [entry], now: noon).word == expected)
        }
        #expect(engine.decide(request(hasContent: true), [entry], now: noon).word == "forward bypass")
    }

    /// §4, §5.1.
    @Test func servedAnswer_tellsItsAge() throws {
        let entry = try #require(stored(200, Self.tagged + ["Age: 7", "X-A: b"]))
        let serving = try #require(engine.decide(request(), [entry], now: noon + 5).serving)
        #expect((serving.age, serving.timeToLive) == (12, 48))
        let head = engine.head(entry, serving)
        #expect(head.status == .ok)
        #expect(head.fields.all(.age) == ["12"])
        #expect(head.fields.first("X-A") == "b")
        #expect(!head.fields.contains("Warning"))
    }

    /// §4.3.2; RFC 9110 §13.1.2, §13.1.3, §15.4.5.
    @Test(
        arguments: [
            (["If-None-Match: \"a\""], true), (["If-None-Match: W/\"a\", \"b\""], true), (["If-None-Match: *"], true),
            (["If-None-Match: \"b\""], false), (["If-Modified-Since: \(noonText)"], true),
            (["If-Modified-Since: \(HTTPDate.text(noon - 1))"], false),
            (["If-None-Match: \"b\"", "If-Modified-Since: \(noonText)"], false),
        ] as [([String], Bool)])
    func clientThatHasIt_is304(_ asking: [String], _ expected: Bool) throws {
        let entry = try #require(stored(200, Self.tagged + ["Content-Type: text/plain"]))
        let serving = try #require(engine.decide(request(.get, asking), [entry], now: noon).serving)
        #expect(serving.isNotModified == expected)
        let head = engine.head(entry, serving)
        #expect(head.status.code == (expected ? 304 : 200))
        #expect(head.fields.contains(.contentType) == !expected)
        #expect(head.fields.first(.entityTag) == "\"a\"")
    }

    @Test func conditionsAgainstAnError_areVoid() throws {
        let entry = try #require(stored(404, ["Cache-Control: max-age=60"]))
        let asked = request(.get, ["If-Modified-Since: \(noonText)"])
        #expect(try #require(engine.decide(asked, [entry], now: noon).serving).isNotModified == false)
    }

    /// §4.3.1.
    @Test func validation_sendsOurConditionsInsteadOfTheClients() throws {
        let modified = "Last-Modified: \(HTTPDate.text(noon - 99))"
        let asking = ["Accept: x", "If-None-Match: \"client\"", "If-Range: \"c\"", "Range: bytes=0-1", "X-A: b"]
        func sent(_ entries: [StoredExchange?]) throws -> [String] {
            let decision = engine.decide(request(.get, asking), entries.compactMap(\.self), now: noon + 60)
            return try #require(decision.validation).fields.lines.map { "\($0.name): \($0.value)" }
        }
        let maxAge = "Cache-Control: max-age=60"
        #expect(
            try sent([stored(200, [maxAge, "ETag: \"a\"", modified])])
                == ["Accept: x", "X-A: b", "If-None-Match: \"a\"", "If-Modified-Since: \(HTTPDate.text(noon - 99))"])
        #expect(
            try sent([stored(200, [maxAge, modified])])
                == ["Accept: x", "X-A: b", "If-Modified-Since: \(HTTPDate.text(noon - 99))"])
        let other = request(.get, ["Accept: y"])
        #expect(
            try sent([
                stored(200, [maxAge, "ETag: W/\"a\"", "Vary: Accept"], to: other),
                stored(200, [maxAge, "ETag: \"b\"", "Vary: Accept"], to: request(.get, asking)),
                stored(200, [maxAge, "ETag: \"b\"", "Vary: Foo"], to: request(.get, ["Foo: 1"])),
            ]) == ["Accept: x", "X-A: b", "If-None-Match: W/\"a\", \"b\""])
    }

    @Test func staleAnswerWithoutValidator_isFetchedAnew() throws {
        let entry = try #require(stored(200, ["Cache-Control: max-age=60"]))
        #expect(engine.decide(request(), [entry], now: noon + 60).word == "forward stale")
    }

    /// RFC 9110 §13.2.1: there are no conditions about an error.
    @Test func staleError_isFetchedAnew() throws {
        let entry = try #require(stored(404, ["Cache-Control: max-age=60", "ETag: \"a\""]))
        #expect(engine.decide(request(), [entry], now: noon + 60).word == "forward stale")
        #expect(engine.record(exchange(304, ["ETag: \"a\""]), [entry], validating: 0) == .repeatWithoutConditions)
    }

    /// §4.3.1, RFC 5861 §3: a refresh speaks for the cache.
    @Test func refresh_carriesNoDirectivesOfTheClient() throws {
        let entry = try #require(stored(200, Self.tagged))
        let asking = ["Cache-Control: max-stale, only-if-cached", "Pragma: x", "Accept: y", "Range: bytes=0-1"]
        let refresh = engine.refresh(request(.get, asking), [entry], 0)
        #expect(refresh.fields.lines.map(\.name) == ["Accept", "If-None-Match"])
        #expect(refresh.index == 0)
        let plain = try #require(stored(200, ["Cache-Control: max-age=60"]))
        #expect(engine.refresh(request(.get, asking), [plain], 0).fields.lines.map(\.name) == ["Accept"])
    }

    /// RFC 5861 §4; RFC 9111 §4.2.4.
    @Test(
        arguments: [
            (", stale-if-error=10", [], 70, true), (", stale-if-error=10", [], 71, false), ("", [], 61, false),
            ("", [], 30, true), (", stale-if-error=10, must-revalidate", [], 61, false),
            ("", ["Cache-Control: stale-if-error=5"], 65, true), ("", ["Cache-Control: no-cache"], 1, false),
            (", stale-if-error=10", ["If-Match: \"a\""], 61, false), (", stale-if-error=10", ["Accept: x"], 61, true),
        ] as [(String, [String], Int64, Bool)])
    func failure_isCoveredWithinTheLimits(_ more: String, _ asking: [String], _ later: Int64, _ covered: Bool) throws {
        let entry = try #require(stored(200, ["Cache-Control: max-age=60\(more)", "ETag: \"a\""]))
        let serving = engine.substitute(request(.get, asking), [entry], now: noon + later)
        #expect((serving != nil) == covered)
        if let serving { #expect(serving.age == Int(later)) }
        #expect(engine.substitute(request(.post), [entry], now: noon) == nil)
    }

    @Test func onlyServerErrors_areFailures() {
        #expect((100...599).filter { engine.isFailure(Status(code: $0)) } == [500, 502, 503, 504])
    }

    /// What must not be in a shared cache is not served even if a store has it.
    @Test(arguments: ["no-store, max-age=60", "private, max-age=60"])
    func forbiddenEntry_isPassedOver(_ directives: String) throws {
        var entry = try #require(stored(200, Self.tagged))
        entry.fields = fields(["Date: \(noonText)", "Cache-Control: \(directives)"])
        #expect(engine.decide(request(), [entry], now: noon).word == "forward vary-miss")
    }
}
