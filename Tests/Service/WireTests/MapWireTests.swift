import Foundation
import Reactor
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// `/map`, `/map.json` and `POST /map` over a socket: what beside the pixels is promised.
@Suite(.timeLimit(.minutes(5))) struct MapWireTests {
    private static let small = "width=96&height=64&format=png"
    private static let place = "latitude=48&longitude=11&zoom=5"

    private func post(
        _ client: WireClient, _ text: String, _ type: String = "application/json", target: String = "/map"
    ) throws -> WireResponse {
        client.upload(target, Array(text.utf8), "Content-Type: \(type)")
        return try client.read()
    }

    // MARK: What a map shows

    @Test func description_hasTheMiddleInTheMiddle() throws {
        let veduta = try CachingService()
        let told = try veduta.client.get(
            "/map.json?latitude=48.5&longitude=11.25&zoom=6&size=400x300&scale=2&point=48.5,11.25&point=-48.5,-170"
                + "&marker=color:red%7C48.5,11.25&path=48.5,11.25%7C49,12")
        #expect(told.code == 200)
        let members = try object(told)
        #expect(members["center"] as? [String: Double] == ["latitude": 48.5, "longitude": 11.25])
        #expect(members["zoom"] as? Double == 6)
        #expect(members["glzoom"] as? Double == 5)
        #expect(members["style"] as? String == "light")
        let points = try #require(members["points"] as? [[String: Any]])
        #expect(points.count == 2)
        #expect(points[0]["x"] as? Double == 200)
        #expect(points[0]["y"] as? Double == 150)
        #expect(points[0]["visible"] as? Bool == true)
        #expect(points[1]["visible"] as? Bool == false)
        let overlays = try #require(members["overlays"] as? [[String: Any]])
        #expect(overlays.compactMap { $0["kind"] as? String } == ["marker", "path"])
        #expect((overlays[1]["places"] as? [Any])?.count == 2)
        let bounds = try #require(members["bounds"] as? [String: Double])
        #expect(try #require(bounds["west"]) < 11.25 && #require(bounds["east"]) > 11.25)
        // A CSS pixel of zoom 6 is 156,543 / 2⁶ metres at the equator.
        let metres = try #require(members["metersPerPixel"] as? Double)
        #expect(abs(metres - 2445.98 * 0.66262) < 2)
    }

    @Test func description_isKeptAndRevalidated() throws {
        let veduta = try CachingService()
        let first = try veduta.client.get("/map.json?\(Self.place)")
        let tag = try #require(first.field("ETag"))
        #expect(first.field("Vary") == "Accept-Encoding")
        #expect(try veduta.client.get("/map.json?\(Self.place)", "If-None-Match: \(tag)").code == 304)
        #expect(try veduta.client.get("/map?\(Self.place)&\(Self.small)").field("ETag") != tag)
        #expect(try veduta.client.get("/map?\(Self.place)&point=1,2").code == 400)
    }

    // MARK: POST

    @Test func post_isTheMapThatGetHas_andTellsItsAddress() throws {
        let veduta = try CachingService()
        let text = """
            {"latitude": 48, "longitude": 11, "zoom": 5, "width": 96, "height": 64, "format": "png",
             "marker": ["color:blue|48,11"]}
            """
        let posted = try post(veduta.client, text)
        #expect(posted.code == 200)
        #expect(posted.cacheStatus == "fwd=uri-miss; stored")
        let location = try #require(posted.field("Content-Location"))
        #expect(location.hasPrefix("/map?"))
        let got = try veduta.client.get(location)
        #expect(got.cacheStatus.hasPrefix("hit"))
        #expect(got.content == posted.content)
        #expect(got.field("ETag") == posted.field("ETag"))
        #expect(got.field("Content-Location") == nil)
        #expect(try post(veduta.client, text).cacheStatus.hasPrefix("hit"))
    }

    @Test func corners_areTheSameForGetAndPost_andPartOfTheTag() throws {
        let veduta = try CachingService()
        let posted = try post(
            veduta.client,
            """
            {"latitude": 48, "longitude": 11, "zoom": 5, "width": 240, "height": 160, "format": "png",
             "scalebar": ["bottom-left", "both"], "north": "top-right", "marker": "title:A|background:navy|48,11"}
            """)
        #expect(posted.code == 200)
        let location = try #require(posted.field("Content-Location"))
        #expect(location.contains("&scalebar=both&north=top-right&marker=title:A%7Cbackground:000080%7C48,11"))
        let got = try veduta.client.get(location)
        #expect(got.cacheStatus.hasPrefix("hit") && got.content == posted.content)
        let plain = try veduta.client.get("/map?\(Self.place)&width=240&height=160&format=png")
        let none = try veduta.client.get("/map?\(Self.place)&width=240&height=160&format=png&scalebar=none&north=none")
        #expect(none.field("ETag") == plain.field("ETag") && none.cacheStatus.hasPrefix("hit"))
        let barred = try veduta.client.get("/map?\(Self.place)&width=240&height=160&format=png&scalebar=metric")
        #expect(barred.code == 200 && barred.field("ETag") != plain.field("ETag") && barred.content != plain.content)
        let refused = try veduta.client.get("/map?\(Self.place)&scalebar=metrics&north=topright")
        let text = String(decoding: refused.content, as: UTF8.self)
        #expect(
            refused.code == 400 && text.contains("did you mean `metric`?") && text.contains("did you mean `top-right`?")
        )
        #expect(try veduta.client.get("/tiles/light/2/1/1.png?scalebar=metric").code == 400)
        #expect(try veduta.client.get("/map.json?\(Self.place)&scalebar=metric&north=top-right").code == 200)
    }

    @Test func longPost_hasNoAddress() throws {
        let veduta = try CachingService()
        let places = (0..<3000).map { "[\(Double($0) / 1000), \(Double($0 * 7 % 4000) / 1000)]" }.joined(separator: ",")
        let line = #"{"type": "LineString", "coordinates": [\#(places)]}"#
        let posted = try post(
            veduta.client, #"{"fit": "overlays", "size": "96x64", "format": "png", "geojson": \#(line)}"#)
        #expect(posted.code == 200)
        #expect(posted.field("Content-Location") == nil)
        #expect(try DecodedPicture(posted.content).widthPx == 96)
    }

    @Test func faultyPosts_areRefused() throws {
        let veduta = try CachingService { $0.minimumRate = 0 }
        func refusal(_ text: String, _ type: String = "application/json", target: String = "/map") throws -> Int {
            let client = try WireClient(veduta.service.address)
            return Int(try post(client, text, type, target: target).code)
        }
        #expect(try refusal(#"{"latitude": 48, "longitude": 11, "zom": 5}"#) == 400)
        #expect(try refusal(#"{"latitude": 48, "longitude": "#) == 400)
        #expect(try refusal("[1]") == 400)
        #expect(try refusal("{}") == 400)
        #expect(try refusal("latitude=48", "application/x-www-form-urlencoded") == 415)
        #expect(try refusal(#"{"latitude": 48, "longitude": 11}"#, target: "/map?zoom=3") == 400)
        #expect(try refusal(String(repeating: " ", count: 3 << 20)) == 413)
        let told = try post(veduta.client, #"{"latitude": 48, "longitude": 11, "zom": 5}"#)
        #expect(told.text.contains("zoom"))
        #expect(try veduta.client.get("/map?\(Self.place)&\(Self.small)").code == 200)
    }

    // MARK: Missing glyphs

    /// #15.29: a map without its letters was a 200 that nobody could tell from a good one, kept for a day.
    @Test func mapThatLacksGlyphs_saysSo_andIsKeptBriefly() throws {
        let folder = try PictureFolder()
        // One glyph: `a`, blank, 12 wide. No font has the other character.
        try folder.add("fonts/Mine/0-255.pbf", [0x0A, 0x06, 0x1A, 0x04, 0x08, 0x61, 0x38, 0x0C])
        func style(_ text: String) -> [UInt8] {
            Array(
                """
                {"version": 8, "glyphs": "fonts/{fontstack}/{range}.pbf", "sources": {"s": {"type": "geojson",
                  "data": {"type": "Point", "coordinates": [11, 48]}}},
                 "layers": [{"id": "l", "type": "symbol", "source": "s",
                  "layout": {"text-field": "\(text)", "text-font": ["Mine", "Other"]}}]}
                """.utf8)
        }
        try folder.add("lacking.json", style("a\u{10FFFD}"))
        try folder.add("whole.json", style("a"))
        for (name, lacks) in [("lacking", true), ("whole", false)] {
            let service = try RunningService {
                $0.mapStyle = "\(folder.path)/\(name).json"
                $0.cacheControl = "max-age=86400"
            }
            let client = try WireClient(service.address)
            for target in ["/map?\(Self.place)&\(Self.small)", "/tiles/\(name)/5/16/11.png"] {
                let answer = try client.get(target)
                #expect(answer.code == 200, "\(target)")
                #expect(answer.field("Veduta-Missing") == (lacks ? "glyphs;count=1" : nil), "\(target)")
                #expect(answer.field("Cache-Control") == (lacks ? "max-age=60" : "max-age=86400"), "\(target)")
                #expect((answer.field("ETag") == nil) == lacks)
            }
            let metrics = try client.get("/metrics").text
            #expect(metrics.contains("veduta_missing_glyphs_total \(lacks ? 2 : 0)"))
        }
    }

    /// A service whose default style has a label with a character that no font has.
    private func lackingService(_ adjust: (inout Configuration) -> Void = { _ in }) throws -> (
        CachingService, PictureFolder
    ) {
        let folder = try PictureFolder()
        let style = """
            {"version": 8, "glyphs": "fonts/{fontstack}/{range}.pbf", "sources": {"s": {"type": "geojson",
              "data": {"type": "Point", "coordinates": [11, 48]}}},
             "layers": [{"id": "l", "type": "symbol", "source": "s",
              "layout": {"text-field": "\\uFDD5", "text-font": ["Mine"]}}]}
            """
        try folder.add("lacking.json", Array(style.utf8))
        let veduta = try CachingService {
            $0.mapStyle = "\(folder.path)/lacking.json"
            $0.cacheControl = "max-age=86400"
            adjust(&$0)
        }
        return (veduta, folder)
    }

    /// A map that lacks glyphs was drawn for each request, though clients were told to keep it for a minute.
    @Test func mapThatLacksGlyphs_isDrawnOnceAMinute() throws {
        let (veduta, folder) = try lackingService()
        defer { folder.remove() }
        for (route, target) in [("map", "/map?\(Self.place)&\(Self.small)"), ("tiles", "/tiles/lacking/5/16/11.png")] {
            func renders() throws -> Int { try veduta.client.metric("veduta_renders_total{route=\"\(route)\"}") }
            #expect(try veduta.client.get(target).cacheStatus == "fwd=uri-miss; stored")
            let young = try veduta.client.get(target)
            #expect(young.cacheStatus == "hit; ttl=60")
            #expect(young.field("Veduta-Missing") == "glyphs;count=1")
            #expect(young.field("Cache-Control") == "max-age=60")
            #expect(young.field("ETag") == nil)
            veduta.clock.advance(by: .seconds(59.5))
            let old = try veduta.client.get(target)
            #expect(old.cacheStatus == "hit; ttl=1")
            #expect(old.field("Age") == "59")
            #expect(old.content == young.content)
            #expect(try renders() == 1)
            veduta.clock.advance(by: .seconds(0.5))
            #expect(try veduta.client.get(target).cacheStatus == "fwd=stale; stored")
            #expect(try veduta.client.get(target).cacheStatus == "hit; ttl=60")
            #expect(try renders() == 2)
        }
    }

    @Test func mapThatLacksGlyphs_isForRequestsThatTakeIt() throws {
        let (veduta, folder) = try lackingService { $0.token = AccessToken("secret") }
        defer { folder.remove() }
        let target = "/map?\(Self.place)&\(Self.small)"
        #expect(try veduta.get("no-store", target: target).cacheStatus == "fwd=uri-miss")
        #expect(try veduta.get("only-if-cached", target: target).code == 504)
        #expect(try veduta.get(target: target).cacheStatus == "fwd=uri-miss; stored")
        veduta.clock.advance(by: .seconds(30))
        #expect(try veduta.get("only-if-cached", target: target).cacheStatus == "hit; ttl=30")
        #expect(try veduta.get("max-age=30", target: target).cacheStatus == "hit; ttl=30")
        #expect(try veduta.get("max-age=29", target: target).cacheStatus == "fwd=stale; stored")
        #expect(try veduta.get("no-cache", target: target).cacheStatus == "fwd=request; stored")
        #expect(try veduta.get("min-fresh=60", target: target).cacheStatus == "hit; ttl=60")
        veduta.clock.advance(by: .seconds(60))
        #expect(try veduta.get("max-stale", target: target).cacheStatus == "fwd=stale; stored")
        #expect(try veduta.client.get("/cache", method: "DELETE", "Authorization: Bearer secret").code == 200)
        #expect(try veduta.get(target: target).cacheStatus == "fwd=uri-miss; stored")
    }

    @Test func mapThatLackedGlyphs_hasThemAfterAMinuteAtTheLatest() throws {
        let (veduta, folder) = try lackingService()
        defer { folder.remove() }
        let target = "/map?\(Self.place)&\(Self.small)"
        #expect(try veduta.client.get(target).field("Veduta-Missing") == "glyphs;count=1")
        // One glyph: the character, blank, 12 wide.
        try folder.add("fonts/Mine/64768-65023.pbf", [0x0A, 0x08, 0x1A, 0x06, 0x08, 0xD5, 0xFB, 0x03, 0x38, 0x0C])
        veduta.clock.advance(by: .seconds(60))
        let whole = try veduta.client.get(target)
        #expect(whole.field("Veduta-Missing") == nil)
        #expect(whole.field("ETag") != nil)
        #expect(whole.field("Cache-Control") == "max-age=86400")
        #expect(try veduta.client.get(target).cacheStatus.hasPrefix("hit"))
    }

    // MARK: What lies over a map

    @Test func icons_areOfTheLibrary_andPartOfTheTag() throws {
        let veduta = try CachingService { $0.token = AccessToken("secret") }
        let plain = try veduta.client.get("/map?\(Self.place)&\(Self.small)")
        let target = "/map?\(Self.place)&\(Self.small)&marker=icon:a.png%7Csize:32%7C48,11"
        let marked = try veduta.client.get(target)
        #expect(marked.code == 200)
        #expect(marked.content != plain.content)
        #expect(try veduta.client.get("/map?\(Self.place)&marker=icon:none.png%7C48,11").code == 404)
        try veduta.change()
        veduta.clock.advance(by: .seconds(2))
        let changed = try veduta.client.get(target)
        #expect(changed.field("ETag") != marked.field("ETag"))
        #expect(changed.cacheStatus == "fwd=stale; stored")
        let purged = try veduta.client.get("/cache?id=a.png", method: "DELETE", "Authorization: Bearer secret")
        #expect(purged.code == 200)
        #expect(try veduta.client.get(target).cacheStatus == "fwd=uri-miss; stored")
    }

    /// Composed and decomposed letters are equal as texts.
    @Test func iconsWhoseIDsLookTheSame_areTwo() throws {
        let veduta = try CachingService()
        let colors: [(name: String, rgba: [UInt8])] = [
            ("\u{e9}.png", [255, 0, 0, 255]), ("e\u{301}.png", [0, 0, 255, 255]),
        ]
        for (name, rgba) in colors {
            let pixels = [[UInt8]](repeating: rgba, count: 400).flatMap(\.self)
            try veduta.pictures.add(name, PictureFolder.encoded(pixels, 20, 20))
        }
        let marked = try veduta.client.get(
            "/map?\(Self.place)&\(Self.small)&marker=icon:%C3%A9.png%7Csize:20%7C48,11"
                + "&marker=icon:e%CC%81.png%7Csize:20%7Coffset:30,0%7C48,11")
        #expect(marked.code == 200, "\(marked.text)")
        let picture = try DecodedPicture(marked.content)
        #expect(picture.share { red, green, blue in red > 240 && green < 16 && blue < 16 } > 0)
        #expect(picture.share { red, green, blue in blue > 240 && red < 16 && green < 16 } > 0)
    }

    /// `count` places to and fro over the whole of the small picture, as an encoded polyline.
    private static func zigzag(_ count: Int) -> String {
        var text = "enc:"
        func append(_ number: Int) {
            var rest = number < 0 ? ~(number << 1) : number << 1
            while rest >= 0x20 {
                text.unicodeScalars.append(Unicode.Scalar(UInt8((rest & 0x1f | 0x20) + 63)))
                rest >>= 5
            }
            text.unicodeScalars.append(Unicode.Scalar(UInt8(rest + 63)))
        }
        append(46_00000)
        append(9_00000)
        for index in 1..<max(2, count) {
            append(index % 2 == 0 ? -400_000 : 400_000)
            append(index % 2 == 0 ? -399_900 : 400_000)
        }
        return text
    }

    /// #15.1: what would take gigabytes is refused before it is drawn, and the process goes on.
    @Test func linesOfTooManyDashes_areRefused() throws {
        let veduta = try CachingService()
        func answer(_ overlay: String, scale: Int = 1) throws -> WireResponse {
            let body: [String: Any] = [
                "latitude": 48, "longitude": 11, "zoom": 5, "width": 96, "height": 64, "format": "png", "scale": scale,
                overlay.hasPrefix("{") ? "geojson" : "path": [overlay],
            ]
            let text = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
            return try post(veduta.client, text)
        }
        let worst = [
            ("weight:16|dash:0.3,0.3|cap:round|\(Self.zigzag(3000))", 4),
            ("weight:20|border:black,3|dash:1,3|\(Self.zigzag(5000))", 2),
            ("weight:100|border:black,50|dash:0,4|cap:square|\(Self.zigzag(5000))", 1),
            ("weight:1|dash:1,0|geodesic:1|\(Self.zigzag(5000))", 2),
        ]
        for (path, scale) in worst {
            let refused = try answer(path, scale: scale)
            #expect(refused.code == 422, "\(path.prefix(40))")
            #expect(refused.text.contains("urn:problem-type:veduta:too-many-dashes"))
            #expect(refused.text.contains("`dash`"))
        }
        let places = (0..<3000).map { "[\($0 % 2 * 8 + 7),\(46 + $0 % 2 * 4)]" }.joined(separator: ",")
        let geojson =
            "{\"type\":\"Feature\",\"properties\":{\"line-width\":1,\"line-dasharray\":[0.5,0.5]},\"geometry\":{"
            + "\"type\":\"LineString\",\"coordinates\":[\(places)]}}"
        #expect(try answer(geojson).code == 422)
        // A period under a pixel is a solid line.
        #expect(try answer("weight:2|dash:0.13,0.13|cap:round|\(Self.zigzag(400))").code == 200)
        #expect(try answer("weight:20|border:black,3|dash:1,3|\(Self.zigzag(40))").code == 200)
        #expect(try veduta.client.get("/health/live").code == 200)
    }

    @Test func filters_areThoseOfAssets() throws {
        let veduta = try CachingService()
        let grey = try DecodedPicture(veduta.client.get("/map?\(Self.place)&\(Self.small)&filter=grayscale").content)
        #expect(grey.share { $0 == $1 && $1 == $2 } == 1)
        let colored = try DecodedPicture(veduta.client.get("/map?\(Self.place)&\(Self.small)").content)
        #expect(colored.share { $0 == $1 && $1 == $2 } < 0.9)
    }

    @Test func misspeltStyle_isSuggested() throws {
        let veduta = try CachingService()
        let refused = try veduta.client.get("/map?\(Self.place)&\(Self.small)&style=drak&theme=lihgt")
        #expect(refused.code == 400, "\(refused.text)")
        for name in ["dark", "light"] { #expect(refused.text.contains("did you mean `\(name)`?"), "\(name)") }
    }

    @Test func theme_followsTheClient() throws {
        let veduta = try CachingService()
        let target = "/map?\(Self.place)&\(Self.small)&theme=auto"
        let day = try veduta.client.get(target)
        let night = try veduta.client.get(target, "Sec-CH-Prefers-Color-Scheme: dark")
        let again = try veduta.client.get(target)
        #expect(day.field("Vary") == "Sec-CH-Prefers-Color-Scheme")
        #expect(day.field("ETag") != night.field("ETag"))
        #expect(again.content == day.content)
        func light(_ response: WireResponse) throws -> Double {
            try DecodedPicture(response.content).share { $0 + $1 + $2 > 450 }
        }
        #expect(try light(day) > 0.5)
        #expect(try light(night) < 0.2)
        #expect(try veduta.client.get("/map?\(Self.place)&\(Self.small)&theme=dark").content == night.content)
    }

    @Test func download_namesTheFile() throws {
        let veduta = try CachingService()
        let answer = try veduta.client.get("/map?\(Self.place)&\(Self.small)&download=florence")
        #expect(answer.field("Content-Disposition") == #"attachment; filename="florence.png""#)
    }

    @Test func unknownLayer_isAFault() throws {
        let veduta = try CachingService()
        let target = "/map?\(Self.place)&\(Self.small)&marker=48,11&below="
        #expect(try veduta.client.get(target + "labels").code == 200)
        let refused = try veduta.client.get(target + "no-such-layer")
        #expect(refused.code == 400)
        #expect(refused.text.contains("below"))
    }
}
