import Foundation
import Testing

@testable import VedutaClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the cache forgets and renews, and what it is as a `URLCache`; without a socket.
@Suite(.timeLimit(.minutes(5)))
struct CacheTests {
    private let mock = VedutaMock()
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func client(_ cache: ImageURLCache) throws -> VedutaClient {
        let base = try #require(URL(string: "http://mock.test/images"))
        return VedutaClient(VedutaEndpoint(base), cache: cache, transport: mock)
    }

    private func facts(width: Int) -> VedutaMock.Outcome {
        let text = #"{"id":"a b.png","format":"png","width":\#(width),"height":1}"#
        let fields: HTTPFields = ["content-type": "application/json", "cache-control": "max-age=86400"]
        return .answer(fields, Data(text.utf8))
    }

    private func image(_ text: String) -> VedutaMock.Outcome {
        .answer(["content-type": "image/png", "cache-control": "max-age=86400"], Data(text.utf8))
    }

    private let own: [any PictureURL] = [
        AssetURL("a b.png").size(width: 9), AssetURL("other.png").overlay("a b.png"),
        AvatarURL(.init("a b.png", name: "Anna"), .init(name: "Bo")),
    ]

    private func expectNotCached(_ work: () async throws -> Void) async {
        let error = await #expect(throws: VedutaError.self) { try await work() }
        if case .notCached = error {} else { Issue.record("\(String(describing: error))") }
    }

    @Test(arguments: [false, true]) func assetThatIsReplacedOrRemoved_isForgotten(_ isRemoved: Bool) async throws {
        let client = try client(ImageURLCache(folder: folder.url))
        mock.answer("*", with: image("old"))
        mock.answer("/images/assets/*", with: facts(width: 1))
        for url in own { #expect(try await client.picture(url).data == Data("old".utf8)) }
        _ = try await client.picture(AssetURL("other.png"))
        #expect(try await client.facts(of: "a b.png").width == 1)
        if isRemoved {
            try await client.remove("a b.png")
        } else {
            mock.answer("/images/assets/*", with: .answer([:], Data(#"{"id":"a b.png","bytes":3}"#.utf8)))
            _ = try await client.upload(.data(Data("new".utf8)), as: "a b.png", replace: .always)
        }
        // Neither in memory nor on disk.
        for client in [client, try self.client(ImageURLCache(folder: folder.url))] {
            for url in own { await expectNotCached { _ = try await client.picture(url, read: .returnCacheDontLoad) } }
            await expectNotCached { _ = try await client.facts(of: "a b.png", read: .returnCacheDontLoad) }
            _ = try await client.picture(AssetURL("other.png"), read: .returnCacheDontLoad)
        }
        mock.answer("*", with: image("new"))
        mock.answer("/images/assets/*", with: facts(width: 2))
        for url in own { #expect(try await client.picture(url).data == Data("new".utf8)) }
        #expect(try await client.facts(of: "a b.png").width == 2)
    }

    @Test func fileOfOtherContent_isNotRenewed() throws {
        func stored(_ tag: String, _ text: String) throws -> StoredResponse {
            let url = try #require(URL(string: "http://h/a"))
            let response = HTTPResponse(url: url, status: 200, fields: ["etag": tag, "x-of": text])
            return StoredResponse(head: StoredResponse.Head(response, to: [:]), content: Data(text.utf8))
        }
        let file = folder.url.appending(path: "f")
        _ = try CacheFile.write(try stored("\"2\"", "two"), to: file)
        #expect(try CacheFile.renew(try stored("\"1\"", "one").head, in: file) == nil)
        #expect(CacheFile.read(file)?.head.fields["x-of"] == "two")
        // A weak tag is of the same content.
        let byteCount = try CacheFile.renew(try stored("W/\"2\"", "renewed").head, in: file)
        #expect(CacheFile.read(file)?.head.fields["x-of"] == "renewed")
        #expect(CacheFile.read(file)?.content == Data("two".utf8))
        #expect(try Data(contentsOf: file).count == byteCount)
        #expect(CacheFile.head(of: file)?.fields["x-of"] == "renewed")
    }

    @Test func renewedFiles_areCounted() async throws {
        let cache = ImageURLCache(folder: folder.url)
        let client = try client(cache)
        mock.answer("*", with: .answer(["etag": "\"1\""], Data("x".utf8)))
        _ = try await client.picture(AssetURL("a"))
        let long = String(repeating: "x", count: 1000)
        mock.answer("*", with: .answer(status: 304, ["etag": "\"1\"", "x-long": long], Data()))
        #expect(try await client.picture(AssetURL("a")).source == .revalidated)
        let files = try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
        let byteCount = try files.map { try Data(contentsOf: $0).count }.reduce(0, +)
        #expect(byteCount > 1000 && cache.statistics.diskBytes == byteCount)
    }

    // MARK: As a `URLCache`

    private func store(_ text: String, _ fields: [String: String], in cache: ImageURLCache) throws -> URLRequest {
        let url = try #require(URL(string: "http://h/\(text)"))
        var request = URLRequest(url: url)
        request.setValue("en", forHTTPHeaderField: "Accept-Language")
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields))
        cache.storeCachedResponse(CachedURLResponse(response: response, data: Data(text.utf8)), for: request)
        return request
    }

    @Test func answersThatVary_areForTheirRequestsAlone() throws {
        let cache = ImageURLCache(folder: folder.url)
        var request = try store("a", ["Vary": "Accept-Language"], in: cache)
        #expect(cache.cachedResponse(for: request)?.data == Data("a".utf8))
        request.setValue("de", forHTTPHeaderField: "Accept-Language")
        #expect(cache.cachedResponse(for: request) == nil)
    }

    @Test func smallerBounds_holdAtOnce() throws {
        let cache = ImageURLCache(folder: folder.url)
        let requests = try (0..<4).map { try store("\($0)", [:], in: cache) }
        #expect(cache.currentMemoryUsage > 0 && cache.currentDiskUsage > 0)
        cache.memoryCapacity = 0
        #expect(cache.currentMemoryUsage == 0)
        for request in requests { #expect(cache.cachedResponse(for: request) != nil) }
        cache.diskCapacity = 0
        #expect(cache.currentDiskUsage == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        for request in requests { #expect(cache.cachedResponse(for: request) == nil) }
    }

    @Test func responsesSinceADate_areRemoved() throws {
        let cache = ImageURLCache(folder: folder.url)
        let request = try store("a", [:], in: cache)
        cache.removeCachedResponses(since: Date(timeIntervalSinceNow: 60))
        #expect(cache.cachedResponse(for: request) != nil)
        cache.removeCachedResponses(since: Date(timeIntervalSinceNow: -60))
        #expect(cache.cachedResponse(for: request) == nil)
    }
}
