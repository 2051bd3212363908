import Foundation
import SeededRandom
import Synchronization
import Testing

@testable import VedutaClient

/// Without a socket: everything by `VedutaMock`.
@Suite(.timeLimit(.minutes(5)))
struct ClientTests {
    private let mock = VedutaMock()
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func client(
        transport: (any Transport)? = nil, token: (any TokenSource)? = nil, middleware: [any Middleware] = [],
        _ change: (inout ClientPolicy) -> Void = { _ in }
    ) throws -> VedutaClient {
        var policy = ClientPolicy()
        policy.firstDelay = .milliseconds(1)
        change(&policy)
        let base = try #require(URL(string: "http://mock.test"))
        return VedutaClient(
            VedutaEndpoint(base, token: token), cache: ImageURLCache(folder: folder.url),
            transport: transport ?? mock, middleware: middleware, policy: policy)
    }

    @Test func equalImages_areTransferredOnce_andALeavingWaiterEndsNothing() async throws {
        mock.answer("/asset?*", with: .answer(["cache-control": "max-age=60"], Data("x".utf8)))
        let gate = GatedTransport(mock)
        let client = try client(transport: gate)
        let pictures = (0..<50).map { _ in Task { try await client.picture(AssetURL("a")) } }
        while gate.requests.values.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        let leaving = Task { try await client.picture(AssetURL("a")) }
        try await Task.sleep(for: .milliseconds(5))
        leaving.cancel()
        await #expect(throws: VedutaError.self) { try await leaving.value }
        gate.open()
        for picture in pictures { #expect(try await picture.value.data == Data("x".utf8)) }
        #expect(mock.requests.count == 1)
    }

    @Test(arguments: [
        (404, "problem"), (413, "problem"), (422, "problem"), (429, "problem"), (503, "problem"),
    ])
    func problems_areTold(_ status: Int, _ kind: String) async throws {
        mock.answer("*", with: .problem(status, kind))
        let client = try client()
        let error = await #expect(throws: VedutaError.self) { try await client.picture(AssetURL("a")) }
        guard case .problem(let problem) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem.status == status)
        #expect(mock.requests.count == ([429, 503].contains(status) ? 3 : 1))
    }

    @Test func longRetryAfter_isToldAndNotWaitedFor() async throws {
        mock.answer("*", with: .answer(status: 503, ["retry-after": "3600"], Data()))
        let client = try client()
        let error = await #expect(throws: VedutaError.self) { try await client.picture(AssetURL("a")) }
        if case .unexpected(503, _) = error {} else { Issue.record("\(String(describing: error))") }
        #expect(mock.requests.count == 1)
    }

    @Test func brokenConnectionsAndHTML_areTold() async throws {
        mock.answer("/asset?*", with: .cut(after: 10, of: .answer([:], Data(count: 100))))
        mock.answer("/assets/*", with: .answer(["content-type": "text/html"], Data("<html>".utf8)))
        let client = try client()
        let cut = await #expect(throws: VedutaError.self) { try await client.picture(AssetURL("a")) }
        if case .transport(let error) = cut {
            #expect(error.code == .networkConnectionLost)
        } else {
            Issue.record("\(String(describing: cut))")
        }
        let html = await #expect(throws: VedutaError.self) { try await client.facts(of: "a") }
        if case .decoding = html {} else { Issue.record("\(String(describing: html))") }
    }

    @Test func withoutANetwork_theCacheAnswers_orNobody() async throws {
        mock.answer("*", with: .answer(["etag": "\"1\""], Data("x".utf8)))
        _ = try await client().picture(AssetURL("a"))
        let offline = try client { $0.connectivity = FixedConnectivity(NetworkPath(isConnected: false)) }
        #expect(try await offline.picture(AssetURL("a")).data == Data("x".utf8))
        let error = await #expect(throws: VedutaError.self) { try await offline.picture(AssetURL("b")) }
        if case .noConnection = error {} else { Issue.record("\(String(describing: error))") }
        #expect(mock.requests.count == 1)
    }

    @Test func staleImages_areShownWhereTheServerIsGone() async throws {
        mock.answer("*", with: .answer(["etag": "\"1\""], Data("x".utf8)))
        let client = try client()
        _ = try await client.picture(AssetURL("a"))
        mock.answer("*", with: .fail(.cannotConnectToHost))
        #expect(try await client.picture(AssetURL("a")).source == .stale)
        mock.answer("*", with: .answer(status: 304, ["cache-control": "max-age=60"], Data()))
        #expect(try await client.picture(AssetURL("a")).source == .revalidated)
        #expect(mock.requests.last?.fields["if-none-match"] == "\"1\"")
        #expect(try await client.picture(AssetURL("a")).source == .memory)
    }

    @Test func contentIDs_needNoRevalidation() async throws {
        mock.answer("*", with: .answer([:], Data("x".utf8)))
        let client = try client()
        let url = AssetURL(AssetID(contentOf: Data("y".utf8))).size(width: 9)
        _ = try await client.picture(url)
        #expect(try await client.picture(url).source == .memory)
    }

