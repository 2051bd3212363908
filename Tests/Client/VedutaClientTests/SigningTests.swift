import Foundation
import Testing

@testable import VedutaClient

@Suite(.timeLimit(.minutes(5)))
struct SigningTests {
    private static let text = "a:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

    /// The vectors of docs/SIGNING.md, which the server is tested with too.
    @Test func vectors_areSignedAsTheServerSignsThem() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Service/URLSigningTests/vectors.tsv")
        var count = 0
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            let key = try URLKey(columns[0])
            let isSet = columns[1] == "set"
            let message = isSet ? "veduta-set-1\n\(columns[2])" : "veduta-1\n\(columns[1])\n\(columns[2])"
            let end = Double(columns[3]).map { Date(timeIntervalSince1970: $0) }
            let expires = columns[3].isEmpty ? "" : "expires=\(columns[3])&"
            #expect(key.credentials(of: message, until: end) == expires + "sig=" + columns[4], "\(line)")
            count += 1
        }
        #expect(count >= 6)
    }

    @Test func builtURLs_areSignedInTheirCanonicalForm() throws {
        let key = try URLKey(Self.text)
        let built = try AssetURL("lagoon.jpg").size(width: 640).built
        #expect(
            try built.signed(with: key).target
                == "/asset?id=lagoon.jpg&width=640&sig=a.7j49SSc1jU-jE4KL_rQkxGH0rJCKtmSoUr1YIL3Ex8c")
        let map = try MapURL(latitude: 59.935634, longitude: 30.325935).built.signed(with: key)
        #expect(map.signature == "sig=a.i6HYtJoSVrFVBmK3rbWhkptDk1hceEV2-oqyFTPoCTU")
        #expect(
            try AssetURL(parsing: #require(URL(string: "http://h" + built.signed(with: key).target))).built == built)
    }

    @Test func keys_thatAreNone_areRefusedWithoutRepeatingThem() throws {
        for text in ["", "a", "a:c2hvcnQ=", "b d:\(Self.text)", "a:!!!"] {
            let error = #expect(throws: VedutaError.self) { try URLKey(text) }
            if text.count > 1 { #expect(error?.localizedDescription.contains(text) == false) }
        }
        #expect("\(try URLKey(Self.text))" == "a:(not shown)")
        #expect(!String(reflecting: try URLKey(Self.text)).contains("MDEy"))
    }

    @Test func sets_areWrittenAsRules() throws {
        let built = try AssetURL("a|b;c?.jpg").size(width: 320).format(.avif).built
        let set = try SignedSet(of: built).varying("width", .atMost(1600)).varying(
            "format", .oneOf(["avif", "webp"]), optional: true
        ).varying("height", .any)
        #expect(set.rules == "path=/asset;id=a%7Cb%3Bc%3F.jpg;width<=1600;format=avif|webp?;height?")
    }

    @Test func lifetimes_endAtTheSameTimeForAWhile() {
        let now = Date(timeIntervalSince1970: 10_000)
        #expect(KeySigner.end(of: .seconds(3600), from: now).timeIntervalSince1970 == 14_400)
        #expect(KeySigner.end(of: .seconds(3600), from: now + 700).timeIntervalSince1970 == 14_400)
        #expect(KeySigner.end(of: .seconds(3600), from: now + 900).timeIntervalSince1970 == 18_000)
    }

    /// The cache knows an image by what it shows, not by its signature of the moment.
    @MainActor
    @Test func imagesInTheCache_outliveTheirSignatures() async throws {
        struct Counting: URLSigner {
            let count = Recorder<Int>()
            func sign(_ target: String) -> String {
                count.add(0)
                return target + "&expires=\(count.values.count)&sig=x"
            }
        }
        let mock = VedutaMock()
        mock.answer("*", with: .answer(["cache-control": "max-age=60"], Data("x".utf8)))
        let folder = try TestFolder()
        let base = try #require(URL(string: "http://mock.test"))
        let client = VedutaClient(
            VedutaEndpoint(base, signer: Counting()), cache: ImageURLCache(folder: folder.url), transport: mock)
        #expect(try await client.picture(AssetURL("a b+c")).source == .network)
        #expect(try await client.picture(AssetURL("a b+c")).source == .memory)
        #expect(try await client.picture(AssetURL("b")).source == .network)
        // A slot that is told the same again does nothing.
        let slot = ImageSlot(client: client)
        var loads = 0
        slot.onChange = { if case .loading = $0 { loads += 1 } }
        for _ in 0..<3 { slot.show(AssetURL("b")) }
        #expect(loads == 1)
        #expect(mock.requests.map { $0.url.query() ?? "" } == ["id=a%20b%2Bc&expires=1&sig=x", "id=b&expires=3&sig=x"])
    }

    @Test(.needsServer) func serverWithKeys_believesThem() async throws {
        let keys = ["--keys", Self.text]
        let server = try await TestServer(keys)
        let key = try URLKey(Self.text)
        func client(_ signer: (any URLSigner)?) throws -> VedutaClient {
            VedutaClient(VedutaEndpoint(server.service.base, signer: signer), cache: try server.newCache())
        }
        let url = AssetURL("lagoon.jpg").size(width: 100).format(.png)
        let map = MapURL(latitude: 1, longitude: 2).theme(.dark).size(width: 100, height: 100)
        for signer in [KeySigner(key), KeySigner(key, lifetime: .seconds(60))] {
            let client = try client(signer)
            #expect(try await client.picture(url).mediaType == "image/png")
            #expect(try await client.picture(map).data.count > 100)
            _ = try await client.mapFacts(map, points: [Coordinate(latitude: 1, longitude: 2)])
            #expect(try await client.facts(of: "lagoon.jpg").format == "jpeg")
            #expect(try await client.picture(client.original(of: "lagoon.jpg")).mediaType == "image/jpeg")
        }
        let writer = try server.client()
        let reader = try client(KeySigner(key))
        let photo = try await reader.picture(url).data
        #expect(try await writer.upload(.data(photo), as: "a/original").id == "a/original")
        #expect(try await reader.picture(reader.original(of: "a/original")).data == photo)
        var ids: [AssetID] = []
        for try await asset in writer.assets() { ids.append(asset.id) }
        #expect(ids.contains("lagoon.jpg") && ids.contains("a/original"))
        let set = try SignedSet(of: url.built).varying("width", .atMost(200))
        let covered = try client(KeySigner(key, as: set, lifetime: .seconds(60)))
        #expect(try await covered.picture(url.size(width: 200)).mediaType == "image/png")
        for (refused, name) in [
            (covered, "signature-outside-set"), (try client(nil), "signature-required"),
        ] {
            let error = await #expect(throws: VedutaError.self) { try await refused.picture(url.size(width: 201)) }
            if case .problem(let problem) = error { #expect(problem.name == name) } else { Issue.record("\(name)") }
        }
    }
}
