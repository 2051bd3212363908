import Foundation
import ServiceConfiguration
import TestSupport
import Testing
import VedutaService

/// `/styles`, `/sprites`, `/fonts` and `/maps` over a socket: what maps in browsers load.
@Suite(.timeLimit(.minutes(5))) struct WebStyleTests {
    @Test func styles_haveWholeAddresses_thatAreThere() throws {
        let veduta = try CachingService()
        let answer = try veduta.client.get("/styles/dark.json")
        let style = try object(answer)
        #expect(style["version"] as? Int == 8)
        #expect(style["glyphs"] as? String == "http://veduta.test/fonts/{fontstack}/{range}.pbf")
        let sources = try #require(style["sources"] as? [String: [String: Any]])
        let url = try #require(sources.values.first?["url"] as? String)
        #expect(url.hasPrefix("http://veduta.test/data/"))
        #expect(try veduta.client.get(String(url.dropFirst("http://veduta.test".count))).code == 200)
        let layers = try #require(style["layers"] as? [[String: Any]])
        #expect(layers.count > 20)
        for layer in layers { if let source = layer["source"] as? String { #expect(sources[source] != nil) } }
        let tag = try #require(answer.field("ETag"))
        #expect(try veduta.client.get("/styles/dark.json", "If-None-Match: \(tag)").code == 304)
    }

    @Test func sheets_areThoseOfTheStyle_andWhatOnlyTheServerReads_isLeftOut() throws {
        let folder = try PictureFolder()
        let style = """
            {"version": 8, "sprite": "icons", "sources": {"far": {"type": "vector", "url": "https://maps.example.org/a.json"},
             "near": {"type": "geojson", "data": "near.geojson"}},
             "layers": [{"id": "a", "type": "line", "source": "far", "source-layer": "x"},
             {"id": "b", "type": "line", "source": "near"}, {"id": "c", "type": "background"}]}
            """
        let index = #"{"dot": {"x": 0, "y": 0, "width": 2, "height": 2, "pixelRatio": 1}}"#
        try folder.add("own.json", Array(style.utf8))
        try folder.add("icons.json", Array(index.utf8))
        try folder.add("near.geojson", Array(#"{"type": "FeatureCollection", "features": []}"#.utf8))
        let veduta = try CachingService { $0.mapStyle = folder.path + "/own.json" }
        let web = try object(try veduta.client.get("/styles/own.json"))
        #expect(web["sprite"] as? String == "http://veduta.test/sprites/own/default")
        #expect((web["layers"] as? [[String: Any]])?.compactMap { $0["id"] as? String } == ["a", "c"])
        let list = try veduta.client.get("/sprites/own/default.json")
        #expect(list.code == 200 && list.text == index && list.field("Content-Type") == "application/json")
        for absent in ["/sprites/own/default@2x.png", "/sprites/own/other.json", "/sprites/light/default.json"] {
            #expect(try veduta.client.get(absent).code == 404, "\(absent)")
        }
    }

    @Test func sharpScreens_haveThePlainSheet_whereThereIsNoSharpOne() throws {
        let folder = try PictureFolder()
        let style = #"{"version": 8, "sprite": "icons", "sources": {}, "layers": [{"id": "a", "type": "background"}]}"#
        try folder.add("own.json", Array(style.utf8))
        try folder.add("icons.json", Array("plain".utf8))
        try folder.add("icons.png", [1])
        let veduta = try CachingService { $0.mapStyle = folder.path + "/own.json" }
        let client = veduta.client
        #expect(try client.get("/sprites/own/default@2x.json").text == "plain")
        #expect(try client.get("/sprites/own/default@2x.png").content == [1])
        // A sharp index is of no use without its sheet.
        try folder.add("icons@2x.json", Array("sharp".utf8))
        #expect(try client.get("/sprites/own/default@2x.json").text == "plain")
        try folder.add("icons@2x.png", [2])
        #expect(try client.get("/sprites/own/default@2x.json").text == "sharp")
        #expect(try client.get("/sprites/own/default@2x.png").content == [2])
        #expect(try client.get("/sprites/own/default.png").content == [1])
        withExtendedLifetime(veduta) {}
    }

    @Test func layersThatReferToOneThatIsLeftOut_areLeftOut() throws {
        let folder = try PictureFolder()
        let style = """
            {"version": 8, "sources": {"near": {"type": "geojson", "data": "near.geojson"}},
             "layers": [{"id": "a", "type": "line", "source": "near"}, {"id": "b", "ref": "a"},
             {"id": "c", "type": "background"}]}
            """
        try folder.add("own.json", Array(style.utf8))
        try folder.add("near.geojson", Array(#"{"type": "FeatureCollection", "features": []}"#.utf8))
        let veduta = try CachingService { $0.mapStyle = folder.path + "/own.json" }
        let web = try object(try veduta.client.get("/styles/own.json"))
        #expect((web["layers"] as? [[String: Any]])?.compactMap { $0["id"] as? String } == ["c"])
    }

    @Test func sheetsWithNames_areEscaped_andTerrainWithoutASource_isLeftOut() throws {
        let folder = try PictureFolder()
        let style = """
            {"version": 8, "terrain": {"source": "near"},
             "sprite": [{"id": "a b/c", "url": "icons"}, {"id": "far", "url": "https://maps.example.org/sheet"}],
             "sources": {"near": {"type": "geojson", "data": "near.geojson"},
             "both": {"type": "vector", "url": "tiles.json", "tiles": ["https://maps.example.org/{z}/{x}/{y}.pbf"]}},
             "layers": [{"id": "a", "type": "background"}]}
            """
        let (index, sheet) = (#"{"dot": {"x": 0, "y": 0, "width": 2, "height": 2, "pixelRatio": 1}}"#, [UInt8](0...9))
        try folder.add("own.json", Array(style.utf8))
        try folder.add("icons.json", Array(index.utf8))
        try folder.add("icons.png", sheet)
        try folder.add("near.geojson", Array(#"{"type": "FeatureCollection", "features": []}"#.utf8))
        let veduta = try CachingService {
            $0.mapStyle = folder.path + "/own.json"
            $0.publicURL = PublicURL("https://example.org/v")
        }
        let client = veduta.client
        let web = try object(try client.get("/styles/own.json"))
        #expect(web["glyphs"] as? String == "https://example.org/v/fonts/{fontstack}/{range}.pbf")
        #expect(web["terrain"] == nil)
        #expect((web["sources"] as? [String: Any])?.isEmpty == true)
        let sheets = (web["sprite"] as? [[String: String]])?.compactMap { $0["url"] }
        #expect(sheets == ["https://example.org/v/sprites/own/a%20b%2Fc", "https://maps.example.org/sheet"])
        #expect(try client.get("/sprites/own/a%20b%2Fc.json").text == index)
        let picture = try client.get("/sprites/own/a%20b%2Fc.png")
        #expect(picture.code == 200 && picture.field("Content-Type") == "image/png" && picture.content == sheet)
        let tag = try #require(picture.field("ETag"))
        #expect(try client.get("/sprites/own/a%20b%2Fc.png", "If-None-Match: \(tag)").code == 304)
        let head = try client.get("/sprites/own/a%20b%2Fc.png", method: "HEAD")
        #expect(head.code == 200 && head.content.isEmpty && head.field("ETag") == tag)
        #expect(try client.get("/sprites/own/far.json").code == 404)
        // Another sheet has another tag.
        try folder.add("icons.png", [1, 2])
        let other = try client.get("/sprites/own/a%20b%2Fc.png", "If-None-Match: \(tag)")
        #expect(other.code == 200 && other.content == [1, 2])
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/share/fonts/truetype"), "no fonts on this machine"))
    func glyphs_areMadeOnce_andHaveATagBefore() throws {
        let veduta = try CachingService()
        let target = "/fonts/Noto%20Sans%20Regular/0-255.pbf"
        let first = try veduta.client.get(target)
        #expect(first.code == 200 && first.field("Content-Type") == "application/x-protobuf")
        #expect(first.content.count > 20_000)
        let tag = try #require(first.field("ETag"))
        #expect(try veduta.client.get(target, "If-None-Match: \(tag)").code == 304)
        let head = try veduta.client.get(target, method: "HEAD")
        #expect(head.code == 200 && head.content.isEmpty && head.field("ETag") == tag)
        let again = try veduta.client.get(target)
        #expect(again.content == first.content && again.field("Cache-Status")?.contains("hit") == true)
        // Other spellings are the same glyphs.
        #expect(
            try veduta.client.get("/fonts/Noto Sans Regular/0-255.pbf".replacing(" ", with: "%20")).field("ETag") == tag
        )
    }

    @Test func whatIsWrong_isSaid() throws {
        let veduta = try CachingService()
        let cases = [
            ("/styles/none.json", 404, "tile-set-not-found"), ("/styles/light", 400, "bad-tile-address"),
            ("/styles/light.json?a=1", 400, "invalid-parameters"), ("/sprites/light/a.gif", 400, "bad-tile-address"),
            ("/sprites/none/a.json", 404, "tile-set-not-found"), ("/fonts/Noto/0-256.pbf", 404, "tile-not-found"),
            ("/fonts/Noto/00-255.pbf", 404, "tile-not-found"), ("/fonts/Noto/65536-65791.pbf", 404, "tile-not-found"),
            ("/fonts/Noto/1-256.pbf", 404, "tile-not-found"), ("/fonts/0-255.pbf", 400, "bad-tile-address"),
            ("/fonts/Noto/0-٩.pbf", 400, "bad-tile-address"), ("/fonts/Noto/123456-9.pbf", 400, "bad-tile-address"),
            ("/fonts/a,b,c,d,e,f,g,h,i/0-255.pbf", 400, "bad-tile-address"),
            ("/fonts/a,,b/0-255.pbf", 400, "bad-tile-address"),
            ("/fonts/" + String(repeating: "0", count: 401) + "/0-255.pbf", 400, "bad-tile-address"),
        ]
        for (target, code, type) in cases {
            let answer = try veduta.client.get(target.replacing("٩", with: "%D9%A9"))
            #expect(answer.code == code && answer.text.contains(":\(type)\""), "\(target): \(answer.text)")
        }
    }

    @Test func thePage_listsStylesAndSources_andIsStrict() throws {
        let veduta = try CachingService()
        let page = try veduta.client.get("/maps")
        #expect(page.code == 200 && page.field("Content-Security-Policy")?.contains("unsafe") == false)
        for part in [
            "data-style=\"light\"", "data-style=\"dark\"", "/styles/light.json", "/data/map.json", "L.tileLayer",
        ] {
            #expect(page.text.contains(part), "\(part)")
        }
        #expect(!page.text.contains("<style") && !page.text.contains(" style="))
    }
}
