import MapStyle
import Testing

@testable import MapRender

/// How much of a view archives have (#15.25).
@Suite(.timeLimit(.minutes(5))) struct MapCoverageTests {
    private func view(
        _ longitude: Double, _ latitude: Double, _ zoom: Double, bearing: Double = 0, width: Double = 512,
        height: Double = 512
    ) -> View {
        var camera = Camera(longitude: longitude, latitude: latitude, zoom: zoom, width: width, height: height)
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
            let whole = try #require(GroundArea(view).onWorld.worldBounds)
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

    /// Bounds are kept in 10⁻⁷ degrees, and a view may end where they do.
    @Test func viewsThatEndWithTheBounds_areFull() {
        let (west, east) = (11.25, 16.875)
        let (south, north) = (40.9798981, 45.0890355)
        let y = (Mercator.y(latitude: south) + Mercator.y(latitude: north)) / 2
        let camera = Camera(
            longitude: (west + east) / 2, latitude: Mercator.latitude(y: y), zoom: 6, width: 512, height: 512)
        #expect(coverage([west, south, east, north], View(camera)) == .full)
        #expect(coverage([west, south, east - 0.01, north], View(camera)) == .partial)
        // Beside it, with a side in common.
        #expect(coverage([east, south, east + 5, north], View(camera)) == .none)
        #expect(coverage([east - 0.01, south, east + 5, north], View(camera)) == .partial)
    }

    /// What lies beyond the end of the world makes the rectangle around a turned view wider than what is seen of the ground.
    @Test func turnedViewsOverTheEndOfTheWorld_countByWhatTheySee() {
        let turned = view(0, 84, 3, bearing: 45, width: 900, height: 100)
        #expect(coverage([-20, -85, 35, 85], turned) == .full)
        #expect(coverage([-20, -85, 30, 85], turned) == .partial)
        #expect(coverage([-31, -85, -18, 85], turned) == .none)
    }

    @Test func boundsOverTheDateLine_areOneArea() {
        let fiji = [176.0, -21, -178, -12]
        for longitude in [177.0, 180, -180, -179, 181, 540] {
            #expect(coverage(fiji, view(longitude, -17, 9)) == .full, "\(longitude)")
            #expect(TileBounds(fiji).contains(latitude: -17, longitude: longitude))
        }
        #expect(coverage(fiji, view(178, -17, 5)) == .partial)
        #expect(coverage(fiji, view(0, -17, 9)) == .none)
        #expect(!TileBounds(fiji).contains(latitude: -17, longitude: 0))
        let columns = (0..<16).filter { TileBounds(fiji).contains(TileCoordinate(z: 4, x: $0, y: 8)) }
        #expect(columns == [0, 15])
    }

    @Test func squaresThatAreTakenAway_areLeftToOthers() throws {
        let view = view(0, 0, 1)
        var split = GroundSplit(TileBounds(nil), TileCover(maxZoom: 14), view)
        split.uncover([])
        #expect(split.coverage == .full && split.uncovered.isEmpty)
        let quarter = WorldBounds(x: 0.25...0.5, y: 0.25...0.5)
        split.uncover([quarter])
        #expect(split.coverage == .partial && split.uncovered == [quarter])
        #expect(split.covered.allSatisfy { $0.common(quarter) == nil })
        split.uncover([WorldBounds(x: 0...1, y: 0...1)])
        #expect(split.coverage == .none && split.covered.isEmpty)
        // Too many parts to be drawn: all is left to others, and some of it was to be had.
        var torn = GroundSplit(TileBounds(nil), TileCover(maxZoom: 14), view)
        torn.uncover(
            (0..<256).filter { ($0 + $0 / 16) % 2 == 0 }.map { index in
                let (x, y) = (0.25 + Double(index % 16) / 32, 0.25 + Double(index / 16) / 32)
                return WorldBounds(x: x...x + 1.0 / 32, y: y...y + 1.0 / 32)
            })
        #expect(torn.coverage == .partial && torn.covered.isEmpty && torn.uncovered.count == 1)
        // What goes on from row to row is one part.
        let square = WorldBounds(x: 0...4, y: 0...4)
        let holes = [WorldBounds(x: 1...2, y: 1...2), WorldBounds(x: 1...2, y: 2...3), WorldBounds(x: 3...4, y: 1...3)]
        #expect(
            square.without(holes) == [
                WorldBounds(x: 0...4, y: 0...1), WorldBounds(x: 0...1, y: 1...3), WorldBounds(x: 2...3, y: 1...3),
                WorldBounds(x: 0...4, y: 3...4),
            ])
        // What is not in the picture takes nothing from it.
        var other = GroundSplit(TileBounds(nil), TileCover(maxZoom: 14), view)
        other.uncover([WorldBounds(x: 0.875...1, y: 0.25...0.5)])
        #expect(other.coverage == .full && other.uncovered.isEmpty)
    }
}
