import Foundation
import SeededRandom
import Testing

@testable import VedutaClient

@Suite(.timeLimit(.minutes(5)))
struct MapURLTests {
    private let place = Coordinate(latitude: 59.94, longitude: 30.31)

    @Test func builder_writesTheCanonicalTextOfTheServer() throws {
        let map = MapURL(latitude: 59.935634, longitude: 30.325935).zoom(12).size(width: 600, height: 512).scale(2)
            .bearing(-90).pitch(30).padding(.init(8)).style("streets").theme(.dark).labels(false)
            .interests(.only(["museum", "cafe"])).language("IT", "zh-hans").overlaysBelow("labels")
            .attribution(.topLeft)
            .scaleBar(.both, at: .topRight).northArrow(at: .bottomLeft).filter(.sepia(40)).format(.webp).quality(70)
            .download(as: "map")
        #expect(
            try map.canonical
                == "latitude=59.935634&longitude=30.325935&zoom=12&width=600&scale=2&bearing=270&pitch=30&padding=8"
                + "&style=streets&theme=dark&labels=off&poi=cafe,museum&language=it,zh-Hans&below=labels"
                + "&attribution=top-left&scalebar=both,top-right&north=bottom-left&filter=sepia:40&format=webp&quality=70&download=map"
        )
    }

    @Test func placesAndReaches_areThoseOfTheServer() throws {
        #expect(try MapURL(center: place).glZoom(3).canonical == "latitude=59.94&longitude=30.31&zoom=4")
        #expect(
            try MapURL(center: place).span(latitude: 1, longitude: 2).canonical
                == "latitude=59.94&longitude=30.31&span=1,2")
        #expect(
            try MapURL(center: place).meters(500, height: 300).canonical
                == "latitude=59.94&longitude=30.31&meters=500,300")
        #expect(
            try MapURL(west: 170, south: -10, east: -170, north: 10, .inside).canonical
                == "bbox=170,-10,-170,10&clip=inside")
        #expect(
            try MapURL.aroundOverlays(maxZoom: 9).marker(at: [place]).canonical
                == "fit=overlays&maxzoom=9&marker=59.94,30.31")
    }

    @Test func overlays_haveAllTheirOptions() throws {
        var marker = MapURL.Marker(.label("A|\\"), color: "blue", size: 48, title: "Il bar")
        (marker.anchor, marker.offset, marker.rotation) = (.topLeft, .init(x: 3, y: -4), 45)
        marker.titleBackground = .init("white", padding: 8, radius: 20)
        marker.titleColor = "navy"
        var stroke = MapURL.Stroke(color: "red", width: 5, fill: "#ff000080")
        (stroke.opacity, stroke.dashes, stroke.cap, stroke.join) = (0.5, [8, 4], .butt, .bevel)
        (stroke.borderColor, stroke.borderWidth) = ("white", 2)
        let other = Coordinate(latitude: 55.75, longitude: 37.62)
        let third = Coordinate(latitude: 50, longitude: 20)
        let map = MapURL.aroundOverlays.marker(marker, at: [place]).marker(.init(.icon("a|b.png")), at: [other])
            .path([place, other], stroke, geodesic: true).polygon(
                [place, other, third], holes: [[third, place, other]]
            )
            .circle(place, meters: 500).circle(place, pixels: 20, stroke)
            .geoJSON(#"{"type":"Point","coordinates":[1,2]}"#)
        let text = try map.canonical
        for part in [
            "marker=color:0000ff%7Clabel:A%5C%7C%5C%5C%7Csize:48%7Canchor:top-left%7Coffset:3,-4%7Crotate:45%7Ctitle:Il%20bar%7C"
                + "textcolor:000080%7Cbackground:ffffff,8%7Cradius:20%7C",
            "marker=icon:a%5C%7Cb.png%7C55.75,37.62",
            "path=color:ff0000%7Cweight:5%7Copacity:0.5%7Cdash:8,4%7Ccap:butt%7Cjoin:bevel%7Cborder:ffffff,2%7C",
            "geodesic:1", "hole:", "circle=59.94,30.31,500&", "59.94,30.31,20px", "marker=2,1",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        #expect(try MapURL(parsing: map.local).canonical == text)
    }

    @Test func faults_areThrownInTheWordsOfTheServer() throws {
        let error = #expect(throws: VedutaError.self) {
            try MapURL(latitude: 91, longitude: 0).zoom(99).parameter("widht", "3").canonical
        }
        guard case .invalidURL(let faults) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(faults.map(\.parameter) == ["latitude", "zoom", "widht"])
        #expect(faults.last?.suggestion == "width")
        #expect(throws: VedutaError.self) { try MapURL.aroundOverlays.canonical }
        #expect(throws: VedutaError.self) { try MapURL(latitude: 1, longitude: 2).parameter("theme", "dusk").canonical }
    }

    @Test func srcset_hasAMapForEachDensity() throws {
        #expect(
            try MapURL(latitude: 1, longitude: 2).srcset(densities: [1, 2])
                == "/map?latitude=1&longitude=2 1x, /map?latitude=1&longitude=2&scale=2 2x")
    }

    @Test func randomMaps_areReadBackAsTheyWereBuilt() throws {
        var random = SeededGenerator(state: 20)
        for _ in 0..<2000 {
            let url = RandomMapURL.make(&random)
            let canonical = try url.canonical
            #expect(try MapURL(parsing: url.local).canonical == canonical)
        }
    }
}

