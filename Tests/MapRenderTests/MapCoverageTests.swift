import MapStyle
import Testing

@testable import MapRender

/// How much of a view archives have (#15.25).
@Suite(.timeLimit(.minutes(5))) struct MapCoverageTests {
    private func view(
        _ longitude: Double, _ latitude: Double, _ zoom: Double, bearing: Double = 0, width: Double = 512
    ) -> View {
        var camera = Camera(longitude: longitude, latitude: latitude, zoom: zoom, width: width, height: 512)
        camera.bearing = bearing
        return View(camera)
    }

    private func coverage(
        _ bounds: [Double]?, _ view: View, _ zooms: ClosedRange<Int> = 0...14, isPicture: Bool = false
    ) -> MapCoverage {
        MapCoverage(bounds: bounds, zooms: zooms, isPicture: isPicture, of: view)
    }

    @Test func coverage_isByBoundsAndLevels() {
        let florence = [11.15, 43.72, 11.33, 43.84]
        #expect(coverage(florence, view(11.25, 43.77, 14)) == .full)
        #expect(coverage(florence, view(11.25, 43.77, 22)) == .full)
        #expect(coverage(florence, view(11.25, 43.77, 9)) == .partial)
        #expect(coverage(florence, view(30, 60, 14)) == .none)
        #expect(coverage(nil, view(30, 60, 14)) == .full)
        #expect(coverage(florence, view(11.25, 43.77, 9.9), 10...14) == .none)
        #expect(coverage(florence, view(11.25, 43.77, 9.9), 10...14, isPicture: true) == .partial)
        // Turned, the corners of the picture reach further.
        #expect(coverage([-10, -10, 10, 10], view(0, 0, 5, width: 700)) == .full)
        #expect(coverage([-10, -10, 10, 10], view(0, 0, 5, bearing: 45, width: 900)) == .partial)
    }

    @Test func worldsThatEndAt85Degrees_areWhole() {
        #expect(coverage([-180, -85, 180, 85], view(0, 84, 3)) == .full)
        #expect(coverage([-179.99, -85.0511, 179.99, 85.0511], view(180, 0, 2)) == .full)
        #expect(coverage([-180, -83, 180, 83], view(0, 84, 3)) == .partial)
        #expect(coverage([0, 0, 0, 0], view(0, 0, 3)) == .none)
        #expect(coverage([.nan, 0, 1, 1], view(0, 0, 3)) == .full)
    }

    @Test(arguments: [(11.25, 43.77, 9.0), (179.5, 10, 4), (-179.5, 10, 4), (0, 84, 1), (0, 0, 0)])
    func theParts_areTheWholeAndDoNotOverlap(_ longitude: Double, _ latitude: Double, _ zoom: Double) throws {
        let view = view(longitude, latitude, zoom, bearing: 20, width: 1200)
        for bounds in [[11.15, 43.72, 11.33, 43.84], [170, 0, 180, 20], [-180, 5, -175, 85], [-60, -85, 60, 80]] {
            let split = GroundSplit(TileBounds(bounds), TileCover(maxZoom: 14), view)
            guard split.coverage != .full else { continue }
            let all = try #require(GroundArea(view).bounds)
            let whole = WorldBounds(x: all.x, y: max(0, all.y.lowerBound)...min(1, all.y.upperBound))
            let parts = split.covered + split.uncovered
            func area(_ bounds: WorldBounds) -> Double {
                (bounds.x.upperBound - bounds.x.lowerBound) * (bounds.y.upperBound - bounds.y.lowerBound)
            }
            #expect(abs(parts.map(area).reduce(0, +) - area(whole)) < 1e-9 * area(whole))
            for (index, part) in parts.enumerated() {
                #expect(parts[(index + 1)...].allSatisfy { $0.common(part) == nil })
            }
        }
    }
}
