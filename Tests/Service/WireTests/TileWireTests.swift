import Foundation
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// `/tiles`, `/data` and `/wmts` over a socket.
@Suite(.timeLimit(.minutes(5))) struct TileWireTests {
    @Test func tilesOfASquareAreDrawnTogether() throws {
        let veduta = try CachingService()
        let first = try veduta.client.get("/tiles/light/2/1/1.png")
        #expect(first.code == 200 && first.field("Content-Type") == "image/png" && first.field("Vary") == nil)
        #expect(try #require(first.field("Server-Timing")).contains("draw"))
        let next = try veduta.client.get("/tiles/light/2/2/1.png")
        let timing = try #require(next.field("Server-Timing"))
        #expect(!timing.contains("draw"))
        #expect(next.content != first.content)
        let tag = try #require(first.field("ETag"))
        #expect(try veduta.client.get("/tiles/light/2/1/1.png", "If-None-Match: \(tag)").code == 304)
        let kept = try veduta.client.get("/tiles/light/2/1/1.png")
        #expect(kept.content == first.content)
        #expect(try #require(kept.field("Cache-Status")).contains("hit"))
    }

    @Test func sizesAndFormats() throws {
        let veduta = try CachingService()
        let targets = [
            ("/tiles/light/0/0/0.png", "image/png", 256), ("/tiles/light/0/0/0@2x.png", "image/png", 512),
            ("/tiles/light/0/0/0.png?tileSize=512", "image/png", 512), ("/tiles/dark/0/0/0.jpg", "image/jpeg", 256),
            ("/tiles/dark/0/0/0@2x.webp?labels=off", "image/webp", 512),
            // As clients write it that are generated from openapi.yaml (#15.9).
            ("/tiles/light/0/0/0%402x.png", "image/png", 512),
        ]
        for (target, type, side) in targets {
            let answer = try veduta.client.get(target)
            #expect(answer.code == 200 && answer.field("Content-Type") == type, "\(target)")
            let picture = try DecodedPicture(answer.content)
            #expect(picture.widthPx == side && picture.heightPx == side, "\(target)")
        }
    }

    @Test(arguments: [
        ("/tiles/light/2/4/0.png", 404, "tile-not-found"), ("/tiles/light/25/0/0.png", 404, "tile-not-found"),
        ("/tiles/none/0/0/0.png", 404, "tile-set-not-found"), ("/tiles/none.json", 404, "tile-set-not-found"),
        ("/tiles/light/0/0/0.gif", 400, "bad-tile-address"), ("/tiles/light/a/0/0.png", 400, "bad-tile-address"),
        ("/tiles/light/0/0/0@9x.png", 400, "bad-tile-address"),
        ("/tiles/light/0/0/0.png?width=3", 400, "invalid-parameters"),
        ("/data/none/0/0/0.mvt", 404, "tile-set-not-found"), ("/data/map/0/0/0.png", 404, "tile-not-found"),
        ("/data/map/24/0/0.mvt", 404, "tile-not-found"), ("/data/map/0/0/0.mvt?a=1", 400, "invalid-parameters"),
        ("/wmts?request=GetTile", 400, "bad-tile-address"), ("/wmts?request=Nothing", 400, "bad-tile-address"),
    ])
    func whatIsWrongIsSaid(target: String, code: Int, type: String) throws {
        let veduta = try CachingService()
        let answer = try veduta.client.get(target)
        #expect(answer.code == code && answer.text.contains(":\(type)\""), "\(answer.text)")
    }

    /// Clients of WMTS know parameters, not the paths below `/tiles/`.
    @Test(arguments: [
        ("layer=light&tilematrix=0&tilerow=-1&tilecol=0", "in tilematrix, tilerow and tilecol"),
        ("layer=&tilematrix=0&tilerow=0&tilecol=0", "the name of a layer"),
        ("layer=light&tilematrix=0&tilerow=0&tilecol=0&format=image/gif", "format=image/png, image/jpeg or image/webp"),
    ])
    func faultsOfWMTS_nameItsParameters(query: String, allowed: String) throws {
        let veduta = try CachingService()
        let answer = try veduta.client.get("/wmts?request=GetTile&" + query)
        #expect(answer.code == 400 && answer.text.contains(allowed), "\(answer.text)")
        #expect(!answer.text.contains("{z}"), "\(answer.text)")
    }

    @Test func dataIsWhatIsKept() throws {
        let veduta = try CachingService()
        let plain = try veduta.client.get("/data/map/2/2/1.mvt")
        #expect(plain.code == 200 && plain.field("Content-Type") == "application/vnd.mapbox-vector-tile")
        #expect(plain.field("Vary") == "Accept-Encoding" && plain.field("Content-Encoding") == nil)
        let packed = try veduta.client.get("/data/map/2/2/1.pbf", "Accept-Encoding: br, gzip")
        #expect(packed.field("Content-Encoding") == "gzip" && Array(packed.content.prefix(2)) == [0x1f, 0x8b])
        #expect(packed.content.count < plain.content.count && packed.field("ETag") != plain.field("ETag"))
        let tag = try #require(packed.field("ETag"))
        let again = try veduta.client.get("/data/map/2/2/1.mvt", "Accept-Encoding: gzip", "If-None-Match: \(tag)")
        #expect(again.code == 304)
    }

    @Test func tileSetsDescribeThemselves() throws {
        let veduta = try CachingService { $0.trustedProxies = TrustedProxies(["127.0.0.1"]) ?? .none }
        let fields = ["X-Forwarded-Proto: https", "X-Forwarded-Host: maps.example.org"]
        let style = try object(try veduta.client.get("/tiles/light.json?labels=off", fields[0], fields[1]))
        #expect(style["tilejson"] as? String == "3.0.0")
        #expect(style["tiles"] as? [String] == ["https://maps.example.org/tiles/light/{z}/{x}/{y}.png?labels=off"])
        #expect(style["attribution"] as? String != nil)
        let data = try object(try veduta.client.get("/data/map.json"))
        let layers = try #require(data["vector_layers"] as? [[String: Any]])
        #expect(!layers.isEmpty && layers.allSatisfy { $0["id"] is String && $0["fields"] is [String: Any] })
        #expect(try #require((data["tiles"] as? [String])?.first).hasSuffix("/data/map/{z}/{x}/{y}.mvt"))
    }

    /// #15.31: a stranger's field decided what host everybody was sent to.
    @Test func addressesAreThoseOfTheOperator() throws {
        let fields = ["X-Forwarded-Proto: https", "X-Forwarded-Host: evil.example"]
        func tiles(_ adjust: @escaping (inout Configuration) -> Void) throws -> (String, WireResponse) {
            let veduta = try CachingService(adjust)
            let answer = try veduta.client.get("/tiles/light.json", fields[0], fields[1])
            let wmts = try veduta.client.get("/wmts?service=WMTS&request=GetCapabilities", fields[0], fields[1])
            let first = try #require((try object(answer)["tiles"] as? [String])?.first)
            #expect(wmts.text.contains(first.prefix { $0 != "{" }.dropLast("light/".count)), "\(first)")
            return (first, answer)
        }
        let path = "/tiles/light/{z}/{x}/{y}.png"
        let (plain, answer) = try tiles { _ in }
        #expect(plain == "http://veduta.test" + path)
        #expect(answer.field("Vary")?.contains("X-Forwarded") != true)
        #expect(answer.field("Cache-Control") == "max-age=300")
        #expect(
            try tiles { $0.trustedProxies = TrustedProxies(["10.0.0.0/8"]) ?? .none }.0 == "http://veduta.test" + path)
        let (forwarded, shielded) = try tiles { $0.trustedProxies = TrustedProxies(["127.0.0.1"]) ?? .none }
        #expect(forwarded == "https://evil.example" + path)
        #expect(shielded.field("Vary")?.contains("X-Forwarded-Host") == true)
        #expect(shielded.field("Cache-Control") == "private, max-age=300")
        let (fixed, _) = try tiles {
            $0.publicURL = PublicURL("https://maps.example.org/v")
            $0.trustedProxies = TrustedProxies(["127.0.0.1"]) ?? .none
        }
        #expect(fixed == "https://maps.example.org/v" + path)
    }

    @Test func gisFindTheTiles() throws {
        let veduta = try CachingService()
        let capabilities = try veduta.client.get("/wmts?SERVICE=WMTS&REQUEST=GetCapabilities")
        #expect(capabilities.code == 200 && capabilities.field("Content-Type") == "text/xml; charset=utf-8")
        #expect(capabilities.text.contains("<ows:Identifier>light@2x</ows:Identifier>"))
        let asked = "Service=WMTS&Request=GetTile&Layer=light&TileMatrix=1&TileRow=0&TileCol=1&Format=image/png"
        let tile = try veduta.client.get("/wmts?\(asked)")
        let same = try veduta.client.get("/tiles/light/1/1/0.png")
        #expect(tile.code == 200 && tile.content == same.content)
    }

    @Test func methodsAreThoseOfReading() throws {
        let veduta = try CachingService()
        for target in [
            "/tiles/light/0/0/0.png", "/data/map.json", "/wmts", "/styles/light.json", "/sprites/light/default.json",
            "/fonts/Noto%20Sans/0-255.pbf", "/maps",
        ] {
            veduta.client.request(target, method: "DELETE")
            let answer = try veduta.client.read()
            #expect(answer.code == 405 && answer.field("Allow") == "GET, HEAD, OPTIONS")
        }
    }
}
