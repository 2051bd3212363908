@testable import MapRender
import MapStyle
import SeededRandom
import Testing

@Suite(.timeLimit(.minutes(5))) struct ViewPlacesTests {
    private static func randomCamera(_ generator: inout SeededGenerator, pitch: ClosedRange<Double> = 0...60) -> Camera
    {
        var camera = Camera(
            longitude: Double.random(in: -200...200, using: &generator),
            latitude: Double.random(in: -85...85, using: &generator),
            zoom: Double.random(in: -1...23, using: &generator),
            width: Double(Int.random(in: 16...1200, using: &generator)),
            height: Double(Int.random(in: 16...1200, using: &generator)))
        camera.bearing = Double.random(in: 0...360, using: &generator)
        camera.pitch = Bool.random(using: &generator) ? 0 : Double.random(in: pitch, using: &generator)
        camera.pixelRatio = [1, 1.5, 2, 3.3].randomElement(using: &generator) ?? 1
        return camera
    }

    @Test func pixels_comeBackFromTheirPlaces() throws {
        var generator = SeededGenerator(state: 1)
        var count = 0
        for _ in 0..<2000 {
            let camera = Self.randomCamera(&generator)
            let view = View(camera)
            let pixel = ScreenPoint(
                x: Double.random(in: 0...Double(camera.widthPx), using: &generator),
                y: Double.random(in: 0...Double(camera.heightPx), using: &generator))
            guard let place = view.place(at: pixel) else { continue }
            #expect((-180...180).contains(place.longitude) && (-90...90).contains(place.latitude))
            let point = try #require(view.point(of: place))
            // A pixel may show another copy of the world than the nearest one.
            let isNear = (place.longitude - camera.longitude).remainder(dividingBy: 360).magnitude < 179
            guard isNear, View(camera).bounds.west != -180 else { continue }
            count += 1
            #expect(abs(point.x - pixel.x) < 1e-4 && abs(point.y - pixel.y) < 1e-4, "\(camera)")
        }
        #expect(count > 1000)
    }

    @Test func points_agreeWithTheProjectionOfTiles() throws {
        var generator = SeededGenerator(state: 2)
        for _ in 0..<1000 {
            let view = View(Self.randomCamera(&generator))
            let z = Int.random(in: 0...14, using: &generator)
            let place = GroundPlace(
                longitude: view.camera.longitude + Double.random(in: -1...1, using: &generator),
                latitude: max(-85, min(85, view.camera.latitude + Double.random(in: -1...1, using: &generator))))
            let side = Double(1 << z)
            let world = SIMD2(
                (place.longitude + 180) / 360 * side,
                Double(TileCoordinate(latitude: place.latitude, longitude: place.longitude, z: z).y))
            let tile = PlacedTile(
                id: TileCoordinate(
                    z: z, x: ((Int(world.x.rounded(.down)) % (1 << z)) + (1 << z)) % (1 << z), y: Int(world.y)),
                wrap: Int((world.x / side).rounded(.down)))
            // The tile's own corner, by both ways.
            let corner = GroundPlace(
                longitude: (Double(tile.id.x) / side + Double(tile.wrap)) * 360 - 180,
                latitude: mercatorLatitude(Double(tile.id.y) / side))
            guard abs(corner.longitude - view.camera.longitude) < 180 else { continue }
            let projection = view.projection(of: tile)
            var drawn = projection.perspectivePoint(0, 0, 0)
            if view.camera.isFlat { drawn.place = projection.point(0, 0) }
            guard let point = view.point(of: corner) else {
                #expect(drawn.w <= 0)
                continue
            }
            let slack = 1e-5 * max(1, drawn.place.x.magnitude, drawn.place.y.magnitude)
            #expect(abs(point.x - drawn.place.x) < slack && abs(point.y - drawn.place.y) < slack, "\(view.camera)")
        }
    }

    /// The latitude at a share of the world.
    private func mercatorLatitude(_ y: Double) -> Double {
        let flat = View(Camera(longitude: 0, latitude: 0, zoom: 0, width: 512, height: 512))
        return flat.place(at: ScreenPoint(x: 256, y: y * 512))?.latitude ?? 0
    }

    @Test func theMiddle_isTheCamerasPlace() throws {
        var generator = SeededGenerator(state: 3)
        for _ in 0..<500 {
            let camera = Self.randomCamera(&generator)
            let view = View(camera)
            let middle = ScreenPoint(x: Double(camera.widthPx) / 2, y: Double(camera.heightPx) / 2)
            let place = try #require(view.place(at: middle))
            #expect(abs(place.latitude - camera.latitude) < 1e-9)
            #expect((place.longitude - camera.longitude).remainder(dividingBy: 360).magnitude < 1e-9)
        }
    }

    @Test func bounds_holdEveryPixelsPlace() throws {
        var generator = SeededGenerator(state: 4)
        for _ in 0..<1000 {
            let camera = Self.randomCamera(&generator)
            let view = View(camera)
            let bounds = view.bounds
            let pixel = ScreenPoint(
                x: Double.random(in: 0...Double(camera.widthPx), using: &generator),
                y: Double.random(in: 0...Double(camera.heightPx), using: &generator))
            guard let place = view.place(at: pixel) else { continue }
            #expect(place.latitude >= bounds.south - 1e-9 && place.latitude <= bounds.north + 1e-9)
            let isBetween = place.longitude >= bounds.west - 1e-9, isBefore = place.longitude <= bounds.east + 1e-9
            #expect(bounds.west <= bounds.east ? isBetween && isBefore : isBetween || isBefore, "\(bounds) \(place)")
        }
    }

    @Test func bounds_ofKnownViews() {
        let world = View(Camera(longitude: 0, latitude: 0, zoom: 0, width: 600, height: 600)).bounds
        #expect(world.west == -180 && world.east == 180 && abs(world.north - 85.0511287798) < 1e-9)
        let east = View(Camera(longitude: 180, latitude: 0, zoom: 2, width: 512, height: 512)).bounds
        #expect(abs(east.west - 135) < 1e-9 && abs(east.east + 135) < 1e-9)
    }

    @Test func placesBehindTheEye_areNowhere() {
        var camera = Camera(longitude: 0, latitude: 0, zoom: 4, width: 512, height: 512)
        camera.pitch = 60
        let view = View(camera)
        #expect(view.point(of: GroundPlace(longitude: 0, latitude: -60)) == nil)
        #expect(view.point(of: GroundPlace(longitude: 0, latitude: 60)) != nil)
        camera.pitch = 80
        #expect(View(camera).place(at: ScreenPoint(x: 256, y: 0)) == nil)
    }

    @Test func copiesOfTheWorld_areTheNearest() throws {
        let view = View(Camera(longitude: 179, latitude: 0, zoom: 3, width: 512, height: 512))
        let point = try #require(view.point(of: GroundPlace(longitude: -179, latitude: 0)))
        #expect(abs(point.x - (256 + 2.0 / 360 * 4096)) < 1e-6 && abs(point.y - 256) < 1e-6)
    }

    @Test func metresPerPixel_shrinkTowardsThePoles() {
        let equator = View(Camera(longitude: 0, latitude: 0, zoom: 0, width: 10, height: 10)).metresPerPixel
        #expect(abs(equator - 78271.51696) < 1e-4)
        let north = View(Camera(longitude: 0, latitude: 60, zoom: 0, width: 10, height: 10)).metresPerPixel
        #expect(abs(north - equator / 2) < 1e-6)
    }

    @Test func numbersThatAreNone_doNotTrap() {
        let view = View(Camera(longitude: 0, latitude: 0, zoom: 4, width: 512, height: 512))
        _ = view.point(of: GroundPlace(longitude: .infinity, latitude: .nan))
        _ = view.point(of: GroundPlace(longitude: .nan, latitude: -.infinity))
        _ = view.place(at: ScreenPoint(x: .nan, y: .infinity))
        _ = View(Camera(longitude: 0, latitude: 0, zoom: 0, width: 0, height: 0)).bounds
    }
}
