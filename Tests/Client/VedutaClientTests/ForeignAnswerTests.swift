import FakeOrigin
import Foundation
import Testing

@testable import VedutaClient

/// What a client says where something else than its server answers, over real connections: a captive portal, a proxy, nobody.
@Suite(.timeLimit(.minutes(5)))
struct ForeignAnswerTests {
    private static let token = "secret-token-of-the-app"
    private static let sentence = "Please sign in"
    /// Longer than what errors keep of a content.
    private static let filler = String(repeating: "<p>\(Self.sentence)</p>", count: 8000)

    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func client(
        _ origin: FakeOrigin, middleware: [any Middleware] = [], attempts: Int = 1
    ) throws -> VedutaClient {
        var policy = ClientPolicy()
        policy.attempts = attempts
        policy.firstDelay = .milliseconds(1)
        let base = try #require(URL(string: origin.url("")))
        return VedutaClient(
            VedutaEndpoint(base, token: FixedToken(Self.token)), cache: ImageURLCache(folder: folder.url),
            middleware: middleware, policy: policy)
    }

    enum Call: CaseIterable, Sendable {
        case facts, list, upload, namedUpload, map, poll, purge

        func perform(_ client: VedutaClient) async throws {
            let place = Coordinate(latitude: 1, longitude: 2)
            switch self {
            case .facts: _ = try await client.facts(of: "lagoon.jpg")
            case .list: for try await record in client.assets() { Issue.record("\(record.id)") }
            case .upload: _ = try await client.upload(.data(Data("photo".utf8)))
            case .namedUpload: _ = try await client.upload(.data(Data("photo".utf8)), as: "a/b.png")
            case .map: _ = try await client.mapFacts(MapURL(center: place), points: [place])
            case .poll: _ = try await client.pollFacts(PollURL("Lunch?", [.init("Pizza"), .init("Sushi")]))
            case .purge: _ = try await client.purge(.everything)
            }
        }

        var needsToken: Bool {
            switch self {
            case .facts, .map, .poll: false
            case .list, .upload, .namedUpload, .purge: true
            }
        }
    }

    /// The page even repeats the token.
    @Test(arguments: Call.allCases, [200, 502])
    func page_isAnError_whoseTextsHaveNothingOfIt(_ call: Call, _ status: Int) async throws {
        let origin = try FakeOrigin { seen in
            let page = "<!doctype html><p>\(seen.fields["authorization"] ?? "")</p>\(Self.filler)"
            return .answer(status, page, "Content-Type: text/html; charset=utf-8")
        }
        defer { origin.stop() }
        let lines = Recorder<String>()
        let client = try client(origin, middleware: [RequestLog { lines.add($0) }])
        let thrown = await #expect(throws: VedutaError.self) { try await call.perform(client) }
        let error = try #require(thrown)
        let kept: Data
        switch error {
        case .decoding(_, let content) where status == 200: kept = content
        case .unexpected(status: 502, let content) where status == 502: kept = content
        default:
            Issue.record("\(error)")
            return
        }
        #expect(kept.count == 65_536)
        let page = String(decoding: kept, as: UTF8.self)
        #expect(page.contains(Self.sentence) && page.contains(Self.token) == call.needsToken)
        let texts =
            [
                error.localizedDescription, error.urlError.localizedDescription, "\(error)",
                String(reflecting: error),
            ] + lines.values
        #expect(lines.values.count == 1)
        for text in texts {
            #expect(!text.contains(Self.token) && !text.contains(Self.sentence) && !text.contains("doctype"), "\(text)")
            #expect(!text.isEmpty && text.utf8.count < 2000)
        }
        #expect(origin.requests.count == 1)
    }

    /// Once the user has signed in, the description is there, although the page said that it may be kept.
    @Test func page_isNotKept() async throws {
        let description = String(decoding: try ContractExample.json("Description", "photo"), as: UTF8.self)
        let asked = Recorder<Bool>()
        let origin = try FakeOrigin { _ in
            asked.add(true)
            let isPage = asked.values.count == 1
            return .answer(
                200, isPage ? "<p>\(Self.sentence)</p>" : description,
                "Content-Type: \(isPage ? "text/html" : "application/json")", "Cache-Control: max-age=3600")
        }
        defer { origin.stop() }
        let client = try client(origin)
        let error = await #expect(throws: VedutaError.self) { try await client.facts(of: "a") }
        if case .decoding = error {} else { Issue.record("\(String(describing: error))") }
        #expect(try await client.facts(of: "a").width == 2400)
        #expect(try await client.facts(of: "a", read: .returnCacheDontLoad).width == 2400)
        #expect(origin.requests.count == 2)
    }

