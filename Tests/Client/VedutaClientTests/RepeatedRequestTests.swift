import Foundation
import Testing

@testable import VedutaClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What is sent again, what is shared, and what ends; without a socket.
@Suite(.timeLimit(.minutes(5)))
struct RepeatedRequestTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func client(
        _ transport: any Transport, base: String = "http://mock.test", token: (any TokenSource)? = nil,
        middleware: [any Middleware] = [], path: NetworkPath = NetworkPath()
    ) throws -> VedutaClient {
        var policy = ClientPolicy()
        policy.firstDelay = .milliseconds(1)
        policy.connectivity = FixedConnectivity(path)
        return VedutaClient(
            VedutaEndpoint(try #require(URL(string: base)), token: token), cache: nil, transport: transport,
            middleware: middleware, policy: policy)
    }

    // MARK: Loads

    @Test func loadsThatDifferInAField_areNotShared() async throws {
        let mock = VedutaMock()
        mock.answer("*", with: .answer([:], Data("x".utf8)), after: .milliseconds(100))
        let client = try client(mock)
        let url = try #require(URL(string: "http://mock.test/a"))
        async let first = client.load(VedutaClient.Loading(url: url, fields: ["range": "bytes=0-1"]))
        async let second = client.load(VedutaClient.Loading(url: url, fields: ["range": "bytes=2-3"]))
        _ = try await (first, second)
        #expect(Set(mock.requests.map { $0.fields["range"] }) == ["bytes=0-1", "bytes=2-3"])
    }

    @Test func expensiveNetworks_saveData() async throws {
        let mock = VedutaMock()
        mock.answer("*", with: .answer([:], Data("x".utf8)))
        _ = try await client(mock, path: NetworkPath(isExpensive: true)).picture(AssetURL("a"))
        _ = try await client(mock).picture(AssetURL("a"))
        #expect(mock.requests.map { $0.fields["save-data"] } == ["on", nil])
    }

    @Test func flow_runsAHundredTimesWithMocks() async throws {
        for _ in 0..<100 {
            let mock = VedutaMock()
            mock.answer("/asset?*", with: .answer(["content-type": "image/png"], Data("x".utf8)))
            mock.answer("/assets/*", with: .problem(404, "asset-not-found"))
            let client = try client(mock)
            #expect(try await client.picture(AssetURL("a").size(width: 9)).mediaType == "image/png")
            await #expect(throws: VedutaError.self) { try await client.facts(of: "a") }
            #expect(mock.requests.map { $0.url.path() } == ["/asset", "/assets/a"])
        }
    }

    @Test func cancelledCaller_doesNotWaitForAToken() async throws {
        struct Stalled: TokenSource {
            func token(replacing refused: String?) async throws -> String {
                try await Task.sleep(for: .seconds(86_400))
                return ""
            }
        }
        let client = try client(VedutaMock(), token: Stalled())
        let caller = Task { try await client.purge(.everything) }
        try await Task.sleep(for: .milliseconds(5))
        caller.cancel()
        let result = await caller.result
        #expect(throws: VedutaError.self) { try result.get() }
    }

    @Test func logOfAnError_doesNotHaveTheURLThatFailed() async throws {
        struct Fails: Middleware {
            func intercept(
                _ request: HTTPRequest, next: @Sendable (HTTPRequest) async throws -> HTTPResponse
            ) async throws -> HTTPResponse {
                throw URLError(.badURL, userInfo: ["NSErrorFailingURLStringKey": "http://mock.test/a?sig=secret"])
            }
        }
        let lines = Recorder<String>()
        let client = try client(VedutaMock(), middleware: [RequestLog { lines.add($0) }, Fails()])
        await #expect(throws: VedutaError.self) { try await client.picture(AssetURL("a")) }
        #expect(lines.values.count == 1 && !lines.values.joined().contains("secret"))
    }

    @Test func redirects_toAnotherHost_loseTheToken() throws {
        var request = URLRequest(url: try #require(URL(string: "https://h/b")))
        request.setValue("Bearer x", forHTTPHeaderField: "Authorization")
        let cases: [(origin: String, kept: String?)] = [
            ("https://h/a", "Bearer x"), ("https://other/a", nil), ("https://h:8443/a", nil),
        ]
        for (origin, kept) in cases {
            let sent = request.withoutSecrets(unlessOf: URL(string: origin))
            #expect(sent.value(forHTTPHeaderField: "Authorization") == kept, "\(origin)")
        }
    }

    // MARK: Downloads

    @Test func download_isRepeatedWhereTheServerIsBusy() async throws {
        let answers = Answers(.problem(503, "busy"), .answer(status: 429, [:], Data()), .answer([:], Data("x".utf8)))
        let file = folder.url.appending(path: "file")
        try await client(answers).download(AssetURL("a"), to: file)
        #expect(try Data(contentsOf: file) == Data("x".utf8))
        #expect(answers.requests.values.count == 3)
        let absent = Answers(.problem(404, "asset-not-found"))
        let error = await #expect(throws: VedutaError.self) {
            try await client(absent).download(AssetURL("a"), to: file)
        }
        if case .problem(let problem) = error { #expect(problem.status == 404) } else { Issue.record("no problem") }
        #expect(absent.requests.values.count == 1)
    }

    /// A process was killed after the last byte, before the file had its name.
    @Test func download_thatHasEveryByte_isCompleted() async throws {
        let answers = Answers(.answer(status: 416, ["content-range": "bytes */3"], Data()))
        let client = try client(answers)
        let source = try client.original(of: "a")
        let file = try folder.brokenDownload(from: source.absoluteString, after: "abc")
        try await client.download(source, to: file)
        #expect(try Data(contentsOf: file) == Data("abc".utf8))
        #expect(answers.requests.values.map { $0.fields["range"] } == ["bytes=3-"])
    }

    // MARK: Resumable uploads

    private func newFile() throws -> URL {
        let file = folder.url.appending(path: "photo")
        try Data("photo".utf8).write(to: file)
        return file
    }

    @Test func finish_mayBeCalledAgain_alsoAfterACancelledOne() async throws {
        let mock = VedutaMock()
        mock.answer("/base/uploads", with: .answer(status: 201, ["location": "/uploads/t"], Data()))
        mock.answer(
            "/base/uploads/t", with: .answer(status: 204, ["upload-offset": "5", "veduta-asset": "~x"], Data()),
            after: .milliseconds(100))
        mock.answer("/base/assets/*", with: .answer([:], Data(#"{"id":"~x","bytes":5}"#.utf8)))
        let upload = try client(mock, base: "http://mock.test/base/").resumableUpload(newFile())
        let first = Task { try await upload.finish() }
        while mock.requests.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
        first.cancel()
        _ = await first.result
        for _ in 0..<2 { #expect(try await upload.finish().id == "~x") }
        #expect(mock.requests.map(\.method) == ["POST", "PATCH", "GET"])
    }

    @Test func cancel_endsThoseWhoWait_alsoWhereTheServerCannotBeTold() async throws {
        let answers = Answers(
            .answer(status: 201, ["location": "/uploads/t"], Data()), .stall, .fail(.cannotConnectToHost))
        let upload = try client(answers).resumableUpload(newFile())
        let waiting = Task { try await upload.finish() }
        while answers.requests.values.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
        await #expect(throws: VedutaError.self) { try await upload.cancel() }
        let result = await waiting.result
        #expect(throws: VedutaError.self) { try result.get() }
        await #expect(throws: VedutaError.self) { try await upload.finish() }
        var last: UploadTask.State?
        for await state in upload.states { last = state }
        if case .cancelled = last {} else { Issue.record("\(String(describing: last))") }
    }
}
