import Colors
import MapStyle
import Parameters
import Testing

@testable import MapGrammar
@testable import MapOverlays
@testable import MapRender

/// Scale bars, north arrows and boxes behind names, by pixels on a plain ground.
@Suite(.timeLimit(.minutes(5))) struct CornerTests {
    private let ink = [0x26, 0x28, 0x2d]

    private func camera(_ width: Double, _ height: Double, latitude: Double = 43.77, zoom: Double = 12) -> Camera {
        Camera(longitude: 11.25, latitude: latitude, zoom: zoom, width: width, height: height)
    }

    private func look(_ scaleBar: String? = nil, north: MapLook.Corner? = nil) throws -> MapLook {
        var look = MapLook()
        look.scaleBar = try scaleBar.flatMap { text in try ScaleBar.parse(text) }
        look.north = north
        return look
    }

    /// The longest run of the ink in a row from `rows` down, in device pixels: its row, start and length.
    private func line(_ picture: TrialPicture, _ rows: Range<Int>) -> (y: Int, start: Int, length: Int) {
        var best = (y: 0, start: 0, length: 0)
        for y in rows {
            var start = 0
            for x in 0...picture.map.widthPx {
                let isInk = x < picture.map.widthPx && zip(picture.color(x, y), ink).allSatisfy { abs($0 - $1) < 40 }
                if isInk { continue }
                if x - start > best.length { best = (y, start, x - start) }
                start = x + 1
            }
        }
        return best
    }

    /// The metres between two points of a picture, along the great circle between them.
    private func metres(_ camera: Camera, _ start: ScreenPoint, _ end: ScreenPoint) throws -> Double {
        let view = View(camera)
        let places = try [start, end].map { try #require(view.place(at: $0)) }
        let vectors = places.map { place -> SIMD3<Double> in
            let east = Trigonometry.sineAndCosine(Trigonometry.radians(place.longitude))
            let north = Trigonometry.sineAndCosine(Trigonometry.radians(place.latitude))
            return SIMD3(north.cosine * east.cosine, north.cosine * east.sine, north.sine)
        }
        let chord = vectors[0] - vectors[1]
        return (chord * chord).sum().squareRoot() * Mercator.circumference / (2 * .pi)
    }

    private static let lengths = [1.0, 2, 5].flatMap { digit in
        (0...6).map { digit * [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6][$0] }
    }

    /// On the ground that it covers, each bar has a round number of its units.
    @Test(arguments: [
        ("metric", 1.0, 43.77, 12.0, 0.0, 0.0), ("metric", 2, 0, 15, 0, 0), ("metric", 1, 70, 8, 0, 0),
        ("imperial", 1, 43.77, 13, 0, 0), ("imperial", 2, -60, 15, 0, 0), ("nautical", 1, 55, 9, 0, 0),
        ("metric", 1.5, 64, 10, 70, 0), ("metric,top-right", 2, 64, 11, 0, 0), ("metric", 2, 45, 12, 30, 55),
        ("metric,top-left", 2, 45, 12, 0, 60), ("imperial,bottom-right", 1, 50, 17, 120, 40),
    ])
    func bars_areAsLongAsTheySay(
        _ text: String, _ ratio: Double, _ latitude: Double, _ zoom: Double, _ bearing: Double, _ pitch: Double
    ) throws {
        var camera = camera(480, 360, latitude: latitude, zoom: zoom)
        (camera.pixelRatio, camera.bearing, camera.pitch) = (ratio, bearing, pitch)
        let look = try look(text)
        let picture = try TrialMap.plain("#e8e4da").render([], camera, look)
        let found = line(picture, 0..<picture.map.heightPx)
        #expect(found.length > Int(480 * ratio / 3 * 0.38) && Double(found.length) <= 480 * ratio / 3)
        let y = Double(found.y) + 0.5
        let measured = try metres(
            camera, ScreenPoint(x: Double(found.start), y: y), ScreenPoint(x: Double(found.start + found.length), y: y))
        let units: [Double] =
            switch look.scaleBar?.units {
            case .imperial: [1609.344, 0.3048]
            case .nautical: [1852]
            default: [1]
            }
        let errors = units.flatMap { unit in Self.lengths.map { abs(measured / ($0 * unit) - 1) } }
        // A pixel at each end.
        #expect(try #require(errors.min()) < 2.5 / Double(found.length), "\(measured) m, \(found.length) px")
    }

    @Test func roundLengths_areOneTwoOrFive() {
        for (limit, text) in [
            (0.05, "0.05"), (0.0499, "0.02"), (1, "1"), (1.99, "1"), (2, "2"), (999, "500"), (5e6, "5000000"),
        ] {
            #expect(RoundLength(atMost: limit)?.text == text)
        }
        #expect(RoundLength(atMost: 0) == nil && RoundLength(atMost: .nan) == nil)
        #expect(ScaleLength(.metric, within: 999)?.text == "500 m")
        #expect(ScaleLength(.metric, within: 1000)?.text == "1 km")
        #expect(ScaleLength(.metric, within: 0.7)?.text == "50 cm")
        #expect(ScaleLength(.imperial, within: 1600)?.text == "5000 ft")
        #expect(ScaleLength(.imperial, within: 3300)?.text == "2 mi")
        #expect(ScaleLength(.nautical, within: 400)?.text == "0.2 nmi")
    }

    /// What changes between two pictures: left, top, right and bottom, the last two not included.
    private func changed(_ a: TrialPicture, _ b: TrialPicture) -> [Int]? {
        var bounds: [Int]?
        for y in 0..<a.map.heightPx {
            for x in 0..<a.map.widthPx where a.color(x, y) != b.color(x, y) {
                let old = bounds ?? [x, y, x + 1, y + 1]
                bounds = [min(old[0], x), min(old[1], y), max(old[2], x + 1), max(old[3], y + 1)]
            }
        }
        return bounds
    }

    /// Whatever stands in the same corner is stacked, and nothing covers the attribution.
    @Test(arguments: MapLook.Corner.allCases, [600.0, 240, 120]) func cornersAreShared(
        _ corner: MapLook.Corner, _ side: Double
    ) throws {
        let map = try #require(try TrialMap.builtIn("light"))
        let camera = camera(side, side, zoom: 4)
        var looks = [MapLook()]
        looks[0].hasLabels = false
        looks[0].attribution = try #require(MapLook.Attribution(rawValue: corner.rawValue))
        for step in 1...2 {
            var next = looks[step - 1]
            if step == 1 { next.scaleBar = try ScaleBar.parse("both,\(corner.rawValue)") } else { next.north = corner }
            looks.append(next)
        }
        let bare = try map.render([], camera, looks[0])
        let pictures = try looks.map { try map.render([], camera, $0, attribution: true) }
        let boxes = try zip([bare] + pictures, pictures).map { try #require(changed($0, $1)) }
        for (first, second) in [(0, 1), (0, 2), (1, 2)] {
            let (a, b) = (boxes[first], boxes[second])
            #expect(a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1], "\(a) \(b)")
        }
        for box in boxes { #expect(box[0] > 0 && box[1] > 0 && box[2] < Int(side) && box[3] < Int(side)) }
        #expect(boxes[1][2] - boxes[1][0] <= Int(side / 3) + 1)
    }

    /// What is told of a picture, without drawing it, is where its pixels change.
    @Test(arguments: MapLook.Corner.allCases, [1.0, 2]) func boxesToldAreThoseDrawn(
        _ corner: MapLook.Corner, _ ratio: Double
    ) throws {
        let map = try TrialMap.plain("#e8e4da")
        var camera = camera(300, 200, zoom: 8)
        camera.pixelRatio = ratio
        var marker = MapMarker(places: [GeoPlace(longitude: 11.25, latitude: 43.77)])
        marker.title = "Ponte Vecchio"
        marker.titleLook.plate = TitleLook.Plate(color: Color(red: 0x10, green: 0x30, blue: 0xa0))
        var unnamed = marker
        (unnamed.title, unnamed.titleLook.plate) = (nil, nil)
        let look = try look("both,\(corner.rawValue)", north: corner)
        let additions = MapAppearance.additions(
            [.marker(marker)], icons: [:], to: try MapAppearance.variant(of: map.document, look), look,
            seenFrom: camera)
        let told = try map.engine.boxes(
            of: try MapAppearance.variant(of: map.document, look), camera, additions, attribution: [],
            shouldStop: { false })
        #expect(told.attribution == nil && told.titles.map(\.text) == ["Ponte Vecchio"])
        let bare = try map.render([.marker(unnamed)], camera)
        let pictures = try [
            map.render([.marker(unnamed)], camera, self.look("both,\(corner.rawValue)")),
            map.render([.marker(marker)], camera),
        ]
        let withArrow = try map.render([.marker(unnamed)], camera, look)
        for (box, drawn) in [
            (told.scaleBar, changed(bare, pictures[0])), (told.northArrow, changed(pictures[0], withArrow)),
            (told.titles.first?.box, changed(bare, pictures[1])),
        ] {
            let (box, drawn) = (try #require(box), try #require(drawn))
            let pairs = zip([box.left, box.top, box.right, box.bottom], drawn.map { Double($0) / ratio })
            // Letters end before their line does, halos and edges fade.
            #expect(pairs.allSatisfy { abs($0 - $1) <= 3 }, "\(box) \(drawn)")
        }
    }

    @Test(arguments: [16.0, 30, 63]) func smallPictures_haveNoBar(_ side: Double) throws {
        let map = try TrialMap.plain("#e8e4da")
        let plain = try map.render([], camera(side, side))
        let bars = try map.render([], camera(side, side), look("both", north: .topRight))
        #expect(changed(plain, bars) == nil)
    }

    @Test(arguments: [0.0, 90, 180, 270, 45]) func arrows_pointNorth(_ bearing: Double) throws {
        let map = try TrialMap.plain("#e8e4da")
        var camera = camera(200, 200)
        camera.bearing = bearing
        let picture = try map.render([], camera, look(north: .topLeft))
        // The letter stands before the tip, the hollow half of the arrow behind it: the middle of the ink is behind the middle.
        var (sum, count) = (ScreenPoint.zero, 0.0)
        for y in 4..<40 {
            for x in 4..<40 where zip(picture.color(x, y), ink).allSatisfy({ abs($0 - $1) < 30 }) {
                sum = sum + ScreenPoint(x: Double(x) - 21.5, y: Double(y) - 21.5)
                count += 1
            }
        }
        #expect(count > 40)
        let north = Trigonometry.sineAndCosine(Trigonometry.radians(bearing))
        // North is up and, on a turned map, to the left.
        let along = (-sum.x * north.sine - sum.y * north.cosine) / count
        #expect(along < -0.5, "\(along)")
    }

    @Test(arguments: ["1f6feb", "ffffff", "ffd54f", "808080", "d63e2a", "101010"]) func inkOnBoxes_canBeRead(
        _ text: String
    ) throws {
        let color = try #require(Color(text: text))
        #expect(color.readableInk.contrast(to: color) >= 4.5)
    }

    @Test func boxesLieBehindNames() throws {
        let map = try TrialMap.plain("#808080")
        var marker = MapMarker(places: [GeoPlace(longitude: 11.25, latitude: 43.77)])
        marker.title = "Here"
        let camera = camera(240, 120)
        let plain = try map.render([.marker(marker)], camera)
        marker.titleLook.plate = TitleLook.Plate(color: Color(red: 0x10, green: 0x30, blue: 0xa0))
        let boxed = try map.render([.marker(marker)], camera)
        let box = try #require(changed(plain, boxed))
        #expect(box[0] > 120 && box[2] < 200)
        #expect(boxed.color(box[0] + 4, (box[1] + box[3]) / 2) == [0x10, 0x30, 0xa0])
        // Light letters, by themselves.
        let letters = (box[0]..<box[2]).flatMap { x in (box[1]..<box[3]).map { boxed.color(x, $0) } }
        #expect(letters.contains { $0.allSatisfy { $0 > 180 } })
        // Corners are round, and a large radius makes a pill.
        #expect(boxed.color(box[0], box[1]) == [0x80, 0x80, 0x80])
        marker.titleLook.plate?.radius = 100
        let pill = try map.render([.marker(marker)], camera)
        #expect(pill.color(box[0] + 2, box[1] + 3).allSatisfy { abs($0 - 0x80) < 12 })
        marker.titleLook.plate?.padding = 20
        let wide = try #require(changed(plain, try map.render([.marker(marker)], camera)))
        #expect(wide[2] - wide[0] == box[2] - box[0] + 30)
    }
}
