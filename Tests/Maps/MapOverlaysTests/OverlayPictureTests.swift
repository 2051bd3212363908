import Colors
@testable import MapGrammar
import MapPlan
import MapRender
import MapStyle
import Raster
import Testing

@testable import MapOverlays

/// What overlays look like, by a few pixels on a grey ground.
@Suite(.timeLimit(.minutes(5))) struct OverlayPictureTests {
    private let ground = [128, 128, 128]
    private let red = Color(red: 255, green: 0, blue: 0)

    private func camera(_ longitude: Double = 0, _ latitude: Double = 0, zoom: Double = 8) -> Camera {
        Camera(longitude: longitude, latitude: latitude, zoom: zoom, width: 100, height: 100)
    }

    /// A place so many CSS pixels from the middle of a camera's picture.
    private func place(_ x: Double, _ y: Double, _ camera: Camera) -> GeoPlace {
        let side = View(camera).worldSize
        // Around the equator the plane is as good as square.
        return GeoPlace(longitude: camera.longitude + x / side * 360, latitude: camera.latitude - y / side * 360)
    }

    private func stroke(width: Double, cap: MapStroke.Cap = .butt) -> MapStroke {
        var stroke = MapStroke()
        stroke.color = red
        stroke.width = width
        stroke.cap = cap
        return stroke
    }

    private func path(_ points: [(Double, Double)], _ camera: Camera, _ stroke: MapStroke) -> MapPath {
        var path = MapPath(places: points.map { place($0.0, $0.1, camera) })
        path.stroke = stroke
        return path
    }

    @Test func pathsHaveWidthBorderAndOpacity() throws {
        let map = try TrialMap.plain()
        let camera = camera()
        var stroke = stroke(width: 10)
        stroke.borderColor = Color(red: 0, green: 0, blue: 255)
        stroke.borderWidth = 5
        let line = path([(-30, 0), (30, 0)], camera, stroke)
        let picture = try map.render([.path(line)], camera)
        #expect(picture.color(50, 50) == [255, 0, 0])
        #expect(picture.color(50, 43) == [0, 0, 255])
        #expect(picture.color(50, 57) == [0, 0, 255])
        #expect(picture.color(50, 38) == ground)
        #expect(picture.color(15, 50) == ground)
        var faint = line
        faint.stroke.opacity = 0.5
        let half = try map.render([.path(faint)], camera)
        // The border does not shine through the line.
        #expect(zip(half.color(50, 50), [191, 64, 64]).allSatisfy { abs($0 - $1) <= 2 })
        #expect(zip(half.color(50, 43), [64, 64, 191]).allSatisfy { abs($0 - $1) <= 2 })
    }

    @Test func translucentPathsAreNotDarkerWhereTheyCross() throws {
        let camera = camera()
        var stroke = stroke(width: 8)
        stroke.opacity = 0.5
        let line = path([(-30, -30), (30, 30), (30, -30), (-30, 30)], camera, stroke)
        let picture = try TrialMap.plain().render([.path(line)], camera)
        #expect(picture.color(50, 50) == picture.color(70, 70))
        #expect(picture.color(50, 50) != ground)
    }

    @Test(arguments: [MapStroke.Cap.butt, .square, .round]) func dashesAreAsLongAsAskedFor(_ cap: MapStroke.Cap) throws
    {
        let camera = camera()
        var stroke = stroke(width: 4, cap: cap)
        stroke.dashes = [12, 8]
        // The first cap reaches out before the line's start.
        let start = cap == .butt ? -40.0 : -38
        let line = path([(start, 0), (40, 0)], camera, stroke)
        let picture = try TrialMap.plain().render([.path(line)], camera)
        for period in 0..<4 {
            #expect(picture.color(16 + period * 20, 50) == [255, 0, 0])
            #expect(picture.color(26 + period * 20, 50) == ground)
        }
    }

    @Test func polygonsHaveHolesAndStrokes() throws {
        let camera = camera()
        func ring(_ half: Double, isReversed: Bool) -> [GeoPlace] {
            let ring = [(-half, -half), (half, -half), (half, half), (-half, half)].map { place($0.0, $0.1, camera) }
            return isReversed ? ring.reversed() : ring
        }
        for (outer, inner) in [(false, false), (true, false), (true, true), (false, true)] {
            var polygon = MapPolygon(rings: [ring(40, isReversed: outer), ring(20, isReversed: inner)])
            polygon.fill = Color(red: 0, green: 255, blue: 0)
            polygon.stroke = stroke(width: 4)
            let picture = try TrialMap.plain().render([.polygon(polygon)], camera)
            #expect(picture.color(50, 50) == ground)
            #expect(picture.color(50, 20) == [0, 255, 0])
            #expect(picture.color(50, 10) == [255, 0, 0])
            #expect(picture.color(30, 50) == [255, 0, 0])
            #expect(picture.color(4, 50) == ground)
        }
    }

    @Test func circlesInPixelsAreRoundAtEveryRatio() throws {
        for ratio in [1.0, 3] {
            var camera = camera(11, 60)
            camera.pixelRatio = ratio
            var circle = MapCircle(center: GeoPlace(longitude: 11, latitude: 60), radius: .pixels(30))
            circle.fill = Color(red: 0, green: 255, blue: 0)
            circle.stroke = nil
            let picture = try TrialMap.plain().render([.circle(circle)], camera)
            func pixel(_ x: Double, _ y: Double) -> [Int] { picture.color(Int(x * ratio), Int(y * ratio)) }
            #expect(pixel(50, 50) == [0, 255, 0])
            for (x, y) in [(21.5, 50.0), (78, 50), (50, 21.5), (50, 78), (70, 70)] {
                #expect(pixel(x, y) == [0, 255, 0])
            }
            for (x, y) in [(18.5, 50.0), (81, 50), (50, 18.5), (50, 81), (73, 73)] { #expect(pixel(x, y) == ground) }
        }
    }

    @Test(arguments: [0.0, 60, -75]) func circlesInMetresAreTrueOnTheGround(_ latitude: Double) throws {
        let camera = camera(11, latitude)
        // A pixel at this level in metres, at the latitude.
        let metres = 2 * Double.pi * Sphere.radius / View(camera).worldSize * cosine(latitude)
        var circle = MapCircle(center: GeoPlace(longitude: 11, latitude: latitude), radius: .metres(30 * metres))
        circle.fill = Color(red: 0, green: 255, blue: 0)
        circle.stroke = nil
        let picture = try TrialMap.plain().render([.circle(circle)], camera)
        for (x, y) in [(22, 50), (77, 50), (50, 22), (50, 77)] { #expect(picture.color(x, y) == [0, 255, 0]) }
        for (x, y) in [(18, 50), (81, 50), (50, 18), (50, 81)] { #expect(picture.color(x, y) == ground) }
    }

    private func cosine(_ degrees: Double) -> Double { Sphere.vector(GeoPlace(longitude: 0, latitude: degrees)).x }

    @Test func circlesAroundAPoleCoverTheEdgeOfTheWorld() throws {
        var circle = MapCircle(center: GeoPlace(longitude: 30, latitude: 85), radius: .metres(2_000_000))
        circle.fill = Color(red: 0, green: 255, blue: 0)
        circle.stroke = nil
        let camera = Camera(longitude: 180, latitude: 0, zoom: 0, width: 600, height: 512)
        let picture = try TrialMap.plain().render([.circle(circle)], camera)
        // Row 2 lies at the northern edge; seen are more than one world, without a seam.
        #expect(picture.count(unlike: [0, 255, 0], x: 0..<600, y: 2..<3) == 0)
        #expect(picture.count(unlike: ground, x: 0..<600, y: 300..<301) == 0)
        // Nearly all of the Earth: what is left lies around the opposite place.
        circle.radius = .metres(19_000_000)
        circle.center = GeoPlace(longitude: 0, latitude: 10)
        let most = try TrialMap.plain().render([.circle(circle)], camera)
        #expect(most.color(300, 256) != ground)
        #expect(most.color(300, 270) == ground)
        #expect(most.color(20, 256) == [0, 255, 0])
    }

    @Test func overlaysAreOnEveryWorldThatShows() throws {
        let camera = Camera(longitude: 0, latitude: 0, zoom: -1, width: 768, height: 100)
        let circle = MapOverlay.circle(MapCircle(center: GeoPlace(longitude: 180, latitude: 0), radius: .pixels(6)))
        let line = path([(100, 20), (130, 20)], camera, stroke(width: 6))
        let picture = try TrialMap.plain().render([circle, .path(line)], camera)
        for x in [0, 256, 512] {
            #expect(picture.color(x + (x == 0 ? 1 : 0), 50) != ground)
            #expect(picture.color(x + 235, 70) == [255, 0, 0])
        }
        // The line goes on over the antimeridian.
        #expect(picture.color(512, 70) == [255, 0, 0])
    }

    @Test func overlaysAreOnEveryWorldOfAWideMap() throws {
        let camera = Camera(longitude: 20, latitude: 0, zoom: -1, width: 4096, height: 32)
        let circle = MapOverlay.circle(MapCircle(center: GeoPlace(longitude: 20, latitude: 0), radius: .pixels(6)))
        let picture = try TrialMap.plain().render([circle], camera)
        for x in stride(from: 2048 % 256, to: 4096, by: 256) { #expect(picture.color(x, 16) != ground, "\(x)") }
    }

    @Test func geodesicsFollowTheGlobeOverTheAntimeridian() throws {
        var line = MapPath(places: [GeoPlace(longitude: 140, latitude: 36), GeoPlace(longitude: -122, latitude: 37)])
        line.stroke = stroke(width: 6)
        line.isGeodesic = true
        let camera = Camera(longitude: -171, latitude: 40, zoom: 0, width: 300, height: 200)
        let view = View(camera)
        let picture = try TrialMap.plain().render([.path(line)], camera)
        // The middle of the way lies about 48 degrees north.
        let top = WorldPlace(longitude: -171, latitude: 48)
        let middle = WorldPlace(longitude: -171, latitude: 40)
        let y = 100 + Int((top.y - middle.y) * view.worldSize)
        #expect(picture.color(150, y) == [255, 0, 0])
        #expect(picture.color(150, 110) == ground)
        // At the closest level it is where it should be too: halves of an arc meet in its middle.
        let arc = SphereArc(from: line.places[0], to: line.places[1])
        let half = Sphere.place(arc.vector(0.5), near: -171)
        let near = Camera(longitude: half.longitude, latitude: half.latitude, zoom: 22, width: 40, height: 40)
        #expect(try TrialMap.plain().render([.path(line)], near).color(20, 20) == [255, 0, 0])
    }

    @Test(arguments: [3.0, 12, 22, 24]) func longLinesAreExactAtEveryLevel(_ zoom: Double) throws {
        // A line along the equator from far outside, which passes 5 pixels above the middle.
        let camera = Camera(longitude: 20, latitude: 0, zoom: zoom, width: 100, height: 100)
        let above = place(0, -5, camera).latitude
        var line = MapPath(places: [
            GeoPlace(longitude: -150, latitude: above), GeoPlace(longitude: 150, latitude: above),
        ])
        line.stroke = stroke(width: 4)
        let picture = try TrialMap.plain().render([.path(line)], camera)
        for x in [0, 50, 99] {
            #expect(picture.color(x, 43) == [255, 0, 0])
            #expect(picture.color(x, 46) == [255, 0, 0])
            #expect(picture.color(x, 41) == ground)
            #expect(picture.color(x, 48) == ground)
        }
    }

    @Test func laterOverlaysLieOverEarlierOnes() throws {
        let camera = camera()
        let circles = [Color(red: 255, green: 0, blue: 0), Color(red: 0, green: 0, blue: 255)].map { color in
            var circle = MapCircle(center: place(0, 0, camera), radius: .pixels(20))
            circle.fill = color
            circle.stroke = nil
            return MapOverlay.circle(circle)
        }
        #expect(try TrialMap.plain().render(circles, camera).color(50, 50) == [0, 0, 255])
        #expect(try TrialMap.plain().render(circles.reversed(), camera).color(50, 50) == [255, 0, 0])
    }

    @Test func hostileNumbersDrawSomethingOrNothing() throws {
        let numbers = [0, .nan, .infinity, -.infinity, 1e300, -1e300, 90, -90, 180, 1e-300]
        var overlays: [MapOverlay] = []
        for a in numbers {
            for b in numbers {
                let places = [
                    GeoPlace(longitude: a, latitude: b), GeoPlace(longitude: b, latitude: a),
                    GeoPlace(longitude: 0, latitude: 0),
                ]
                var path = MapPath(places: places)
                path.isGeodesic = a.isFinite
                path.stroke.width = b
                path.stroke.dashes = [a, b]
                path.stroke.opacity = a
                path.fill = red
                var polygon = MapPolygon(rings: [places, places, []])
                polygon.isGeodesic = b.isFinite
                var marker = MapMarker(places: places)
                marker.size = a
                marker.offsetX = b
                marker.rotation = a
                marker.title = "T"
                overlays += [
                    .path(path), .polygon(polygon), .marker(marker),
                    .circle(MapCircle(center: places[0], radius: .metres(a))),
                    .circle(MapCircle(center: places[1], radius: .pixels(b))),
                ]
            }
        }
        overlays += [.path(MapPath(places: [])), .polygon(MapPolygon(rings: [])), .marker(MapMarker(places: []))]
        var camera = camera()
        _ = try TrialMap.plain().render(overlays, camera)
        camera.pitch = 60
        camera.zoom = 1
        #expect(try TrialMap.plain().render(overlays, camera).map.widthPx == 100)
    }
}
