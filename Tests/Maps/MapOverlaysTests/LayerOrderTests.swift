import Bytes
import Colors
import JSON
@testable import MapGrammar
import MapRender
import MapStyle
import Parameters
import Testing

@testable import MapOverlays

/// Where among the layers of a style overlays lie.
@Suite(.timeLimit(.minutes(5))) struct LayerOrderTests {
    private let text = """
        {"version": 8, "glyphs": "nowhere/{fontstack}/{range}.pbf",
         "sources": {"s": {"type": "geojson", "data": {"type": "Polygon", "coordinates": [[[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]]}}},
         "layers": [{"id": "ground", "type": "background", "paint": {"background-color": "#ffffff"}},
          {"id": "area", "type": "fill", "source": "s", "paint": {"fill-color": "#00ff00"}},
          {"id": "arrows", "type": "symbol", "source": "s", "layout": {"icon-image": "a"}},
          {"id": "names", "type": "symbol", "source": "s", "layout": {"text-field": "{name}"}},
          {"id": "hidden", "type": "fill", "source": "s", "minzoom": 20}]}
        """
    private let camera = Camera(longitude: 0, latitude: 0, zoom: 6, width: 60, height: 60)

    private func map() throws -> TrialMap {
        TrialMap(engine: MapEngine(resources: TrialMap.Resources()), document: try JSONReader.read(Array(text.utf8)))
    }

    private var disc: MapOverlay {
        var circle = MapCircle(center: GeoPlace(longitude: 0, latitude: 0), radius: .pixels(20))
        circle.fill = Color(red: 255, green: 0, blue: 0)
        circle.stroke = nil
        return .circle(circle)
    }

    @Test func belowNamesALayerOrLabels() throws {
        let style = try Style.read(Array(text.utf8))
        #expect(MapAppearance.layer(below: nil, of: style) == nil)
        #expect(MapAppearance.layer(below: "area", of: style) == "area")
        #expect(MapAppearance.layer(below: "labels", of: style) == "names")
        #expect(MapAppearance.layer(below: "nothing", of: style) == nil)
    }

    @Test(arguments: [
        (nil, true), ("area", false), ("ground", false), ("labels", true), ("hidden", true), ("none", true),
    ])
    func overlaysLieUnderTheLayer(_ below: String?, _ isSeen: Bool) throws {
        var look = MapLook()
        look.below = below
        let picture = try map().render([disc], camera, look)
        #expect(picture.color(30, 30) == (isSeen ? [255, 0, 0] : [0, 255, 0]))
    }

    @Test func markersLieOverEverythingElse() throws {
        var pin = MapMarker(places: [GeoPlace(longitude: 0, latitude: 0)])
        pin.color = Color(red: 0, green: 0, blue: 255)
        let below = try map().render([disc, .marker(pin)], camera)
        let above = try map().render([.marker(pin), disc], camera)
        let without = try map().render([disc], camera)
        func bytes(_ picture: TrialPicture) -> [UInt8] { picture.map.pixels.withUnsafeBytes { Array($0) } }
        #expect(bytes(below) != bytes(without))
        #expect(bytes(above) == bytes(below))
    }

    @Test func textsOfPinsNeedNoGlyphsOfTheStyle() throws {
        var marker = MapMarker(places: [GeoPlace(longitude: 0, latitude: -0.25)])
        marker.look = .pin(.text("8"))
        marker.size = 50
        let picture = try map().render([.marker(marker)], camera)
        let blank = try map().render(
            [
                .marker(
                    {
                        var plain = marker; plain.look = .pin(.text(" ")); return plain
                    }())
            ], camera)
        let (x, y) = (20..<40, 0..<30)
        let count =
            picture.count(unlike: blank.color(30, 12), x: x, y: y)
            - blank.count(unlike: blank.color(30, 12), x: x, y: y)
        #expect(count > 20)
    }

    @Test func additions_areDrawingsInOrder_andTheAttribution() throws {
        let style = try Style.read(Array(text.utf8))
        let additions = MapAppearance.additions([disc, disc], icons: [:], to: style, MapLook(), seenFrom: camera)
        #expect(additions.drawings.count == 2)
        #expect(additions.attributionCorner == .bottomRight)
        var look = MapLook()
        look.attribution = .none
        #expect(MapAppearance.additions([], icons: [:], to: style, look, seenFrom: camera).attributionCorner == nil)
    }
}
