import Bytes
import MapStyle
import Raster
import Testing

@testable import MapRender

/// #15.28: pictures between corners that lie far out, behind the eye, or on another copy of the world.
@Suite(.timeLimit(.minutes(5))) struct ImageSourceTests {
    /// One picture: red on the left, blue on the right.
    private struct Picture: MapResources {
        func bytes(at address: String) throws(ResourceError) -> SharedBytes? { SharedBytes([1]) }
        func picture(_ bytes: SharedBytes) -> Texture? {
            let row: [UInt8] = [255, 0, 0, 255, 0, 0, 255, 255]
            return Texture(widthPx: 2, heightPx: 2, format: .rgba, texels: SharedBytes(row + row))
        }
    }

    private enum Color { case red, blue, none }

    /// The colors at places of a picture of 128 × 128 of an image between `west`, `east` and the latitudes ±`north`.
    private func colors(
        west: Double, east: Double, north: Double = 60, _ camera: Camera, at places: [(x: Int, y: Int)]
    ) throws -> [Color] {
        let style = try Style.read(
            Array(
                """
                {"version": 8, "sources": {"i": {"type": "image", "url": "i.png", "coordinates": [
                  [\(west), \(north)], [\(east), \(north)], [\(east), -\(north), 0], [\(west), -\(north)]]}},
                 "layers": [{"id": "i", "type": "raster", "source": "i", "paint": {"raster-resampling": "nearest"}}]}
                """.utf8))
        let map = try MapEngine(resources: Picture()).render(style, camera)
        #expect(map.faults.isEmpty)
        return map.pixels.withUnsafeBytes { pixels in
            places.map { place in
                let start = (place.y * 128 + place.x) * 4
                return pixels[start + 3] < 128 ? .none : pixels[start] > pixels[start + 2] ? .red : .blue
            }
        }
    }

    private func camera(_ longitude: Double, zoom: Double, pitch: Double = 0, bearing: Double = 0) -> Camera {
        var camera = Camera(longitude: longitude, latitude: 0, zoom: zoom, width: 128, height: 128)
        (camera.pitch, camera.bearing) = (pitch, bearing)
        return camera
    }

    @Test(arguments: [4.0, 8, 12, 16]) func tiltedPictures_keepTheirCornersBehindTheEye(_ zoom: Double) throws {
        for pitch in [30.0, 60] {
            let places = [(x: 32, y: 120), (x: 96, y: 120), (x: 32, y: 80), (x: 96, y: 80)]
            let found = try colors(west: -90, east: 90, camera(0, zoom: zoom, pitch: pitch), at: places)
            #expect(found == [.red, .blue, .red, .blue], "pitch \(pitch)")
        }
    }

    @Test func turnedAndTiltedPictures_areThereToo() throws {
        let found = try colors(
            west: -90, east: 90, camera(0, zoom: 10, pitch: 60, bearing: 90), at: [(64, 124), (64, 40)])
        #expect(found == [.red, .blue])
    }

    @Test(arguments: [10.0, 16, 20]) func picturesMuchLargerThanWhatIsSeen_areDrawn(_ zoom: Double) throws {
        // Corners are held to parts of the picture, as in the reference: 8,192 from side to side.
        let found = try colors(west: -90, east: 90, camera(0, zoom: zoom), at: [(4, 64), (124, 64)])
        #expect(!found.contains(.none))
        let inside = try colors(west: -90, east: 90, camera(40, zoom: zoom), at: [(4, 4), (124, 124)])
        #expect(inside == [.blue, .blue])
    }

    @Test func pictures_areOnEveryCopyOfTheWorld() throws {
        // The date line is in the middle: a picture that ends there from the west, and one that begins there.
        #expect(
            try colors(west: 160, east: 180, camera(-180, zoom: 1), at: [(20, 64), (50, 64), (100, 64)])
                == [.red, .blue, .none])
        #expect(
            try colors(west: -180, east: -160, camera(179.9, zoom: 1), at: [(40, 64), (75, 64), (110, 64)])
                == [.none, .red, .blue])
        // One that goes over it, seen from either side.
        for longitude in [179.0, -179, 539] {
            #expect(
                try colors(west: 170, east: 190, camera(longitude, zoom: 4), at: [(40, 64), (88, 64)])
                    == [.red, .blue])
        }
        // Elsewhere there is none.
        #expect(try colors(west: -180, east: -160, camera(0, zoom: 3), at: [(64, 64)]) == [.none])
    }
}
