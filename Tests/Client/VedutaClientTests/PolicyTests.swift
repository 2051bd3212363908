import Foundation
import Testing

@testable import VedutaClient

/// How often and from where a client asks, and how much it keeps; without a socket.
@Suite(.timeLimit(.minutes(5)))
struct PolicyTests {
    private let mock = VedutaMock()
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func client(_ cache: ImageURLCache, _ path: NetworkPath = NetworkPath()) throws -> VedutaClient {
        var policy = ClientPolicy()
        policy.connectivity = FixedConnectivity(path)
        let base = try #require(URL(string: "http://mock.test"))
        return VedutaClient(VedutaEndpoint(base), cache: cache, transport: mock, policy: policy)
    }

    private func delay(after attempt: Int = 1, _ status: Int, _ fields: HTTPFields = [:]) throws -> Duration? {
        let url = try #require(URL(string: "http://mock.test"))
        return ClientPolicy().delay(after: attempt, .success(HTTPResponse(url: url, status: status, fields: fields)))
    }

    @Test func attempts_areThree_withPausesThatGrow() throws {
        for (attempt, usual) in [(1, 0.3), (2, 0.6)] {
            for _ in 0..<50 {
                let seconds = try #require(try delay(after: attempt, 503)).seconds
                #expect(seconds > usual * 0.749 && seconds < usual * 1.251)
            }
        }
        #expect(try delay(after: 3, 503) == nil)
    }

    @Test func whatMayChange_isAskedForAgain() throws {
        for status in 200...599 {
            #expect(try (delay(status) != nil) == [408, 429, 502, 503, 504].contains(status), "\(status)")
        }
        let policy = ClientPolicy()
        for code in [URLError.Code.timedOut, .networkConnectionLost, .cannotConnectToHost] {
            #expect(policy.delay(after: 1, .failure(.transport(URLError(code)))) != nil)
        }
        for code in [URLError.Code.badURL, .cannotFindHost, .secureConnectionFailed] {
            #expect(policy.delay(after: 1, .failure(.transport(URLError(code)))) == nil)
        }
        for error in [VedutaError.cancelled, .noConnection, .notCached, .invalidURL([])] {
            #expect(policy.delay(after: 1, .failure(error)) == nil)
        }
    }

    @Test func retryAfter_isWaitedFor_upToItsLimit() throws {
        #expect(try delay(503, ["retry-after": "30"]) == .seconds(30))
        #expect(try delay(429, ["retry-after": "31"]) == nil)
        #expect(try delay(503, ["retry-after": "Tue, 24 Nov 2099 07:00:00 GMT"]) == nil)
        // What is over or no time at all is the usual pause.
        for text in ["0", "-5", "Tue, 24 Nov 2020 07:00:00 GMT", "soon"] {
            let usual = try #require(try delay(503, ["retry-after": text]))
            #expect(usual < .seconds(1), "\(text)")
        }
    }

    @Test func expensiveNetworks_showStaleImages_unlessTheyMustBeRevalidated() async throws {
        mock.answer("/asset?id=a", with: .answer(["etag": "\"1\""], Data("x".utf8)))
        let strict: HTTPFields = ["etag": "\"1\"", "cache-control": "must-revalidate"]
        mock.answer("/asset?id=b", with: .answer(strict, Data("x".utf8)))
        let first = try client(ImageURLCache(folder: folder.url))
        for id in ["a", "b"] { _ = try await first.picture(AssetURL(AssetID(id))) }
        for path in [NetworkPath(isExpensive: true), NetworkPath(isConstrained: true)] {
            let later = try client(ImageURLCache(folder: folder.url), path)
            #expect(try await later.picture(AssetURL("a")).source == .disk)
            #expect(try await later.picture(AssetURL("b")).source == .network)
        }
        #expect(mock.requests.map { $0.fields["save-data"] } == [nil, nil, "on", "on"])
    }

    @Test func filesOnDisk_stayWithinTheirBound_theLatestOfThem() async throws {
        mock.answer("*", with: .answer([:], Data(count: 1000)))
        let cache = ImageURLCache(disk: 8000, folder: folder.url)
        let client = try client(cache)
        for index in 0..<20 { _ = try await client.picture(AssetURL(AssetID("\(index)"))) }
        let files = try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
        let byteCount = try files.map { try Data(contentsOf: $0).count }.reduce(0, +)
        #expect(files.count > 2 && byteCount <= 8000 && byteCount == cache.statistics.diskBytes)
        let later = try self.client(ImageURLCache(disk: 8000, folder: folder.url))
        #expect(try await later.picture(AssetURL("19"), read: .returnCacheDontLoad).source == .disk)
        let error = await #expect(throws: VedutaError.self) {
            try await later.picture(AssetURL("0"), read: .returnCacheDontLoad)
        }
        if case .notCached = error {} else { Issue.record("\(String(describing: error))") }
    }
}
