import Foundation
import Testing

@testable import VedutaClient

/// Transfers where a server, a file, or what the app brings along fails; without a socket.
@Suite(.timeLimit(.minutes(5)))
struct TransferTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func client(
        _ transport: any Transport, token: (any TokenSource)? = nil, middleware: [any Middleware] = []
    ) throws -> VedutaClient {
        var policy = ClientPolicy()
        policy.firstDelay = .milliseconds(1)
        let base = try #require(URL(string: "http://mock.test"))
        return VedutaClient(
            VedutaEndpoint(base, token: token), cache: nil, transport: transport, middleware: middleware,
            policy: policy)
    }

    private func newFile(_ text: String) throws -> URL {
        let file = folder.url.appending(path: "photo")
        try Data(text.utf8).write(to: file)
        return file
    }

    // MARK: Downloads

    @Test func partThatWasNotAskedFor_isNotAppended() async throws {
        let answers = Answers(
            .answer(status: 206, ["content-range": "bytes 0-2/3", "etag": "\"1\""], Data("abc".utf8)),
            .answer(["etag": "\"1\""], Data("abc".utf8)))
        let client = try client(answers)
        let source = try client.original(of: "a")
        let file = try folder.brokenDownload(from: source.absoluteString, after: "ab")
        try await client.download(source, to: file)
        #expect(try Data(contentsOf: file) == Data("abc".utf8))
        #expect(answers.requests.values.map { $0.fields["range"] } == ["bytes=2-", nil])
        #expect(answers.requests.values.allSatisfy { $0.fields["accept-encoding"] == "identity" })
    }

    @Test func equalDownloads_areOne_andReplaceTheFile() async throws {
        let mock = VedutaMock()
        mock.answer("*", with: .answer([:], Data("new".utf8)), after: .milliseconds(500))
        let client = try client(mock)
        let file = try newFile("what was there before")
        async let first: Void = client.download(AssetURL("a"), to: file)
        async let second: Void = client.download(AssetURL("a"), to: file)
        _ = try await (first, second)
        #expect(try Data(contentsOf: file) == Data("new".utf8))
        #expect(mock.requests.count == 1)
    }

    // MARK: Uploads

    private func newServer() -> VedutaMock {
        let mock = VedutaMock()
        mock.answer("/uploads", with: .answer(status: 201, ["location": "/uploads/t"], Data()))
        mock.answer("/uploads/t", with: .answer(status: 204, ["upload-offset": "2"], Data()))
        return mock
    }

    @Test func serverThatTakesNothingMore_endsTheUpload() async throws {
        let mock = newServer()
        let upload = try client(mock).resumableUpload(newFile("photo"), chunk: 2)
        let error = await #expect(throws: VedutaError.self) { try await upload.finish() }
        if case .unexpected(status: 204, _) = error {} else { Issue.record("\(String(describing: error))") }
        #expect(mock.requests.map { $0.fields["upload-offset"] } == [nil, "0", "2"])
    }

    /// Cuts a file as soon as a piece of it is sent.
    private struct CutsTheFile: Middleware {
        let file: URL

        func intercept(
            _ request: HTTPRequest, next: @Sendable (HTTPRequest) async throws -> HTTPResponse
        ) async throws -> HTTPResponse {
            if request.method == "PATCH" { try Data("p".utf8).write(to: file) }
            return try await next(request)
        }
    }

    @Test func fileThatBecomesShorter_endsTheUpload() async throws {
        let mock = newServer()
        let file = try newFile("photo")
        let upload = try client(mock, middleware: [CutsTheFile(file: file)]).resumableUpload(file, chunk: 2)
        let error = await #expect(throws: VedutaError.self) { try await upload.finish() }
        if case .file(file.path, _) = error {} else { Issue.record("\(String(describing: error))") }
        #expect(mock.requests.count == 2)
    }

    @Test func fileThatIsAbsent_isNotUploaded() async throws {
        let mock = VedutaMock()
        let absent = folder.url.appending(path: "absent")
        let error = await #expect(throws: VedutaError.self) { try await client(mock).upload(.file(absent)) }
        if case .file(absent.path, _) = error {} else { Issue.record("\(String(describing: error))") }
        #expect(mock.requests.isEmpty)
    }

    // MARK: What the app brings along

    private struct SignedOut: Error {}

    private struct NoTokens: TokenSource {
        func token(replacing refused: String?) async throws -> String { throw SignedOut() }
    }

    @Test func errorOfATokenSource_isTold() async throws {
        let mock = VedutaMock()
        let error = await #expect(throws: VedutaError.self) {
            try await client(mock, token: NoTokens()).purge(.everything)
        }
        if case .other(let cause) = error {
            #expect(cause is SignedOut)
        } else {
            Issue.record("\(String(describing: error))")
        }
        #expect(mock.requests.isEmpty)
    }

    @Test func logOfARequest_hasNeitherSignatureNorToken() async throws {
        let mock = VedutaMock()
        mock.answer("*", with: .answer([:], Data()))
        let lines = Recorder<String>()
        let url = try #require(URL(string: "http://mock.test/asset?id=a&token=hidden&sig=secret"))
        _ = try await client(mock, middleware: [RequestLog { lines.add($0) }]).picture(url)
        #expect(lines.values.count == 1)
        let line = try #require(lines.values.first)
        #expect(line.contains("id=a") && !line.contains("hidden") && !line.contains("secret"))
        #expect(mock.requests.map(\.url) == [url])
    }
}
