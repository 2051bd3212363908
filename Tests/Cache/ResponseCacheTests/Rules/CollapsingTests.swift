import HTTPMessage
import ResponseCache
import Testing

/// Who waits for another's answer (RFC 9111 §4).
@Suite(.timeLimit(.minutes(5))) struct CollapsingTests {
    private let engine = CacheEngine()

    @Test(
        arguments: [
            (.get, [], true), (.head, [], false), (.post, [], false), (.get, ["Cache-Control: no-cache"], false),
            (.get, ["Cache-Control: max-age=0"], true), (.get, ["Cache-Control: only-if-cached"], false),
            (.get, ["Authorization: x"], false), (.get, ["Range: bytes=0-1"], false), (.get, ["If-Match: *"], false),
            (.get, ["If-None-Match: \"a\""], true),
        ] as [(Method, [String], Bool)])
    func onlyRequestsForWhatCanBeShared_wait(_ method: Method, _ lines: [String], _ expected: Bool) {
        #expect(engine.mayWait(request(method, lines)) == expected)
    }

    @Test func answerThatCannotBeShared_keepsOthersFromWaitingForAWhile() throws {
        var unshared = UnsharedURIs(lifetime: 30)
        let uri = request().uri
        func note(_ status: Int, _ lines: [String], at time: Int64) {
            let answer = exchange(status, lines, at: time)
            unshared.note(engine.record(answer, []), of: answer, by: engine)
        }
        #expect(!unshared.contains(uri, now: noon))
        note(200, ["Cache-Control: private"], at: noon)
        #expect(unshared.contains(uri, now: noon + 29))
        #expect(!unshared.contains(uri, now: noon + 30))
        #expect(!unshared.contains(uri, now: noon - 1))
        note(200, ["Cache-Control: max-age=60"], at: noon + 1)
        #expect(!unshared.contains(uri, now: noon + 1))
        // Stored, but stale at once: whoever waited would have to ask.
        note(200, ["Cache-Control: max-age=0", "ETag: \"a\""], at: noon + 2)
        #expect(unshared.contains(uri, now: noon + 2))
        let later = exchange(304, [], at: noon + 3)
        unshared.note(.update([], removing: [], serving: nil), of: later, by: engine)
        #expect(!unshared.contains(uri, now: noon + 3))
        unshared.note(.invalidate([uri]), of: later, by: engine)
        #expect(!unshared.contains(uri, now: noon + 3))
    }

    /// Neither a failing origin nor one odd client makes the others go side by side.
    @Test func whatSaysNothingOfTheNextAnswer_isNotRemembered() {
        var unshared = UnsharedURIs(lifetime: 30)
        for answer in [
            exchange(503, []), exchange(200, ["Cache-Control: max-age=9"], isComplete: false), exchange(206, []),
            exchange(200, ["Cache-Control: max-age=9"], to: request(.get, ["Cache-Control: no-store"])),
            exchange(200, ["Cache-Control: max-age=9"], to: request(.get, ["Authorization: x"])),
        ] {
            let outcome = engine.record(answer, [])
            #expect(outcome.refusal != nil)
            unshared.note(outcome, of: answer, by: engine)
            #expect(!unshared.contains(answer.request.uri, now: noon))
        }
    }

    @Test func rememberedURIs_areLimited() throws {
        var unshared = UnsharedURIs(limit: 3, lifetime: 30)
        let uris = try (0..<5).map { try #require(TargetURI("http://origin.test/\($0)")) }
        func note(_ uri: TargetURI, at time: Int64) {
            let answer = exchange(200, [], to: CacheRequest(.get, uri), at: time)
            unshared.note(.none(.noStore, removing: []), of: answer, by: engine)
        }
        for uri in uris + uris { note(uri, at: noon) }
        #expect(uris.filter { unshared.contains($0, now: noon) } == Array(uris.suffix(3)))
        note(uris[0], at: .max)
        #expect(!unshared.contains(uris[0], now: .min))
    }
}
