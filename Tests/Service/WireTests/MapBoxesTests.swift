import Foundation
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// What `/map.json` tells of that which lies over a map.
@Suite(.timeLimit(.minutes(5))) struct MapBoxesTests {
    @Test func description_tellsWhatLiesOverTheMap() throws {
        let veduta = try CachingService { $0.mapAttribution = .optional }
        func boxes(_ more: String) throws -> [String: Any] {
            let told = try veduta.client.get("/map.json?latitude=48&longitude=11&zoom=5&size=400x300" + more)
            #expect(told.code == 200, "\(told.text)")
            return try #require(
                (JSONSerialization.jsonObject(with: Data(told.content)) as? [String: Any])?["boxes"] as? [String: Any])
        }
        let plain = try boxes("&attribution=none")
        #expect(Set(plain.keys) == ["attribution", "scaleBar", "northArrow", "titles"])
        #expect(["attribution", "scaleBar", "northArrow"].allSatisfy { plain[$0] is NSNull })
        let whole = try boxes(
            "&scalebar=metric&north=top-right&marker=title:Here%7C48,11&marker=icon:a.png%7Ctitle:There%7C47,12")
        for (name, isLeft, isTop) in [
            ("attribution", false, false), ("scaleBar", true, false), ("northArrow", false, true),
        ] {
            let box = try #require(whole[name] as? [String: Double], "\(name)")
            let (x, y) = (try #require(box["x"]), try #require(box["y"]))
            let (width, height) = (try #require(box["width"]), try #require(box["height"]))
            #expect(x >= 0 && y >= 0 && x + width <= 400 && y + height <= 300 && width > 10 && height > 10)
            #expect((x + width / 2 < 200) == isLeft && (y + height / 2 < 150) == isTop)
        }
        let titles = try #require(whole["titles"] as? [[String: Any]])
        #expect(titles.compactMap { $0["text"] as? String } == ["Here"])
        #expect(try #require(titles[0]["x"] as? Double) > 200)
    }
}
