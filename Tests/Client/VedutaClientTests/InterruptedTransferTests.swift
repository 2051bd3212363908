import Foundation
import Synchronization
import Testing

@testable import VedutaClient

/// The connection breaks in the middle of a transfer, which goes on over another one.
@Suite(.timeLimit(.minutes(5)), .needsServer, .serialized)
struct InterruptedTransferTests {
    private static let byteCount = 4_000_000

    @Test func download_goesOnAfterABrokenConnection() async throws {
        let server = try await TestServer()
        let picture = KilledTransferTests.picture(of: Self.byteCount)
        let id = try await server.client().upload(.data(picture)).id
        let proxy = try CountingProxy(
            to: UInt16(server.service.base.port ?? 0), pausingAt: Self.byteCount / 2, cuts: true)
        defer { proxy.stop() }
        let base = try #require(URL(string: "http://127.0.0.1:\(proxy.port)"))
        let client = VedutaClient(VedutaEndpoint(base), cache: nil)
        let file = server.folder.url.appending(path: "copy.png")
        try await client.download(try client.original(of: id), to: file)
        #expect(try Data(contentsOf: file) == picture)
        let count = proxy.received.load(ordering: .relaxed)
        #expect(count >= picture.count && Double(count) < 1.1 * Double(picture.count), "\(count)")
    }

    @Test func upload_goesOnAfterABrokenConnection() async throws {
        let server = try await TestServer()
        let picture = KilledTransferTests.picture(of: Self.byteCount)
        let source = server.folder.url.appending(path: "source.png")
        try picture.write(to: source)
        let proxy = try CountingProxy(
            to: UInt16(server.service.base.port ?? 0), pausingAt: Self.byteCount / 2, cuts: true)
        defer { proxy.stop() }
        let base = try #require(URL(string: "http://127.0.0.1:\(proxy.port)"))
        let client = VedutaClient(VedutaEndpoint(base, token: FixedToken("secret")), cache: nil)
        let record = try await client.resumableUpload(source, chunk: 1 << 20).finish()
        #expect(record.id.rawValue == contentID(of: picture))
        #expect(proxy.sent.load(ordering: .relaxed) < picture.count * 3 / 2)
    }

    /// Forgets the first answer to a PUT.
    private final class LosesAnAnswer: Middleware {
        private let isLost = Atomic(false)

        func intercept(
            _ request: HTTPRequest, next: @Sendable (HTTPRequest) async throws -> HTTPResponse
        ) async throws -> HTTPResponse {
            let response = try await next(request)
            if request.method == "PUT", !isLost.exchange(true, ordering: .relaxed) {
                throw URLError(.networkConnectionLost)
            }
            return response
        }
    }

    @Test func uploadUnderAName_whoseAnswerWasLost_isStored() async throws {
        let server = try await TestServer()
        let photo = try await server.plain("/asset?id=badge.png&width=64&format=png").content
        func client() -> VedutaClient { VedutaClient(server.service, cache: nil, middleware: [LosesAnAnswer()]) }
        let record = try await client().upload(.data(photo), as: "a/b c.png")
        #expect(record.id == "a/b c.png" && record.byteCount == photo.count)
        // The name is that of other content.
        await #expect(throws: VedutaError.self) { try await client().upload(.data(photo + Data([0])), as: "a/b c.png") }
    }
}
