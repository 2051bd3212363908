import Foundation
import Reactor
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// Pictures that are made of more than one asset, or from a master, over the wire.
@Suite(.timeLimit(.minutes(5))) struct DerivedPictureTests {
    private static let laid = "/asset?id=a.png&width=60&format=png&overlay=b.png:bottom-right:0:0:25p"
    private static let instead = "/asset?id=missing.png&width=50&format=png&default=b.png"
    private static let plain = "/asset?id=a.png&width=60&format=png&default=b.png"
    private static let told = "/asset?id=missing.png&format=json&default=b.png"
    private static let using = [laid, instead, told]

    private func purge(_ client: WireClient, _ id: String) throws -> String {
        let answer = try client.get("/cache?id=\(id)", method: "DELETE", "Authorization: Bearer secret")
        #expect(answer.code == 200)
        return answer.text
    }

    private func isHit(_ client: WireClient, _ target: String) throws -> Bool {
        try client.get(target).cacheStatus.hasPrefix("hit")
    }

    @Test func purgeOfAnOverlayOrDefault_takesThePicturesThatUseIt() throws {
        let veduta = try CachingService { $0.token = AccessToken("secret") }
        let client = veduta.client
        for target in Self.using + [Self.plain] { _ = try client.get(target) }
        for target in Self.using + [Self.plain] { #expect(try isHit(client, target), "\(target)") }
        #expect(try purge(client, "b.png") == "{\"memory\":3,\"disk\":0}\n")
        for target in Self.using { #expect(try !isHit(client, target), "\(target)") }
        // Its default was not needed, so it is not made of it.
        #expect(try isHit(client, Self.plain))
        for target in Self.using { #expect(try isHit(client, target), "\(target)") }
        // The other way round, as before.
        #expect(try purge(client, "a.png") == "{\"memory\":2,\"disk\":0}\n")
        #expect(try !isHit(client, Self.laid))
        #expect(try isHit(client, Self.instead))
    }

    @Test func answersNameTheGroupsOfAllTheyAreMadeOf() throws {
        let veduta = try CachingService()
        func groups(_ target: String) throws -> [String] {
            try (veduta.client.get(target).field("Cache-Tag") ?? "").split(separator: ",").map(String.init)
        }
        let own = try groups("/asset?id=b.png&width=10&format=png")
        #expect(own.count == 2 && own.first == "veduta")
        for target in Self.using {
            let all = try groups(target)
            #expect(all.count == 3 && all.last == own.last, "\(target)")
        }
        #expect(try groups(Self.plain).count == 2)
        // A picture that is laid over itself has one group.
        #expect(try groups("/asset?id=b.png&width=60&format=png&overlay=b.png") == own)
    }

    @Test func picturesOfSeveralOverlays_arePurgedByEachOfThem() throws {
        let veduta = try CachingService { $0.token = AccessToken("secret") }
        try veduta.pictures.add("c.png", PictureFolder.picture(30, 20))
        let client = veduta.client
        let both =
            "/asset?id=a.png&width=60&format=png&overlay=b.png:top:0:0:25p&overlay=c.png%7Crotate:30&overlay=b.png"
        let tags = try client.get(both).field("Cache-Tag") ?? ""
        #expect(tags.split(separator: ",").count == 4)
        for id in ["a.png", "b.png", "c.png"] {
            #expect(try isHit(client, both))
            #expect(try purge(client, id) == "{\"memory\":1,\"disk\":0}\n")
            #expect(try !isHit(client, both))
        }
        try veduta.pictures.add("c.png", PictureFolder.picture(31, 20))
        veduta.clock.advance(by: .seconds(2))
        #expect(try client.get(both).cacheStatus == "fwd=stale; stored")
        let missing = try client.get(both + "&overlay=nothing.png")
        #expect(missing.code == 404 && missing.text.contains("overlay-not-found"))
    }

    @Test func purgeOfAnOverlay_reachesTheDisk_andOutlivesTheProcess() throws {
        let (pictures, folder) = (try PictureFolder(), try CacheFolder())
        func withService(_ body: (WireClient) throws -> Void) throws {
            let (_, _, client) = try RunningService.withPictures(in: pictures) { configuration in
                configuration.cacheDirectory = folder.path
                configuration.token = AccessToken("secret")
            }
            try body(client)
        }
        try withService { client throws in
            for target in Self.using + [Self.plain] { _ = try client.get(target) }
            // Each of the three that use `b.png` has one more file, in its group.
            #expect(eventually { folder.entries.count == 7 })
        }
        try withService { client throws in
            #expect(try isHit(client, Self.laid), "found on disk")
            #expect(try isHit(client, Self.instead))
            #expect(try purge(client, "b.png") == "{\"memory\":2,\"disk\":3}\n")
        }
        try withService { client throws in
            #expect(try isHit(client, Self.plain))
            for target in Self.using { #expect(try !isHit(client, target), "\(target)") }
            #expect(eventually { folder.entries.count == 7 })
        }
        try withService { client throws in
            for target in Self.using + [Self.plain] { #expect(try isHit(client, target), "\(target)") }
        }
    }

    @Test func serversThatShareAFolder_forgetPicturesThatUseIt() throws {
        let (pictures, folder) = (try PictureFolder(), try CacheFolder())
        let services = try (0..<2).map { _ in
            try RunningService(pictures: pictures) { configuration in
                configuration.cacheDirectory = folder.path
                configuration.token = AccessToken("secret")
            }
        }
        let clients = try services.map { try WireClient($0.address) }
        #expect(try clients[0].get(Self.laid).code == 200)
        #expect(eventually { folder.entries.count == 2 })
        #expect(try isHit(clients[1], Self.laid))
        #expect(try purge(clients[0], "b.png") == "{\"memory\":1,\"disk\":1}\n")
        #expect(eventually { (try? clients[1].metric("veduta_cache_entries")) == 0 })
        #expect(try !isHit(clients[1], Self.laid))
    }

    // MARK: Masters

    @Test func explanation_saysWhetherAMasterIsUsed() throws {
        let folder = try CacheFolder()
        let veduta = try CachingService { $0.cacheDirectory = folder.path }
        let large = try veduta.client.get("/asset?id=a.png&width=2720&enlarge=1&format=jpeg")
        try veduta.pictures.add("large.jpg", large.content)
        func master(_ query: String) throws -> [String: Any] {
            let answer = try veduta.client.get("/asset?format=jpeg&explain=1&\(query)")
            let members = try JSONSerialization.jsonObject(with: Data(answer.content)) as? [String: Any]
            return try #require(members?["master"] as? [String: Any], "\(answer.text)")
        }
        for origin in ["made", "kept"] {
            let told = try master("id=large.jpg&width=600")
            #expect(told["isOn"] as? Bool == true && told["isWorthwhile"] as? Bool == true)
            #expect(told["isUsed"] as? Bool == true)
            #expect(told["origin"] as? String == origin)
            #expect(told["width"] as? Int == 1024 && told["height"] as? Int == 768)
            #expect((told["bytes"] as? Int ?? 0) > 10_000)
        }
        for query in ["id=large.jpg&width=2000", "id=large.jpg&width=600&trim=5"] {
            let told = try master(query)
            #expect(told["isWorthwhile"] as? Bool == true && told["isUsed"] as? Bool == false, "\(query)")
            #expect(told["origin"] is NSNull && told["width"] is NSNull && told["bytes"] is NSNull)
        }
        let told = try master("id=a.png&width=40")
        #expect(told["isOn"] as? Bool == true && told["isWorthwhile"] as? Bool == false)
        #expect(told["isUsed"] as? Bool == false)
    }

    @Test func subjectOfAMaster_isLookedForOnce() throws {
        let folder = try CacheFolder()
        let veduta = try CachingService { $0.cacheDirectory = folder.path }
        let large = try veduta.client.get("/asset?id=a.png&width=2720&enlarge=1&format=jpeg")
        try veduta.pictures.add("large.jpg", large.content)
        for (side, looks) in [(120, true), (90, false), (60, false)] {
            let told = try veduta.client.get(
                "/asset?id=large.jpg&width=\(side)&height=\(side)&fit=cover&gravity=attention&format=png&explain=1")
            #expect(told.code == 200 && told.text.contains("look for attention") == looks, "\(told.text)")
        }
    }

    @Test func withoutACacheFolder_mastersAreOff() throws {
        let veduta = try CachingService()
        let answer = try veduta.client.get("/asset?id=a.png&width=40&explain=1")
        #expect(
            answer.text.contains("\"master\":{\"isOn\":false,\"isWorthwhile\":false,\"isUsed\":false,\"origin\":null,"))
    }
}
