import HTTPMessage
import ResponseCache
import Testing

/// Which stored answer a request selects (RFC 9111 §4.1).
@Suite(.timeLimit(.minutes(5))) struct VariationRulesTests {
    private let engine = CacheEngine()

    @Test(
        arguments: [
            ("Accept-Encoding", ["Accept-Encoding: gzip, br"], ["Accept-Encoding: br,gzip"], true),
            ("Accept-Encoding", ["Accept-Encoding: GZip"], ["Accept-Encoding: gzip"], true),
            ("Accept-Encoding", ["Accept-Encoding: gzip"], ["Accept-Encoding: gzip;q=0.5"], false),
            ("Accept-Encoding", ["Accept-Encoding: gzip"], [], false),
            ("Accept-Encoding", [], ["Accept-Encoding:"], false),
            ("Accept-Encoding", [], [], true),
            ("Accept", ["Accept: a/b ; q=0.5 , c/d"], ["Accept: a/b;q=0.5", "Accept: c/d"], true),
            ("Accept", ["Accept: a/b;x=\"A\""], ["Accept: a/b;x=\"a\""], false),
            ("Accept-Language", ["Accept-Language: de, en"], ["Accept-Language: DE,en,"], true),
            ("Accept-Language", ["Accept-Language: de, en"], ["Accept-Language: en, de"], true),
            ("Accept-Language", ["Accept-Language: de, en"], ["Accept-Language: en, de;q=0.9"], false),
            ("X-Any", ["X-Any: a"], ["x-any: a"], true),
            ("X-Any", ["X-Any: a"], ["X-Any: A"], false),
            ("X-Any", ["X-Any: a,b"], ["X-Any: a, b"], true),
            ("X-Any", ["X-Any: a , b"], ["X-Any: a,\t b"], true), ("X-Any", ["X-Any: a b"], ["X-Any: ab"], false),
            ("X-Any", ["X-Any: a,,b"], ["X-Any: a,b"], false), ("X-Any", ["X-Any: b, a"], ["X-Any: a, b"], false),
            ("X-Any", ["X-Any: \"a, b\""], ["X-Any: \"a,b\""], false),
            ("X-Any", ["X-Any: \"a\\\", b\", c"], ["X-Any: \"a\\\", b\",c"], true),
            ("X-Any", ["X-Any: \"a\\\", b\", c"], ["X-Any: \"a\\\",b\",c"], false),
            ("User-Agent", ["User-Agent: (a, b)"], ["User-Agent: (a,b)"], false),
            ("X-Any", ["X-Any: a", "X-Any: b"], ["X-Any: a, b"], true),
            ("X-Any, Accept", ["X-Any: a", "Accept: b"], ["X-Any: a", "Accept: b"], true),
            ("X-Any, Accept", ["X-Any: a", "Accept: b"], ["X-Any: a", "Accept: c"], false),
            ("x-any,,Accept", ["X-Any: a", "X-Other: b"], ["X-Any: a", "X-Other: c"], true),
        ] as [(String, [String], [String], Bool)])
    func request_selectsWhatWasMadeForItsLike(
        _ vary: String, _ asked: [String], _ asking: [String], _ matches: Bool
    ) throws {
        let entry = try #require(stored(200, ["Cache-Control: max-age=60", "Vary: \(vary)"], to: request(.get, asked)))
        let word = engine.decide(request(.get, asking), [entry], now: noon).word
        #expect(word == (matches ? "hit" : "forward vary-miss"))
    }

    @Test func onlyWhatVaryNames_isKeptOfTheRequest() throws {
        let asked = request(.get, ["Cookie: secret", "Accept: a", "X-B: c"])
        let entry = try #require(stored(200, ["Cache-Control: max-age=60", "Vary: accept"], to: asked))
        #expect(entry.selecting == [fields(["Accept: a"])])
    }

    @Test func ofSeveralThatMatch_theLatestThatVariesIsTaken() throws {
        func entry(_ lines: [String], _ time: Int64) throws -> StoredExchange {
            try #require(stored(200, ["Cache-Control: max-age=600"] + lines, to: request(), at: time))
        }
        let byDefault = try entry([], noon + 50)
        let old = try entry(["Vary: A"], noon)
        let late = try entry(["Vary: B"], noon + 10)
        let arrivedLate = try entry(["Vary: C", "Date: \(HTTPDate.text(noon))"], noon + 20)
        for entries in [[byDefault, old, late, arrivedLate], [arrivedLate, late, old, byDefault]] {
            let index = try #require(engine.decide(request(), entries, now: noon + 60).serving).index
            #expect(entries[index] == late)
        }
        let plain = [try entry([], noon), try entry([], noon + 5), try entry([], noon + 1)]
        #expect(engine.decide(request(), plain, now: noon + 60).serving?.index == 1)
    }

    /// §4.1, §4.3.3: the origin may know that a stored answer is for this request too.
    @Test func missedVariants_areOfferedByTheirTags() throws {
        let vary = ["Cache-Control: max-age=60", "Vary: Accept"]
        let entries = try ["a", "b"].map {
            try #require(stored(200, vary + ["ETag: \"\($0)\""], to: request(.get, ["Accept: \($0)"])))
        }
        let asked = request(.get, ["Accept: c"])
        let validation = try #require(engine.decide(asked, entries, now: noon).validation)
        #expect((validation.index, validation.why) == (nil, .varyMiss))
        #expect(validation.fields.first(.ifNoneMatch) == "\"a\", \"b\"")

        let answer = exchange(304, ["ETag: \"b\""], to: asked, at: noon + 1)
        guard case .update(let updates, let removed, let serving) = engine.record(answer, entries) else {
            Issue.record("no update")
            return
        }
        #expect((updates.map(\.index), removed, serving) == ([1], [], 1))
        for accept in ["b", "c"] {
            #expect(updates.first?.entry.matches(fields(["Accept: \(accept)"])) == true)
        }
        #expect(updates.first?.entry.matches(fields(["Accept: a"])) == false)
        #expect(
            engine.decide(request(.get, ["Accept: c", "Cache-Control: no-cache"]), entries, now: noon).word
                == "forward request")
    }
}