    /// A page in place of an image is no image, and the image is there once the page is gone.
    @Test func pageInPlaceOfAnImage_isAnError_andNotKept() async throws {
        let asked = Recorder<Bool>()
        let origin = try FakeOrigin { _ in
            asked.add(true)
            let isPage = asked.values.count == 1
            return .answer(
                200, isPage ? "<p>\(Self.sentence)</p>" : "pixels",
                "Content-Type: \(isPage ? "text/html" : "image/webp")", "Cache-Control: max-age=3600")
        }
        defer { origin.stop() }
        let client = try client(origin)
        let url = AssetURL("a")
        let error = await #expect(throws: VedutaError.self) { try await client.picture(url) }
        if case .unexpected(status: 200, _) = error {} else { Issue.record("\(String(describing: error))") }
        #expect(error?.errorDescription?.contains(Self.sentence) == false)
        #expect(try await client.picture(url).data == Data("pixels".utf8))
        #expect(try await client.picture(url, read: .returnCacheDontLoad).data == Data("pixels".utf8))
        #expect(origin.requests.count == 2)
    }

    /// A gateway that comes to itself costs the caller nothing but time.
    @Test func pageOfABusyGateway_isAskedForAgain() async throws {
        let description = String(decoding: try ContractExample.json("Description", "photo"), as: UTF8.self)
        let asked = Recorder<Bool>()
        let origin = try FakeOrigin { _ in
            asked.add(true)
            guard asked.values.count > 2 else { return .answer(502, "<p>Bad Gateway</p>", "Content-Type: text/html") }
            return .answer(200, description, "Content-Type: application/json")
        }
        defer { origin.stop() }
        #expect(try await client(origin, attempts: 3).facts(of: "a").id == "lake/cat.jpg")
        #expect(origin.requests.count == 3)
    }

    enum Cut: CaseIterable, Sendable {
        case beforeTheAnswer, afterTheHead, withinTheContent

        var steps: [FakeOrigin.Step] {
            let head = FakeOrigin.Step.text(
                "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 1000\r\n\r\n")
            return switch self {
            case .beforeTheAnswer: [.close]
            case .afterTheHead: [head, .close]
            case .withinTheContent: [head, .filler(100), .reset]
            }
        }
    }

    @Test(arguments: Cut.allCases) func cutConnections_areTold(_ cut: Cut) async throws {
        let origin = try FakeOrigin { _ in cut.steps }
        defer { origin.stop() }
        let client = try client(origin)
        let error = await #expect(throws: VedutaError.self) { try await client.picture(AssetURL("a.png")) }
        if case .transport(let cause) = error {
            #expect(cause.code == .networkConnectionLost)
        } else {
            Issue.record("\(String(describing: error))")
        }
        // Nothing of it was kept.
        let absent = await #expect(throws: VedutaError.self) {
            try await client.picture(AssetURL("a.png"), read: .returnCacheDontLoad)
        }
        if case .notCached = absent {} else { Issue.record("\(String(describing: absent))") }
    }

    @Test func redirects_areFollowed_andLoseTheToken() async throws {
        let other = try FakeOrigin { _ in .answer(200, "image", "Content-Type: image/png") }
        defer { other.stop() }
        let address = other.url("/b.png")
        let origin = try FakeOrigin { _ in .redirect(address) }
        defer { origin.stop() }
        let client = try client(origin, middleware: [AddedFields(["authorization": "Bearer \(Self.token)"])])
        let picture = try await client.picture(AssetURL("a.png"))
        #expect(picture.data == Data("image".utf8) && picture.url.absoluteString == address)
        #expect(origin.requests.map { $0.fields["authorization"] } == ["Bearer \(Self.token)"])
        #expect(other.requests.map { $0.fields["authorization"] } == [nil])
    }

    /// The mark by which a load that meets itself is known stays in the process.
    @Test func markOfOwnRequests_isNotSent() async throws {
        let origin = try FakeOrigin { _ in .answer() }
        defer { origin.stop() }
        let url = try #require(URL(string: origin.url("/a")))
        let request = HTTPRequest(url, fields: [HTTPRequest.hopField: "1", "x-other": "1"])
        #expect(try await URLSessionTransport().exchange(request, TransportEvents()).status == 200)
        #expect(origin.requests.map { $0.fields["x-other"] } == ["1"])
        #expect(origin.requests.allSatisfy { $0.fields[HTTPRequest.hopField] == nil })
    }
}
