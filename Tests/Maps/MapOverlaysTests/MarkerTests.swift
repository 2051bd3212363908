import Bytes
import Colors
import JSON
@testable import MapGrammar
import MapPlan
@testable import MapRender
import MapStyle
import Parameters
import Raster
import Testing

@testable import MapOverlays

/// Markers: where they stand and what they look like.
@Suite(.timeLimit(.minutes(5))) struct MarkerTests {
    private let ground = [255, 255, 255]
    private let spot = GeoPlace(longitude: 11.2558, latitude: 43.7731)

    private func map() throws -> TrialMap { try TrialMap.plain("#ffffff") }

    private func marker(_ change: (inout MapMarker) -> Void = { _ in }) -> MapOverlay {
        var marker = MapMarker(places: [spot])
        marker.color = Color(red: 200, green: 0, blue: 0)
        change(&marker)
        return .marker(marker)
    }

    private func camera(zoom: Double = 15, ratio: Double = 1) -> Camera {
        var camera = Camera(longitude: spot.longitude, latitude: spot.latitude, zoom: zoom, width: 120, height: 120)
        camera.pixelRatio = ratio
        return camera
    }

    /// The reddish pixels of a picture: left, top, right and bottom, right and bottom not included.
    private func bounds(_ picture: TrialPicture) -> [Int] {
        var bounds = [Int.max, Int.max, 0, 0]
        for y in 0..<picture.map.heightPx {
            for x in 0..<picture.map.widthPx {
                let color = picture.color(x, y)
                guard color[0] - color[1] > 60 else { continue }
                bounds = [min(bounds[0], x), min(bounds[1], y), max(bounds[2], x + 1), max(bounds[3], y + 1)]
            }
        }
        return bounds
    }

    /// The place of the spot in device pixels, by the projection of tiles.
    private func expected(_ camera: Camera) -> (x: Double, y: Double) {
        let tile = TileCoordinate(latitude: spot.latitude, longitude: spot.longitude, z: 20)
        let projection = View(camera).projection(of: PlacedTile(id: tile))
        let place = WorldPlace(longitude: spot.longitude, latitude: spot.latitude)
        let side = Double(1 << 20)
        let point = projection.point((place.x * side - Double(tile.x)) * 8192, (place.y * side - Double(tile.y)) * 8192)
        return (point.x, point.y)
    }

    @Test(arguments: [
        (3.0, 1.0, 0.0, 0.0), (15, 1, 0, 0), (15, 2, 30, 0), (22, 3, 200, 0), (24, 1.5, 45, 0), (14, 2, 20, 50),
    ])
    func tipsStandOnTheirPlace(_ zoom: Double, _ ratio: Double, _ bearing: Double, _ pitch: Double) throws {
        for (dx, dy) in [(0.0, 0.0), (0.37, -0.21), (-20.5, 30.25)] {
            var camera = camera(zoom: zoom, ratio: ratio)
            (camera.width, camera.height) = (240, 240)
            let side = View(camera).worldSize
            camera.longitude += dx / side * 360
            camera.latitude += dy / side * 360
            camera.bearing = bearing
            camera.pitch = pitch
            let picture = try map().render([marker { $0.size = 60 }], camera)
            let place = expected(camera)
            let asked = try #require(
                View(camera).point(of: GroundPlace(longitude: spot.longitude, latitude: spot.latitude)))
            #expect(abs(asked.x - place.x) < 0.01 && abs(asked.y - place.y) < 0.01)
            let found = bounds(picture)
            // The sharp end fades out within the last pixels above the tip, never below it.
            #expect(Double(found[3]) <= place.y + 1)
            #expect(Double(found[3]) >= place.y - 3 * ratio)
            let middle = Double(found[0] + found[2]) / 2
            #expect(abs(middle - place.x) <= 1)
            #expect(abs(Double(found[3] - found[1]) - 60 * ratio) <= 3 * ratio)
        }
    }

    @Test(arguments: MapMarker.Anchor.allCases) func anchorsAndOffsetsMoveThem(_ anchor: MapMarker.Anchor) throws {
        let picture = try map().render(
            [
                marker {
                    $0.anchor = anchor
                    $0.offsetX = 5
                    $0.offsetY = -7
                }
            ], camera())
        let found = bounds(picture)
        let x: Int =
            switch anchor {
            case .left, .topLeft, .bottomLeft: found[0]
            case .right, .topRight, .bottomRight: found[2]
            case .center, .top, .bottom: (found[0] + found[2]) / 2
            }
        let y: Int =
            switch anchor {
            case .top, .topLeft, .topRight: found[1]
            case .bottom, .bottomLeft, .bottomRight: found[3]
            case .center, .left, .right: (found[1] + found[3]) / 2
            }
        #expect(abs(x - 65) <= 2)
        #expect(abs(y - 53) <= 3)
    }

    @Test func rotationTurnsThemAboutTheirPlace() throws {
        let picture = try map().render([marker { $0.rotation = 90 }], camera())
        let found = bounds(picture)
        #expect(abs(found[0] - 60) <= 3)
        #expect(abs(found[2] - 96) <= 2)
        #expect(abs((found[1] + found[3]) / 2 - 60) <= 1)
    }

    @Test func pinsHaveDotsTextsAndGlyphs() throws {
        func head(_ content: MapMarker.Content, _ color: Color = Color(red: 200, green: 0, blue: 0)) throws -> [Int] {
            try map().render(
                [
                    marker {
                        $0.look = .pin(content)
                        $0.color = color
                        $0.size = 60
                    }
                ], camera()
            ).color(60, 60 - 40)
        }
        #expect(try head(.dot) == [255, 255, 255])
        // What stands in a light pin is dark.
        #expect(try head(.dot, .white)[0] < 60)
        // A sprite that is not there is a dot.
        #expect(try head(.glyph("museum")) == [255, 255, 255])
        let letter = try map().render(
            [
                marker {
                    $0.look = .pin(.text("1")); $0.size = 60
                }
            ], camera())
        let white = letter.count(unlike: [200, 0, 0], x: 52..<68, y: 12..<28)
        #expect((20...140).contains(white))
        let long = try map().render(
            [
                marker {
                    $0.look = .pin(.text("WWWWWWWWWWW")); $0.size = 60
                }
            ], camera())
        // It does not reach beyond the head.
        #expect(bounds(long)[2] - bounds(long)[0] == bounds(letter)[2] - bounds(letter)[0])
    }

    private func icon(_ width: Int, _ height: Int) throws -> Texture {
        let bytes = [UInt8](repeating: 0, count: width * height * 4).indices.map { UInt8([200, 0, 0, 255][$0 % 4]) }
        return try #require(Texture(widthPx: width, heightPx: height, format: .rgba, texels: SharedBytes(bytes)))
    }

    @Test func iconsHaveTheSizeAskedFor() throws {
        for (width, height) in [(400, 200), (40, 20), (10, 5)] {
            let icons: [ExactText: Texture] = ["a": try icon(width, height)]
            let picture = try map().render(
                [
                    marker {
                        $0.look = .icon(id: "a")
                        $0.anchor = .center
                        $0.size = 40
                    }
                ], camera(), icons: icons)
            let found = bounds(picture)
            #expect(zip(found, [40, 50, 80, 70]).allSatisfy { abs($0 - $1) <= 1 }, "\(found)")
        }
        // One that is not there is a pin on the place.
        let pin = try map().render(
            [
                marker {
                    $0.look = .icon(id: "b"); $0.anchor = .center
                }
            ], camera())
        #expect(abs(bounds(pin)[3] - 60) <= 3)
    }

    @Test func titlesStandBesideThem() throws {
        let right = try map().render([marker { $0.title = "Here" }], camera())
        #expect(right.count(unlike: ground, x: 76..<110, y: 28..<44) > 40)
        #expect(right.count(unlike: ground, x: 10..<44, y: 28..<44) == 0)
        // Where the picture ends, on the other side.
        var camera = camera()
        camera.longitude -= 40 / View(camera).worldSize * 360
        let left = try map().render([marker { $0.title = "Here" }], camera)
        #expect(left.count(unlike: ground, x: 50..<84, y: 28..<44) > 40)
    }

    @Test func namesCanBeStopped() throws {
        // The list of what is to be drawn is made in one thread, which asks for each so many names.
        var marker = MapMarker(places: Array(repeating: spot, count: 320))
        marker.title = "."
        func asks(_ marker: MapMarker) throws -> Int {
            var asked = 0
            let map = try map()
            let style = try MapAppearance.variant(of: map.document, MapLook())
            let additions = MapAppearance.additions(
                [.marker(marker)], icons: [:], to: style, MapLook(), seenFrom: camera())
            _ = try map.engine.render(style, camera(), additions: additions) {
                asked += 1
                return false
            }
            return asked
        }
        var plain = marker
        plain.title = nil
        #expect(try asks(marker) >= asks(plain) + 320 / 64)
    }

    @Test func labelsKeepClearOfTitles() throws {
        let text = """
            {"version": 8, "sources": {"s": {"type": "geojson", "data": {"type": "Point", "coordinates": [0.05, 0]}}},
             "layers": [{"id": "ground", "type": "background", "paint": {"background-color": "#ffffff"}},
              {"id": "names", "type": "symbol", "source": "s",
               "layout": {"text-field": "HHH"}, "paint": {"text-color": "#ff0000"}}]}
            """
        let map = TrialMap(
            engine: MapEngine(resources: TrialMap.Resources()), document: try JSONReader.read(Array(text.utf8)))
        let camera = Camera(longitude: 0, latitude: 0, zoom: 9, width: 200, height: 100)
        var marker = MapMarker(places: [GeoPlace(longitude: 0, latitude: 0)])
        marker.color = .black
        marker.offsetY = 24
        // The name of the place comes to lie where the label is, some 36 pixels to the right.
        #expect(bounds(try map.render([.marker(marker)], camera))[2] > 120)
        marker.title = "Something long"
        #expect(bounds(try map.render([.marker(marker)], camera))[2] == 0)
        // A name that is not set any more, since there are too many, takes no room.
        var many = marker
        many.title = "."
        let corner = GeoPlace(longitude: -0.12, latitude: 0.06)
        for (count, isNamed) in [(DrawnTitle.countLimit - 1, true), (DrawnTitle.countLimit, false)] {
            many.places = Array(repeating: corner, count: count)
            let picture = try map.render([.marker(many), .marker(marker)], camera)
            #expect((bounds(picture)[2] == 0) == isNamed)
            // Letters reach further to the right than the label.
            #expect((picture.count(unlike: ground, x: 160..<200, y: 30..<70) > 20) == isNamed)
        }
    }

    @Test(arguments: [(1.0, 36.0), (2, 40), (2.5, 100)]) func stampedMarkersLookLikeOthers(
        _ ratio: Double, _ size: Double
    ) throws {
        var camera = camera(ratio: ratio)
        camera.longitude += 0.3 / View(camera).worldSize * 360
        let one = marker {
            $0.size = size
            $0.look = .pin(.text("5"))
            $0.color = Color(red: 0, green: 90, blue: 220)
        }
        // All of them on one place: the shadows add up, the pins do not.
        let many = marker {
            $0.size = size
            $0.look = .pin(.text("5"))
            $0.color = Color(red: 0, green: 90, blue: 220)
            $0.places = Array(repeating: spot, count: 60)
        }
        let (a, b) = (try map().render([one], camera), try map().render([many], camera))
        var different = 0
        for y in 0..<a.map.heightPx {
            for x in 0..<a.map.widthPx {
                let (before, after) = (a.color(x, y), b.color(x, y))
                // Within the pin, edges aside.
                if before[2] - before[0] > 190, zip(before, after).contains(where: { abs($0 - $1) > 60 }) {
                    different += 1
                }
            }
        }
        #expect(different <= Int(size * ratio))
        #expect(
            b.count(unlike: ground, x: 0..<b.map.widthPx, y: 0..<b.map.heightPx) > Int(size * size * ratio * ratio / 6))
    }

    @Test func manyMarkersAreAllDrawnInTheirOrder() throws {
        let camera = camera()
        let side = View(camera).worldSize
        var overlays: [MapOverlay] = []
        for index in 0..<100 {
            overlays.append(
                marker {
                    let x = Double(index % 10) * 10 - 45
                    let y = Double(index / 10) * 10 - 45
                    $0.places = [
                        GeoPlace(longitude: spot.longitude + x / side * 360, latitude: spot.latitude - y / side * 260)
                    ]
                    $0.color = index == 99 ? Color(red: 0, green: 0, blue: 250) : $0.color
                })
        }
        let picture = try map().render(overlays, camera)
        #expect(picture.count(unlike: ground, x: 10..<110, y: 10..<100) > 6000)
        // The last lies over all others.
        #expect(picture.color(105, 60 + 45 - 33)[2] > 150)
    }
}
