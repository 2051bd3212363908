import MapGrammar
import MapRender
import SeededRandom
import Testing

@testable import MapOverlays
@testable import MapPlan

/// Arcs are exact where they are seen, and short work elsewhere.
@Suite(.timeLimit(.minutes(5))) struct ArcTracerTests {
    private func view(_ place: GeoPlace, zoom: Double, side: Double = 100) -> View {
        View(Camera(longitude: place.longitude, latitude: place.latitude, zoom: zoom, width: side, height: side))
    }

    /// CSS pixels from a place to a line, on whichever world that is.
    private func distance(_ place: GeoPlace, _ line: [GeoPlace], _ view: View) -> Double {
        let place = WorldPlace(longitude: place.longitude, latitude: place.latitude)
        let worlds = line.map { WorldPlace(longitude: $0.longitude, latitude: $0.latitude) }
        var least = Double.infinity
        for (start, end) in zip(worlds, worlds.dropFirst()) {
            let (dx, dy) = (end.x - start.x, end.y - start.y)
            for turn in -2...2 {
                let (px, py) = (place.x + Double(turn) - start.x, place.y - start.y)
                let share = max(0, min(1, (px * dx + py * dy) / max(1e-300, dx * dx + dy * dy)))
                let (x, y) = (px - share * dx, py - share * dy)
                least = min(least, (x * x + y * y).squareRoot())
            }
        }
        return least * view.worldSize
    }

    private func randomPlace(_ random: inout SeededGenerator) -> GeoPlace {
        GeoPlace(
            longitude: Double.random(in: -180...180, using: &random),
            latitude: Double.random(in: -89...89, using: &random))
    }

    @Test func linesAreExactWhereTheyAreSeen() {
        var random = SeededGenerator(state: 31)
        for _ in 0..<400 {
            let (start, end) = (randomPlace(&random), randomPlace(&random))
            let seen = Sphere.place(
                SphereArc(from: start, to: end).vector(Double.random(in: 0...1, using: &random)), near: start.longitude)
            guard abs(seen.latitude) < 84 else { continue }
            let view = view(seen, zoom: Double.random(in: 0...22, using: &random))
            let line = ArcTracer(view).line([start, end])
            #expect(distance(seen, line, view) < 0.5, "\(start) \(end) \(seen)")
        }
    }

    @Test func circlesAreExactWhereTheyAreSeen() {
        var random = SeededGenerator(state: 32)
        for _ in 0..<400 {
            let center = randomPlace(&random)
            let radius = Double.random(in: -14 ... -0.1, using: &random)
            let arc = SphereArc(around: center, radius: Trigonometry.powerOfTwo(radius))
            let seen = Sphere.place(arc.vector(Double.random(in: 0...1, using: &random)), near: center.longitude)
            guard abs(seen.latitude) < 84 else { continue }
            let view = view(seen, zoom: Double.random(in: 0...20, using: &random))
            let ring = ArcTracer(view).circle(around: center, radius: Trigonometry.powerOfTwo(radius))
            #expect(distance(seen, ring, view) < 0.5, "\(center) \(radius) \(seen)")
            // It closes, or goes around a pole once.
            let turn = abs((ring.last?.longitude ?? 0) - (ring.first?.longitude ?? 0))
            #expect(turn < 1e-6 || abs(turn - 360) < 1e-6)
        }
    }

    @Test(arguments: [0.0, 10, 24]) func arcsOutOfSightHaveFewVertices(_ zoom: Double) {
        let places = [GeoPlace(longitude: 0, latitude: 10), GeoPlace(longitude: 100, latitude: 50)]
        let far = view(GeoPlace(longitude: -120, latitude: -60), zoom: max(4, zoom))
        #expect(ArcTracer(far).line(places).count <= 9)
        // Over a pole there are some more, for only there it shows which way around it goes.
        let over = [GeoPlace(longitude: 0, latitude: 60), GeoPlace(longitude: 179, latitude: 60)]
        #expect(ArcTracer(far).line(over).count < 30)
    }

    @Test(arguments: [0.0, 24]) func picturesHaveOnlySoManyVertices(_ zoom: Double) {
        let middle = GeoPlace(longitude: 10, latitude: 40)
        let view = view(middle, zoom: zoom, side: 4096)
        // All of them through the middle of the picture, or nearly.
        let ends = [GeoPlace(longitude: -70, latitude: 0), GeoPlace(longitude: 90, latitude: 46.7)]
        let places = (0..<20_000).map { ends[$0 % 2] }
        let tracer = ArcTracer(view)
        let limit = OverlayLimits.arcVertexLimit
        #expect(tracer.line(places).count <= limit + places.count + 100)
        // What comes after is coarse.
        if zoom == 0 { #expect(tracer.line(ends).count == 2) }
        #expect(tracer.circle(around: middle, radius: 0.3).count >= 17)
    }

    /// Between opposite meridians the shortest way leads over the pole; it goes east there, once.
    @Test func waysOverAPole_goToOneSide() throws {
        for west in stride(from: -180.0, through: 170, by: 10) {
            for latitude in [60.0, -60] {
                let places = [west, west + 180].map { GeoPlace(longitude: $0, latitude: latitude) }
                let view = view(GeoPlace(longitude: west + 90, latitude: latitude * 1.2), zoom: 1, side: 600)
                let line = ArcTracer(view).line(places)
                let fitted = GreatCircle.line(through: places)
                for longitudes in [line.map(\.longitude), fitted.map(\.longitude)] {
                    let (least, most) = (try #require(longitudes.min()), try #require(longitudes.max()))
                    #expect(abs(least - west) < 1e-6 && abs(most - west - 180) < 1e-6, "\(west) \(least) \(most)")
                    #expect(zip(longitudes, longitudes.dropFirst()).allSatisfy { $1 - $0 > -1e-6 }, "\(west)")
                }
            }
        }
    }

    /// #15.1: nobody waits for arcs of a picture that is no longer wanted.
    @Test func tracingCanBeStopped() {
        let view = view(GeoPlace(longitude: 10, latitude: 40), zoom: 4, side: 4096)
        let places = (0..<4000).map { GeoPlace(longitude: Double($0 % 2 * 60), latitude: 30 + Double($0 % 7)) }
        var asked = 0
        let stopped = ArcTracer(view) {
            asked += 1
            return asked > 3
        }.line(places)
        #expect(asked == 4)
        #expect(ArcTracer(view).line(places).count > 20_000)
        #expect(stopped.count < places.count + 5000)
    }
}