    private actor CountingTokens: TokenSource {
        var calls = 0
        var failures: Int
        init(failures: Int = 0) { self.failures = failures }
        func token(replacing refused: String?) async throws -> String {
            calls += 1
            try await Task.sleep(for: .milliseconds(20))
            if calls <= failures { throw URLError(.userAuthenticationRequired) }
            return "token\(calls)"
        }
    }

    /// Refuses the first token.
    private struct Gate: Middleware {
        func intercept(
            _ request: HTTPRequest, next: @Sendable (HTTPRequest) async throws -> HTTPResponse
        ) async throws -> HTTPResponse {
            let isOld = request.fields["authorization"] == "Bearer token1"
            return isOld ? HTTPResponse(url: request.url, status: 401) : try await next(request)
        }
    }

    @Test func expiredToken_isRefreshedOnceForManyCallers() async throws {
        mock.answer("/cache*", with: .answer([:], Data(#"{"memory":1,"disk":2}"#.utf8)))
        let tokens = CountingTokens()
        let client = try client(token: tokens, middleware: [Gate()])
        let callers = (0..<100).map { _ in Task { try await client.purge(.everything) } }
        callers[7].cancel()
        // It ends, in one way or the other.
        _ = await callers[7].result
        for (index, caller) in callers.enumerated() where index != 7 {
            #expect(try await caller.value == Purged(memory: 1, disk: 2))
        }
        #expect(await tokens.calls == 2)
        #expect(mock.requests.allSatisfy { $0.fields["authorization"] == "Bearer token2" })
    }

    @Test func failedRefresh_isTriedAgainByTheNextCaller() async throws {
        mock.answer("/cache*", with: .answer([:], Data(#"{"memory":0,"disk":0}"#.utf8)))
        let client = try client(token: CountingTokens(failures: 1))
        await #expect(throws: VedutaError.self) { try await client.purge(.everything) }
        _ = try await client.purge(.everything)
    }

    @Test func middleware_rewritesAddsAndTells() async throws {
        let lines = Recorder<String>()
        mock.answer("/p/asset?id=a", with: .answer([:], Data()))
        let client = try client(middleware: [
            Rewrite("http://mock.test/", to: "http://proxy.test/p/"),
            AddedFields(["user-agent": "App/1", "authorization": "Basic x"]),
            RequestLog { lines.add($0) },
        ])
        _ = try await client.picture(AssetURL("a"))
        #expect(mock.requests.last?.url.absoluteString == "http://proxy.test/p/asset?id=a")
        #expect(mock.requests.last?.fields["User-Agent"] == "App/1")
        #expect(
            lines.values.count == 1 && lines.values[0].contains("authorization: …")
                && !lines.values[0].contains("Basic"))
    }

    @Test func models_keepWhatTheyDoNotKnow() throws {
        let text = #"{"id":"a","origin":"upload","bytes":3,"created":"2026-11-24T07:00:00Z","new":{"x":[1,null,true]}}"#
        let record = try VedutaClient.decoded(AssetRecord.self, Data(text.utf8))
        #expect(record.extra.keys.sorted() == ["new"])
        #expect(record.created != nil && record.sha256 == nil)
        #expect(try VedutaClient.decoded(AssetRecord.self, JSONEncoder().encode(record)) == record)
        #expect(throws: VedutaError.self) { try VedutaClient.decoded(AssetRecord.self, Data("{}".utf8)) }
    }

    @Test func recordings_arePlayedBack() async throws {
        mock.answer("*", with: .answer(["etag": "\"1\""], Data("x".utf8)))
        let request = HTTPRequest(try #require(URL(string: "http://h/asset?id=a")))
        _ = try await VedutaRecorder(recordingTo: folder.url, mock).exchange(request, TransportEvents())
        let played = try await VedutaRecorder(playing: folder.url).exchange(request, TransportEvents())
        #expect(played.content == Data("x".utf8) && played.fields["ETag"] == "\"1\"")
        let other = HTTPRequest(try #require(URL(string: "http://h/asset?id=b")))
        await #expect(throws: URLError.self) {
            try await VedutaRecorder(playing: folder.url).exchange(other, TransportEvents())
        }
    }

    @Test func prefetch_fillsTheCache_andEndsWhenCancelled() async throws {
        mock.answer("*", with: .answer(["cache-control": "max-age=60"], Data("x".utf8)))
        let client = try client()
        #expect(await client.prefetch((0..<9).map { AssetURL(AssetID("\($0)")) }).finish() == 9)
        #expect(try await client.picture(AssetURL("5"), read: .returnCacheDontLoad).source == .memory)
        mock.answer("*", with: .stall)
        let stalled = client.prefetch((10..<99).map { AssetURL(AssetID("\($0)")) })
        try await Task.sleep(for: .milliseconds(20))
        stalled.cancel()
        #expect(await stalled.finish() == 0)
        // Two at a time.
        #expect(mock.requests.count <= 11)
    }

    /// B is asked for before, while and after A comes: A never appears from then on. All slots change at once, since every step of
    /// one waits for its turn on the threads that all tests share; their delays are longer than what a thousand slots take.
    @MainActor
    @Test func slot_neverShowsWhatItWasNotAskedForLast() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<1000 { group.addTask { try await showBInPlaceOfA(round) } }
            try await group.waitForAll()
        }
    }

    @MainActor
    private func showBInPlaceOfA(_ round: Int) async throws {
        var random = SeededGenerator(state: UInt64(round))
        let mock = VedutaMock()
        for name in ["a", "b"] {
            mock.answer(
                "/asset?id=\(name)", with: .answer([:], Data(name.utf8)),
                after: .milliseconds(.random(in: 0...400, using: &random)))
        }
        let service = VedutaEndpoint(try #require(URL(string: "http://mock.test")))
        let slot = ImageSlot(client: VedutaClient(service, cache: nil, transport: mock))
        slot.show(AssetURL("a"))
        try await Task.sleep(for: .milliseconds(.random(in: 0...300, using: &random)))
        let (states, next) = AsyncStream.makeStream(of: ImageSlot.State.self)
        slot.onChange = { next.yield($0) }
        slot.show(AssetURL("b"))
        for await state in states {
            switch state {
            case .loading: continue
            case .shown(let picture): #expect(picture.data == Data("b".utf8))
            case .empty, .placeholder, .failed: Issue.record("\(state)")
            }
            break
        }
        slot.show(AssetURL("b"))
        try await Task.sleep(for: .milliseconds(300))
        let last: Data? = if case .shown(let picture) = slot.state { picture.data } else { nil }
        #expect(last == Data("b".utf8))
    }

    @Test func sha256_isThatOfTheStandard() {
        #expect(
            SHA256.hex(SHA256.digest(of: Data("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let long = Data("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
        #expect(
            SHA256.hex(SHA256.digest(of: long)) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        var pieces = SHA256()
        for byte in long { pieces.update(Data([byte])) }
        #expect(pieces.digest() == SHA256.digest(of: long))
    }

    @Test func entriesLeave_theLeastRecentlyUsedFirst() {
        var entries = RecentEntries<Int>(byteLimit: 160)
        for key in 0..<16 { #expect(entries.insert(key, for: "\(key)", byteCount: 10).isEmpty) }
        _ = entries.value(for: "0")
        #expect(entries.insert(16, for: "16", byteCount: 10) == ["1", "2"])
        #expect(entries.value(for: "0") == 0 && entries.byteCount <= 160)
        #expect(entries.insert(1, for: "large", byteCount: 1000) == ["large"])
        #expect(entries.value(for: "16") == 16)
    }

    @Test func freshness_isThatOfRFC9111() throws {
        func state(_ fields: HTTPFields, after seconds: Double = 30) throws -> Freshness {
            let response = HTTPResponse(url: try #require(URL(string: "http://h")), status: 200, fields: fields)
            let now = Date()
            return Freshness(
                StoredResponse.Head(response, to: [:], confirmed: now.addingTimeInterval(-seconds)), now: now)
        }
        #expect(try state(["cache-control": "max-age=60"]).isFresh)
        #expect(try !state(["cache-control": "max-age=60", "age": "40"]).isFresh)
        #expect(try !state(["cache-control": "max-age=60, no-cache"]).isFresh)
        #expect(try !state(["cache-control": "no-store"]).mayBeStored)
        #expect(try !state(["cache-control": "max-age=x"]).isFresh)
        #expect(
            try state(["date": "Tue, 24 Nov 2026 07:00:00 GMT", "expires": "Tue, 24 Nov 2026 07:01:00 GMT"]).isFresh)
        #expect(try !state(["date": "Tue, 24 Nov 2026 07:00:00 GMT", "expires": "0"]).isFresh)
        #expect(try state(["date": "Tue Nov 24 07:00:00 2026", "expires": "Tuesday, 24-Nov-26 07:01:00 GMT"]).isFresh)
        let never = "Tue, 24 Nov 9223372036854775807 07:00:00 GMT"
        #expect(try !state(["date": never, "last-modified": never]).isFresh)
        #expect(try !state(["vary": "Accept, *", "cache-control": "max-age=60"]).mayBeStored)
        #expect(
            try state(["date": "Tue, 24 Nov 2026 07:00:00 GMT", "last-modified": "Tue, 24 Nov 2026 06:50:00 GMT"])
                .isFresh)
    }

    @Test func damagedCacheFiles_areAbsent() throws {
        let file = folder.url.appending(path: "f")
        let response = HTTPResponse(
            url: try #require(URL(string: "http://h/a")), status: 200, fields: ["etag": "\"1\""])
        let stored = StoredResponse(head: StoredResponse.Head(response, to: [:]), content: Data("content".utf8))
        _ = try CacheFile.write(stored, to: file)
        var renewed = stored.head
        renewed.fields["age"] = "7"
        _ = try CacheFile.renew(renewed, in: file)
        #expect(CacheFile.read(file)?.head.fields == ["etag": "\"1\"", "age": "7"])
        let whole = try Data(contentsOf: file)
        for count in 0..<whole.count {
            try whole.prefix(count).write(to: file)
            #expect(CacheFile.read(file) == nil)
        }
    }
}