@Suite(.timeLimit(.minutes(10)), .needsServer)
struct MapServerTests {
    /// `scripts/conformance client` asks for more.
    @Test func randomMaps_haveTheCanonicalTextOfTheServer() async throws {
        let server = try await TestServer(["--cost-limit", "600"])
        var random = SeededGenerator(state: ServerTests.seed)
        var compared = 0
        for _ in 0..<ServerTests.explainedCount {
            // The answer names the style that a theme means.
            let url = RandomMapURL.make(&random).parameter("theme", nil).style("dark")
            let answer = try await server.plain("/map.json?" + url.canonical)
            guard answer.status == 200 else { continue }
            compared += 1
            let facts = try VedutaClient.decoded(MapFacts.self, answer.content)
            #expect(try facts.canonical == url.canonical)
        }
        #expect(compared > ServerTests.explainedCount * 9 / 10)
    }
}

/// Builds requests without faults.
enum RandomMapURL {
    static func make(_ random: inout SeededGenerator) -> MapURL {
        func chance() -> Bool { Bool.random(using: &random) }
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
        func degrees(_ limit: Double) -> Double {
            (Double.random(in: -limit...limit, using: &random) * 1e6).rounded() / 1e6
        }
        func places(_ count: Int) -> [Coordinate] {
            (0..<count).map { _ in Coordinate(latitude: degrees(80), longitude: degrees(179)) }
        }
        func stroke() -> MapURL.Stroke {
            var stroke = MapURL.Stroke(color: pick(["red", "#12345678", nil]), width: pick([nil, 0.5, 12]))
            if chance() { stroke.fill = "navy" }
            if chance() { (stroke.opacity, stroke.dashes) = (0.25, [3, 1.5]) }
            if chance() { (stroke.cap, stroke.join) = (pick(MapURL.Stroke.Cap.allCases), .miter) }
            if chance() { (stroke.borderColor, stroke.borderWidth) = ("white", pick([nil, 3])) }
            return stroke
        }
        var url = pick([
            MapURL(center: places(1)[0]),
            MapURL(center: places(1)[0]).zoom(Double(Int.random(in: 0...240, using: &random)) / 10),
            MapURL(center: places(1)[0]).span(latitude: 0.5, longitude: 0.25),
            MapURL(center: places(1)[0]).meters(1500, height: pick([nil, 900])),
            MapURL(west: 10, south: -5, east: degrees(9), north: 5, pick(MapURL.Clip.allCases)),
            MapURL.aroundOverlays(maxZoom: 12).marker(at: places(1)),
        ])
        if chance() {
            url = url.size(
                width: .random(in: 100...600, using: &random), height: .random(in: 100...600, using: &random))
        }
        if chance() { url = url.scale(Double(Int.random(in: 100...400, using: &random)) / 100) }
        if chance() { url = url.bearing(degrees(360)).pitch(abs(degrees(60))) }
        if chance() { url = url.padding(pick([.init(10), .init(top: 1, right: 2, bottom: 3, left: 4)])) }
        if chance() { url = url.style(pick(["light", "dark"])) }
        if chance() { url = url.theme(pick(MapURL.Theme.allCases)) }
        if chance() { url = url.labels(chance()).interests(pick([.all, .none, .only(["cafe", "museum"])])) }
        if chance() { url = url.language("it", "zh-Hans") }
        if chance() {
            var marker = MapURL.Marker(pick([.dot, .label("Ä|\\"), .glyph("star")]), color: pick([nil, "teal"]))
            if chance() { (marker.anchor, marker.offset) = (pick(AssetURL.Place.allCases), .init(x: 4, y: -2.5)) }
            if chance() { (marker.rotation, marker.title) = (degrees(360), "a & b") }
            url = url.marker(marker, at: places(3))
        }
        if chance() { url = url.path(places(pick([2, 12])), stroke(), geodesic: chance()) }
        if chance() { url = url.polygon(places(4), holes: pick([[], [places(3)]]), stroke(), geodesic: chance()) }
        if chance() {
            url = pick([url.circle(places(1)[0], meters: 250.5, stroke()), url.circle(places(1)[0], pixels: 9)])
        }
        if chance() { url = url.geoJSON(#"{"type":"LineString","coordinates":[[1,2],[3.5,4]]}"#) }
        if chance() { url = url.overlaysBelow("labels").attribution(.topRight) }
        if chance() { url = url.filter(.grayscale, .blur(1.5)) }
        if chance() { url = url.format(pick(MapURL.Format.allCases)).quality(.random(in: 1...100, using: &random)) }
        return url
    }
}
