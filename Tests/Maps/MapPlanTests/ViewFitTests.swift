import MapRender
import Parameters
import SeededRandom
import Testing

@testable import MapGrammar
@testable import MapPlan

@Suite(.timeLimit(.minutes(5))) struct ViewFitTests {
    private func camera(_ query: String, defaultZoom: Double = 5) throws -> Camera {
        try Parsing.request(query).camera { _, _ in defaultZoom }
    }

    /// Where a place is in CSS pixels, `turns` worlds away from the nearest copy.
    private func pixel(_ camera: Camera, _ latitude: Double, _ longitude: Double) throws -> SIMD2<Double> {
        let view = View(camera)
        let point = try #require(view.point(of: GroundPlace(longitude: longitude, latitude: latitude)))
        return SIMD2(point.x, point.y) / view.pixelRatio
    }

    @Test func centerAndZoom_areTakenAsTheyAre() throws {
        let camera = try camera("lat=1.1&lon=2.3&zoom=7.25&w=100&h=50&scale=2&bearing=30&pitch=20")
        #expect(camera.zoom == 6.25 && camera.widthPx == 200 && camera.heightPx == 100)
        #expect(camera.longitude == 2.3 && camera.latitude == 1.1 && camera.bearing == 30 && camera.pitch == 20)
        #expect(try self.camera("lat=1&lon=2", defaultZoom: 3).zoom == 2)
        #expect(try self.camera("lat=1&lon=2&glzoom=3").zoom == 3)
        #expect(try self.camera("lat=90&lon=180&zoom=24").zoom == 23)
    }

    @Test func padding_movesThePlaceIntoTheMiddleOfWhatItLeaves() throws {
        for more in ["", "&bearing=70", "&bearing=200&pitch=50", "&pitch=60&scale=1.7"] {
            let camera = try camera("lat=45&lon=7&zoom=9&w=400&h=300&padding=100,20,40,60\(more)")
            let pixel = try pixel(camera, 45, 7)
            #expect(abs(pixel.x - (60 + 380) / 2) < 1 && abs(pixel.y - (100 + 260) / 2) < 1, "\(more) \(pixel)")
        }
    }

    @Test func aBox_fillsAPictureOfItsShape() throws {
        let world = try camera("bbox=-180,-85.0511287798,180,85.0511287798")
        #expect(abs(world.zoom) < 1e-6 && abs(world.latitude) < 1e-6 && abs(world.longitude) < 1e-6)
        let east = try camera("bbox=170,-5,-170,5&w=400&h=400")
        #expect(abs(east.longitude.magnitude - 180) < 1e-6)
        let sides = (try pixel(east, 0, 170).x, try pixel(east, 0, -170).x)
        #expect(abs(sides.0) < 1e-3 && abs(sides.1 - 400) < 1e-3)
    }

    @Test func aBoxOutside_isSeenWhole_andInsideIsAllThatIsSeen() throws {
        var generator = SeededGenerator(state: 11)
        for _ in 0..<400 {
            let (west, south) = (
                Double.random(in: -180...179, using: &generator), Double.random(in: -89...85, using: &generator)
            )
            let width = Double.random(in: 0.001...150, using: &generator)
            let north = min(89.5, south + Double.random(in: 0.001...100, using: &generator))
            let east = west + width > 180 ? west + width - 360 : west + width
            let frame = Frame(&generator)
            let box = "bbox=\(text(west)),\(text(south)),\(text(east)),\(text(north))"
            let camera = try camera("\(box)&\(frame.query)")
            if camera.zoom > -1 + 1e-9 {
                for (latitude, longitude) in [(south, west), (south, east), (north, west), (north, east)] {
                    let pixel = try pixel(camera, max(-85.05, min(85.05, latitude)), longitude)
                    #expect(frame.holds(pixel), "\(box) \(frame.query) \(pixel) \(camera)")
                }
            }
            let inside = try self.camera("\(box)&clip=inside&\(frame.query)")
            guard inside.zoom > -1 + 1e-9, inside.zoom < 23 - 1e-9, south > -85, north < 85 else { continue }
            let view = View(inside)
            for (x, y) in frame.corners {
                let point = ScreenPoint(x: x * view.pixelRatio, y: y * view.pixelRatio)
                let place = try #require(view.place(at: point))
                #expect(place.latitude > south - 1e-4 && place.latitude < north + 1e-4, "\(box) \(frame.query)")
                let offset = (place.longitude - west).truncatingRemainder(dividingBy: 360)
                let eastward = offset < -1e-4 ? offset + 360 : offset
                #expect(eastward < width + 1e-3 || eastward > 360 - 1e-3, "\(box) \(frame.query) \(place)")
            }
        }
    }

    @Test func theClosestView_leavesNoRoomToComeCloser() throws {
        var generator = SeededGenerator(state: 12)
        for _ in 0..<200 {
            let frame = Frame(&generator)
            let latitude = Double.random(in: -60...60, using: &generator)
            let longitude = Double.random(in: -170...170, using: &generator)
            let places = (0..<4).map { _ in
                (
                    latitude + Double.random(in: -3...3, using: &generator),
                    longitude + Double.random(in: -3...3, using: &generator)
                )
            }
            let path = places.map { "\(text($0.0)),\(text($0.1))" }.joined(separator: "|")
            var camera = try camera("fit=overlays&path=weight:0|\(path)&maxzoom=24&\(frame.query)")
            let pixels = try places.map { try pixel(camera, $0.0, $0.1) }
            #expect(pixels.allSatisfy { frame.holds($0) }, "\(path) \(frame.query)")
            // Two of them, or three, lie on sides of the frame, and a closer view loses one.
            let touching = pixels.filter { !frame.holds($0, within: 0.01) }
            #expect(touching.count >= 2, "\(path) \(frame.query) \(pixels)")
            camera.zoom += 0.01
            let closer = try places.map { try pixel(camera, $0.0, $0.1) }
            #expect(closer.contains { !frame.holds($0) })
        }
    }

    @Test func spans_areVisibleAroundTheirCenter() throws {
        var generator = SeededGenerator(state: 13)
        for _ in 0..<300 {
            let frame = Frame(&generator)
            let latitude = Double.random(in: -84...84, using: &generator)
            let longitude = Double.random(in: -180...180, using: &generator)
            let (high, wide) = (
                Double.random(in: 0.0001...40, using: &generator), Double.random(in: 0.0001...100, using: &generator)
            )
            let camera = try camera(
                "lat=\(text(latitude))&lon=\(text(longitude))&span=\(text(high)),\(text(wide))&\(frame.query)")
            guard camera.zoom > -1 + 1e-9 else { continue }
            for (up, right) in [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)] {
                let pixel = try pixel(
                    camera, max(-85.05, min(85.05, latitude + up * high)), longitude + right * wide)
                #expect(frame.holds(pixel), "\(latitude),\(longitude) \(high),\(wide) \(frame.query) \(pixel)")
            }
        }
    }

    @Test func metres_areThoseOfThePicturesSides() throws {
        for bearing in [0, 30, 90] {
            let camera = try camera("lat=60&lon=10&meters=1000&w=400&h=100&bearing=\(bearing)")
            #expect(abs(View(camera).metresPerPixel - 2.5) < 1e-6)
        }
        let tall = try camera("lat=60&lon=10&meters=1000,1000&w=400&h=100")
        #expect(abs(View(tall).metresPerPixel - 10) < 1e-6)
        #expect(try camera("lat=0&lon=0&meters=50000000").zoom >= -1)
    }

    @Test func pins_areWholeOnThePicture() throws {
        let camera = try camera("fit=overlays&padding=0&marker=10,10|10,20&w=300&h=300")
        let (left, right) = (try pixel(camera, 10, 10), try pixel(camera, 10, 20))
        // Half a pin and its shadow at each side.
        #expect(left.x > 13 && left.x < 20 && abs(left.x + right.x - 300) < 1e-3)
        #expect(left.y > 160)
        let circles = try self.camera("fit=overlays&padding=0&circle=weight:0|10,10,50px|10,20,50px&w=300&h=300")
        let centers = (try pixel(circles, 10, 10).x, try pixel(circles, 10, 20).x)
        #expect(abs(centers.0 - 50) < 1e-3 && abs(centers.1 - 250) < 1e-3)
        let path = try self.camera("fit=overlays&padding=0&path=weight:20|border:red,5|10,10|10,20&w=300&h=300")
        #expect(abs(try pixel(path, 10, 10).x - 15) < 1e-3)
    }

    @Test func framedOverlays_keepClearOfTheEdges() throws {
        let query = "fit=overlays&circle=weight:0|10,10,50px|10,20,50px&w=300&h=400"
        #expect(try Parsing.request(query).padding == MapPadding(top: 15, right: 15, bottom: 15, left: 15))
        #expect(abs(try pixel(camera(query), 10, 10).x - 65) < 1e-3)
        #expect(try Parsing.request("\(query)&padding=15").canonical.contains("padding") == false)
        #expect(try Parsing.request("\(query)&padding=0").canonical.contains("padding=0"))
        #expect(try Parsing.request("bbox=1,2,3,4").padding == MapPadding())
    }

    @Test func onePlace_isSeenAtTheClosestLevelAllowed() throws {
        #expect(try camera("fit=overlays&marker=anchor:center|10,20").zoom == 16)
        #expect(try camera("fit=overlays&marker=10,20&maxzoom=3").zoom == 2)
        let camera = try camera("fit=overlays&marker=10,20&pitch=40&padding=10")
        #expect(camera.zoom == 16)
        let pixel = try pixel(camera, 10, 20)
        #expect((20...492).contains(pixel.x) && (40...502).contains(pixel.y))
    }

    @Test func theDateLine_isCrossedTheShorterWay() throws {
        let camera = try camera(
            "fit=overlays&marker=anchor:center|0,170&marker=color:blue|anchor:center|0,-170&w=400&h=200")
        #expect(abs(camera.longitude.magnitude - 180) < 1e-6 && camera.zoom > 3)
        let three = try self.camera("fit=overlays&circle=0,-100,3px|0,179,3px|0,120,3px&w=400&h=200")
        #expect(three.longitude < -150 || three.longitude > 180 - 70)
        let path = try self.camera("fit=overlays&path=0,170|0,-170&w=400&h=200")
        #expect(abs(path.longitude.magnitude - 180) < 1e-6)
        let whole = try self.camera("fit=overlays&padding=0&path=0,-180|0,0|0,180")
        #expect(abs(whole.longitude) < 1e-6 && abs(whole.zoom) < 0.1)
    }

    @Test func circlesAndGreatCircles_areSeenWhole() throws {
        let circle = try camera("fit=overlays&padding=0&circle=weight:0|60,10,500km&w=400&h=400")
        let north = GeoPlace(longitude: 10, latitude: 60 + 500_000 / Sphere.radius * 180 / .pi)
        #expect(abs(try pixel(circle, north.latitude, north.longitude).y) < 1)
        let line = try camera("fit=overlays&path=weight:0|geodesic:1|50,-80|50,80&w=400&h=400")
        // The way from Canada to Siberia leads past the pole.
        let middle = GreatCircle.line(through: [
            GeoPlace(longitude: -80, latitude: 50), GeoPlace(longitude: 80, latitude: 50),
        ])
        let top = try #require(middle.map(\.latitude).max())
        let pixel = try pixel(line, min(85, top), 0)
        #expect(top > 80 && pixel.y > -0.01)
    }

    @Test func thePoles_keepTheCameraOnTheWorld() throws {
        for query in [
            "bbox=-10,80,10,90&padding=0,0,400,0", "bbox=-10,-90,10,-80&padding=400,0,0,0&pitch=60",
            "lat=90&lon=0&zoom=5&padding=0,0,400,0", "lat=90&lon=0&span=5,5&bearing=45&padding=0,0,400,0",
            "lat=-90&lon=0&meters=1000", "fit=overlays&marker=90,0&padding=0,0,400,0",
            "bbox=-180,-90,180,90&w=4096&h=16",
        ] {
            let camera = try camera(query)
            #expect(camera.latitude.magnitude <= Mercator.latitudeLimit + 1e-9, "\(query)")
            #expect((-1...23).contains(camera.zoom), "\(query)")
        }
        let box = try camera("bbox=-10,80,10,90&padding=0,0,400,0")
        let frame = Frame(width: 512, height: 512, padding: (0, 0, 400, 0))
        for longitude in [-10.0, 10] {
            let pixels = (try pixel(box, 80, longitude), try pixel(box, 85.051128, longitude))
            #expect(frame.holds(pixels.0) && frame.holds(pixels.1))
        }
    }

    @Test func whatDoesNotFit_isInTheMiddleAtLevelZero() throws {
        let camera = try camera("bbox=-180,-80,180,80&w=64&h=64&padding=10")
        #expect(camera.zoom == -1 && abs(camera.longitude) < 1e-9 && abs(camera.latitude) < 1e-9)
        let pins = try self.camera("fit=overlays&marker=size:256|0,0|0,1&w=100&h=100")
        #expect((-1...16).contains(pins.zoom))
    }

    @Test func thousandsOfKindsOfPins_areFittedInReasonableWork() throws {
        var generator = SeededGenerator(state: 14)
        let query = (0..<240).map { index in
            "marker=size:\(4 + index)|\(text(Double.random(in: -60...60, using: &generator))),\(text(Double.random(in: -60...60, using: &generator)))"
        }.joined(separator: "&")
        let camera = try camera("fit=overlays&\(query)&pitch=30")
        #expect(camera.zoom > -1)
    }

    /// Each side had 32 pieces, however many there were.
    @Test func greatCirclesInAFit_haveAsManyPlacesAsDrawn() throws {
        func count(_ placeCount: Int) -> Int {
            var path = MapPath(
                places: (0..<placeCount).map { GeoPlace(longitude: Double($0 % 2 * 150), latitude: 10) })
            path.isGeodesic = true
            return OverlayExtents.targets([.path(path)]).places.values.reduce(0) { $0 + $1.count }
        }
        #expect(count(20_000) <= OverlayLimits.placeLimit + OverlayLimits.arcVertexLimit)
        #expect(count(20_000) > 20_000)
        // As fine as ever where there are few.
        for few in [2, 1000, 6000] { #expect(count(few) == 1 + (few - 1) * 32) }
    }

    @Test func manyMargins_areRoundedUpTogether() throws {
        var generator = SeededGenerator(state: 15)
        let limit = FitTargets.marginLimit
        var targets = FitTargets()
        var margins: [SIMD2<Double>: FitTargets.Margin] = [:]
        for index in 0..<2000 {
            func room() -> Double { Double.random(in: 0...1000, using: &generator) }
            let place = SIMD2(Double(index) / 2000, 0.5)
            let margin = FitTargets.Margin(left: room(), top: room(), right: room(), bottom: room())
            margins[place] = margin
            targets.add(place, margin)
            if index == limit - 1 {
                // So many stay as they are.
                var few = targets
                few.roundMargins()
                #expect(few.places == targets.places)
            }
        }
        #expect(targets.places.count == 2000)
        targets.roundMargins()
        #expect(targets.places.count <= limit)
        #expect(targets.places.values.reduce(0) { $0 + $1.count } == 2000)
        for (rounded, places) in targets.places {
            for place in places {
                let margin = try #require(margins[place])
                #expect(
                    rounded.left >= margin.left && rounded.top >= margin.top && rounded.right >= margin.right
                        && rounded.bottom >= margin.bottom)
            }
        }
    }

    @Test(arguments: [0, 60]) func thousandsOfMargins_areSeenWhole(_ pitch: Int) throws {
        var generator = SeededGenerator(state: 16)
        var request = try Parsing.request("fit=overlays&padding=0&w=512&h=512&pitch=\(pitch)&path=0,0|1,1")
        var circles: [(place: GeoPlace, radius: Double)] = []
        for index in 0..<2000 {
            let place = GeoPlace(
                longitude: Double.random(in: -40...40, using: &generator),
                latitude: Double.random(in: -40...40, using: &generator))
            circles.append((place, 2 + Double(index) * 0.01))
        }
        request.overlays = circles.map {
            var circle = MapCircle(center: $0.place, radius: .pixels($0.radius))
            circle.stroke = nil
            return .circle(circle)
        }
        #expect(OverlayExtents.targets(request.overlays).places.count <= FitTargets.marginLimit)
        let camera = request.camera { _, _ in 0 }
        #expect(camera.zoom > 0)
        let frame = Frame(width: 512, height: 512, padding: (0, 0, 0, 0))
        for (place, radius) in circles {
            let pixel = try pixel(camera, place.latitude, place.longitude)
            #expect(frame.holds(pixel, within: radius - 0.01), "\(place) \(radius) \(pixel)")
        }
    }

    @Test func fitting_stopsWhenItShould() throws {
        let query = "fit=overlays&marker=1,2&marker=color:red|30,40&pitch=60"
        func polls(_ limit: Int) throws -> Int {
            var count = 0
            _ = try Parsing.request(query).camera(
                defaultZoom: { _, _ in 0 },
                shouldStop: {
                    count += 1
                    return count >= limit
                })
            return count
        }
        let all = try polls(.max)
        #expect(all > 20)
        for limit in [1, 2, 5] { #expect(try polls(limit) <= limit + 8) }
    }
}
