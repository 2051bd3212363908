import ServiceConfiguration
import Testing
import TestSupport

import VedutaService

/// `DELETE /cache` over the wire.
@Suite(.timeLimit(.minutes(5))) struct PurgeTests {
    private static let picture = "/asset?id=a.png&width=40&format=webp"
    private static let other = "/asset?id=b.png&width=40&format=webp"
    private static let bearer = "Authorization: Bearer secret"

    private func withService(
        _ adjust: (inout Configuration) -> Void = { _ in },
        _ body: (RunningService, PictureFolder, WireClient) throws -> Void
    ) throws {
        let (pictures, service, client) = try RunningService.withPictures { configuration in
            configuration.token = AccessToken("secret")
            adjust(&configuration)
        }
        try body(service, pictures, client)
    }

    private func isHit(_ response: WireResponse) -> Bool {
        response.field("Cache-Status")?.hasPrefix("veduta; hit") == true
    }

    private func purge(_ client: WireClient, _ query: String = "") throws -> String {
        let response = try client.get("/cache" + query, method: "DELETE", Self.bearer)
        #expect(response.code == 200, "\(response.text)")
        #expect(response.field("Content-Type") == "application/json")
        #expect(response.field("Cache-Control") == "no-store")
        return response.text
    }

    @Test func purgeByID_takesEveryPictureOfTheAsset_andNoOther() throws {
        try withService { _, _, client throws in
            let targets = [Self.picture, "/asset?id=a.png&width=50&format=png", Self.other]
            for target in targets { #expect(try client.get(target).code == 200) }
            #expect(try purge(client, "?id=a.png") == "{\"memory\":2,\"disk\":0}\n")
            #expect(try isHit(client.get(Self.other)))
            for target in targets.prefix(2) { #expect(try !isHit(client.get(target))) }
            for target in targets { #expect(try isHit(client.get(target))) }
        }
    }

    @Test func purgeIsIdempotent() throws {
        try withService { _, _, client throws in
            #expect(try client.get(Self.picture).code == 200)
            #expect(try purge(client, "?id=a.png").contains("\"memory\":1"))
            #expect(try purge(client, "?id=a.png") == "{\"memory\":0,\"disk\":0}\n")
            // Nothing needs to be there, not even the asset.
            #expect(try purge(client, "?id=never/was.png") == "{\"memory\":0,\"disk\":0}\n")
        }
    }

    @Test(arguments: ["dir/a%20b%2Bc%26%C3%A0.png", "dir%2Fa+b%2Bc%26%C3%A0.png"])
    func idsArePercentEncodedAsEverywhere(_ id: String) throws {
        try withService { _, pictures, client throws in
            try pictures.add("dir/a b+c&à.png", PictureFolder.picture(60, 40))
            let target = "/asset?width=20&format=png&id=dir/a+b%2Bc%26%c3%a0.png"
            #expect(try client.get(target).code == 200)
            #expect(try isHit(client.get(target)))
            #expect(try purge(client, "?id=" + id).contains("\"memory\":1"))
            #expect(try !isHit(client.get(target)))
        }
    }

    @Test func purgeOfEverything_takesMapsToo() throws {
        try withService { _, _, client throws in
            let targets = [
                Self.picture, Self.other, "/map?latitude=1&longitude=2&zoom=1&width=32&height=32&format=png",
            ]
            for target in targets { #expect(try client.get(target).code == 200) }
            #expect(try purge(client) == "{\"memory\":3,\"disk\":0}\n")
            for target in targets { #expect(try !isHit(client.get(target))) }
        }
    }

    @Test func withoutToken_401_withTheChallenge_andNothingIsPurged() throws {
        try withService { _, _, client throws in
            #expect(try client.get(Self.picture).code == 200)
            let cases = [
                ("X-Nothing: y", "Bearer realm=\"veduta\""),
                ("Authorization: Basic c2VjcmV0", "Bearer realm=\"veduta\""),
                ("Authorization: Bearer Secret", "Bearer realm=\"veduta\", error=\"invalid_token\""),
            ]
            for (field, challenge) in cases {
                let response = try client.get("/cache", method: "DELETE", field)
                #expect(response.code == 401)
                #expect(response.field("WWW-Authenticate") == challenge)
                #expect(response.field("Content-Type") == "application/problem+json")
                #expect(response.field("Cache-Control") == "no-store")
                #expect(!response.text.lowercased().contains("secret"))
            }
            #expect(try isHit(client.get(Self.picture)))
            #expect(client.isKept())
        }
    }

    @Test func tokenIsAskedForBeforeAnythingElseIsTold() throws {
        try withService { _, _, client throws in
            #expect(try client.get("/cache?nonsense=1", method: "DELETE").code == 401)
            let told = try client.get("/cache?kye=1", method: "DELETE", Self.bearer)
            #expect(told.code == 400)
            #expect(told.text.contains("\"suggestion\":\"key\""))
        }
    }

    @Test func withoutConfiguredToken_403_saysWhatToSet() throws {
        try withService({ $0.token = nil }) { _, _, client throws in
            let response = try client.get("/cache", method: "DELETE", Self.bearer)
            #expect(response.code == 403)
            #expect(response.text.contains("urn:problem-type:veduta:writes-off"))
            #expect(response.text.contains("VEDUTA_TOKEN"))
            #expect(response.field("WWW-Authenticate") == nil)
        }
    }

    @Test func tokenIsReloaded() throws {
        try withService { service, _, client throws in
            var configuration = service.configuration
            configuration.token = AccessToken("other")
            try service.reload(configuration)
            #expect(try client.get("/cache", method: "DELETE", Self.bearer).code == 401)
            #expect(try client.get("/cache", method: "DELETE", "Authorization: Bearer other").code == 200)
            configuration.token = nil
            try service.reload(configuration)
            #expect(try client.get("/cache", method: "DELETE", "Authorization: Bearer other").code == 403)
        }
    }

    @Test(arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "TRACE"])
    func otherMethods_are405(_ method: String) throws {
        try withService { _, _, client throws in
            let response = try client.get("/cache", method: method, Self.bearer)
            #expect(response.code == 405)
            #expect(response.field("Allow") == "DELETE, OPTIONS")
            #expect(client.isKept())
        }
    }

    @Test func delete_isTheCachesAlone() throws {
        try withService { _, _, client throws in
            let map = "/map?latitude=1&longitude=1"
            for target in [Self.picture, map, "/metrics", "/"] {
                let response = try client.get(target, method: "DELETE", Self.bearer)
                #expect(response.code == 405)
                #expect(response.field("Allow") == (target == map ? "GET, HEAD, POST, OPTIONS" : "GET, HEAD, OPTIONS"))
            }
            #expect(try client.get("/cache/", method: "DELETE", Self.bearer).code == 404)
        }
    }

    @Test func preflight_allowsDeleteWithAToken() throws {
        try withService({ $0.corsOrigins = .list(["https://a.org"]) }) { _, _, client throws in
            let asks = "Access-Control-Request-Method: DELETE"
            let response = try client.get("/cache?id=a.png", method: "OPTIONS", "Origin: https://a.org", asks)
            #expect(response.code == 204)
            #expect(response.field("Allow") == "DELETE, OPTIONS")
            #expect(response.field("Access-Control-Allow-Methods") == "DELETE, OPTIONS")
            #expect(response.field("Access-Control-Allow-Headers")?.contains("Authorization") == true)
            let pictures = try client.get(Self.picture, method: "OPTIONS", "Origin: https://a.org", asks)
            #expect(pictures.field("Access-Control-Allow-Methods") == "GET, HEAD, OPTIONS")
        }
    }

    @Test func purgesAreCounted_andTheTokenIsInNoMetric() throws {
        try withService { _, _, client throws in
            _ = try purge(client)
            _ = try purge(client, "?id=a.png")
            _ = try purge(client, "?id=b.png")
            #expect(try client.metric("veduta_cache_purges_total{scope=\"asset\"}") == 2)
            #expect(try client.metric("veduta_cache_purges_total{scope=\"all\"}") == 1)
            #expect(try client.metric("veduta_requests_total{route=\"cache\",status=\"200\"}") == 3)
            #expect(try !client.get("/metrics").text.contains("secret"))
        }
    }

    // MARK: Keys, sources, failures, renders

    @Test func purgeByKey_takesThatPictureAlone() throws {
        try withService { _, _, client throws in
            let shown = try client.get(Self.picture, "Cache-Control: show-key")
            #expect(try client.get("/asset?id=a.png&width=50&format=png").code == 200)
            let key = try #require(shown.field("Cache-Status")?.split(separator: "\"").dropFirst().first)
            #expect(try purge(client, "?key=\(key)") == "{\"memory\":1,\"disk\":0}\n")
            #expect(try purge(client, "?key=\(key)") == "{\"memory\":0,\"disk\":0}\n")
            #expect(try isHit(client.get("/asset?id=a.png&width=50&format=png")))
            #expect(try !isHit(client.get(Self.picture)))
            let bare = try client.get("/cache?key=\(key.dropFirst(17))", method: "DELETE", Self.bearer)
            #expect(bare.code == 400)
        }
    }

    @Test func sourcesAreLookedAtAgainAtOnce() throws {
        try withService({ $0.sourceLifetime = 3600 }) { _, pictures, client throws in
            let old = try client.get(Self.picture)
            try pictures.add("a.png", PictureFolder.picture(200, 120))
            #expect(try client.get(Self.picture).field("ETag") == old.field("ETag"))
            #expect(try purge(client, "?id=a.png").contains("\"memory\":1"))
            let new = try client.get(Self.picture)
            #expect(new.field("ETag") != old.field("ETag"))
            #expect(new.content != old.content)
        }
    }

    @Test func failuresAreForgottenToo() throws {
        try withService { _, pictures, client throws in
            try pictures.add("c.png", [UInt8](repeating: 0x41, count: 100))
            let target = "/asset?id=c.png&width=20&format=png"
            #expect(try client.get(target).code == 415)
            #expect(try isHit(client.get(target)))
            _ = try purge(client, "?id=c.png")
            let again = try client.get(target)
            #expect(again.code == 415)
            #expect(!isHit(again))
        }
    }

    @Test func purgeWinsAgainstARenderThatRuns() throws {
        try withService({ $0.workers = 2 }) { service, _, client throws in
            let target = "/map?latitude=20&longitude=10&zoom=3&width=1800&height=1800&format=avif&quality=90"
            let waiting = try WireClient(service.address, patience: 120)
            waiting.request(target)
            #expect(eventually { (try? client.metric("veduta_renders_total{route=\"map\"}")) == 1 })
            _ = try purge(client)
            // Whoever waits gets what was begun; whoever comes after the purge does not, nor what would be kept of it.
            let later = try WireClient(service.address, patience: 120)
            later.request(target)
            let (first, second) = (try waiting.read(), try later.read())
            #expect(first.code == 200 && second.code == 200)
            #expect(second.field("Cache-Status") == "veduta; fwd=uri-miss; stored")
            #expect(try client.metric("veduta_renders_total{route=\"map\"}") == 2)
        }
    }

    // MARK: Disk

    private func onDisk(_ folder: CacheFolder, _ count: Int) -> Bool { eventually { folder.entries.count == count } }

    @Test func purgeTakesFromTheDisk_whatAnEarlierServerLeft() throws {
        let folder = try CacheFolder()
        let targets = [Self.picture, "/asset?id=a.png&width=50&format=png", Self.other]
        let pictures = try PictureFolder()
        func start() throws -> RunningService {
            try RunningService(pictures: pictures) { configuration in
                configuration.cacheDirectory = folder.path
                configuration.token = AccessToken("secret")
            }
        }
        let first = try start()
        let client = try WireClient(first.address)
        for target in targets { #expect(try client.get(target).code == 200) }
        #expect(onDisk(folder, 3))
        let key = try #require(
            client.get(Self.other, "Cache-Control: show-key").field("Cache-Status")?.split(separator: "\"").dropFirst()
                .first)
        first.stop()
        let second = try start()
        let next = try WireClient(second.address)
        #expect(try isHit(next.get(Self.picture)))
        #expect(try purge(next, "?id=a.png") == "{\"memory\":1,\"disk\":2}\n")
        #expect(onDisk(folder, 1))
        #expect(try purge(next, "?key=\(key)") == "{\"memory\":0,\"disk\":1}\n")
        #expect(onDisk(folder, 0))
        for target in targets { #expect(try !isHit(next.get(target))) }
        #expect(onDisk(folder, 3))
        #expect(try purge(next).contains("\"memory\":3"))
        #expect(onDisk(folder, 0))
    }

    @Test func serversThatShareAFolder_forgetItToo() throws {
        let folder = try CacheFolder()
        let pictures = try PictureFolder()
        let services = try (0..<2).map { _ in
            try RunningService(pictures: pictures) { configuration in
                configuration.cacheDirectory = folder.path
                configuration.token = AccessToken("secret")
            }
        }
        let clients = try services.map { try WireClient($0.address) }
        #expect(try clients[0].get(Self.picture).code == 200)
        #expect(onDisk(folder, 1))
        #expect(try isHit(clients[1].get(Self.picture)))
        #expect(try clients[1].metric("veduta_cache_entries") == 1)
        #expect(try purge(clients[0], "?id=a.png") == "{\"memory\":1,\"disk\":1}\n")
        #expect(eventually { (try? clients[1].metric("veduta_cache_entries")) == 0 })
        #expect(try !isHit(clients[1].get(Self.picture)))
    }
}
