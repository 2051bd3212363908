@testable import MapRender
import MapStyle
import Testing

@Suite(.timeLimit(.minutes(5))) struct ViewTests {
    @Test func theMiddleOfTheWorldIsTheMiddleOfThePicture() {
        let view = View(Camera(longitude: 0, latitude: 0, zoom: 0, width: 256, height: 128))
        let projection = view.projection(of: PlacedTile(id: TileCoordinate(z: 0, x: 0, y: 0)))
        let middle = projection.point(4096, 4096)
        #expect(abs(middle.x - 128) < 1e-9 && abs(middle.y - 64) < 1e-9)
        let corner = projection.point(0, 0)
        #expect(abs(corner.x + 128) < 1e-9 && abs(corner.y + 192) < 1e-9)
    }

    @Test(arguments: [0.0, 30, 90, 200]) func theAffineMapIsTheMatrixWithoutTilt(_ bearing: Double) {
        var camera = Camera(longitude: 11, latitude: 43, zoom: 3.4, width: 300, height: 200)
        camera.bearing = bearing
        camera.pixelRatio = 2
        let projection = View(camera).projection(of: PlacedTile(id: TileCoordinate(z: 2, x: 2, y: 1), wrap: 0))
        for (x, y) in [(0.0, 0.0), (8192, 100), (4000, 8000)] {
            let flat = projection.point(x, y)
            let general = projection.perspectivePoint(x, y, 0).place
            #expect(abs(flat.x - general.x) < 1e-6 && abs(flat.y - general.y) < 1e-6)
        }
    }

    @Test func theCanvasHasWholePixelsAndShowsAllOfTheView() {
        var camera = Camera(longitude: 0, latitude: 0, zoom: 0, width: 64, height: 64)
        camera.pixelRatio = 1.1
        let view = View(camera)
        #expect(view.pixelRatio == 70.0 / 64)
        let projection = view.projection(of: PlacedTile(id: TileCoordinate(z: 0, x: 0, y: 0)))
        let middle = projection.point(4096, 4096)
        #expect(abs(middle.x - 35) < 1e-9 && abs(middle.y - 35) < 1e-9)
        #expect(abs(projection.point(4096 + 512, 4096).x - 70) < 1e-9)
    }
}
