import MapGrammar
import MapPlan
import MapRender

/// Turns arcs on the sphere into vertices, dense where they are visible and sparse elsewhere. A tracer is for one
/// image: its arcs share ``OverlayLimits/arcVertexLimit`` inner vertices; further arcs are straight.
final class ArcTracer {
    /// The largest error of a line, in CSS pixels.
    private static let tolerance = 0.15
    /// How often an arc is halved at most, and how often near a pole where it is not visible.
    private static let depthLimit = 20
    private static let hiddenDepth = 6
    private static let vertexLimit = 8192
    /// An arc within this many CSS pixels of the image may be visible: half of the widest line.
    private static let margin = 128.0

    private let bounds: WorldBounds?
    private let worldSize: Double
    private var vertices: [GeoPlace] = []
    /// How many more vertices are allowed.
    private var room = OverlayLimits.arcVertexLimit
    private static let halvingsPerQuestion = 1024
    private var halvings = 0
    private let shouldStop: () -> Bool

    /// Polls `shouldStop` every thousand vertices; once it is true, arcs become straight.
    init(_ view: View, shouldStop: @escaping () -> Bool = { false }) {
        self.shouldStop = shouldStop
        bounds = view.worldBounds
        worldSize = view.worldSize
    }

    /// The line through `places` along great circles; longitudes continue from that of the first place.
    func line(_ places: [GeoPlace]) -> [GeoPlace] {
        guard var last = places.first else { return [] }
        var line = [last]
        for place in places.dropFirst() {
            // The end keeps its exact latitude.
            var arc = trace(SphereArc(from: last, to: place), from: last)
            if let end = arc.popLast() {
                last = GeoPlace(longitude: end.longitude, latitude: place.latitude)
                line += arc + [last]
            }
        }
        return line
    }

    /// The circle of `radius` radians, from its northernmost place back to it.
    func circle(around center: GeoPlace, radius: Double) -> [GeoPlace] {
        let arc = SphereArc(around: center, radius: radius)
        let start = Sphere.place(arc.vector(0), near: center.longitude)
        return [start] + trace(arc, from: start)
    }

    /// The vertices of an arc after `start`.
    private func trace(_ arc: SphereArc, from start: GeoPlace) -> [GeoPlace] {
        // Without room for more vertices, an arc has its ends and a circle a few more.
        let least = arc.angle > .pi * 1.5 ? 16 : 1
        let parts = room > 0 ? max(1, min(16, Int((arc.angle / 0.4).rounded(.up)))) : least
        vertices = []
        defer { room = max(0, room - vertices.count) }
        var previous = start
        for part in 0..<parts {
            let range = Double(part) / Double(parts)...Double(part + 1) / Double(parts)
            let end = Sphere.place(arc.vector(range.upperBound), near: previous.longitude)
            halve(arc, range, from: previous, to: end, depth: 0)
            previous = vertices.last ?? end
        }
        return vertices
    }

    private func halve(
        _ arc: SphereArc, _ range: ClosedRange<Double>, from start: GeoPlace, to end: GeoPlace, depth: Int
    ) {
        halvings += 1
        if room > 0, halvings % Self.halvingsPerQuestion == 0, shouldStop() { room = 0 }
        let share = (range.lowerBound + range.upperBound) / 2
        let middle = Sphere.place(arc.vector(share), near: start.longitude)
        // The end is on the same turn as the middle.
        let turns = Sphere.turns(middle.longitude - end.longitude)
        let end = GeoPlace(longitude: end.longitude + turns * 360, latitude: end.latitude)
        let (a, b, c) = (WorldPlace(start), WorldPlace(middle), WorldPlace(end))
        let (dx, dy) = (b.x - (a.x + c.x) / 2, b.y - (a.y + c.y) / 2)
        let deviation = (dx * dx + dy * dy).squareRoot() * worldSize
        let isFine =
            deviation < Self.tolerance || depth >= Self.depthLimit || vertices.count >= min(Self.vertexLimit, room)
            || !mayBeSeen(around: middle, within: (range.upperBound - range.lowerBound) * arc.length / 2)
            || (depth >= Self.hiddenDepth && !isSeen(a, c, slack: deviation / worldSize * 2))
        if isFine {
            vertices.append(end)
        } else {
            halve(arc, range.lowerBound...share, from: start, to: middle, depth: depth + 1)
            // Close to a pole the first half may have come to its end on another turn.
            halve(arc, share...range.upperBound, from: vertices.last ?? middle, to: end, depth: depth + 1)
        }
    }

    /// Whether anything within `radius` radians of a place may be visible; true if that contains a pole. The rectangle
    /// around it on the plane contains the arc and the chord, so where it is not visible, either will do.
    private func mayBeSeen(around middle: GeoPlace, within radius: Double) -> Bool {
        let reach = radius * 180 / .pi
        let (south, north) = (middle.latitude - reach, middle.latitude + reach)
        guard south > -90, north < 90, reach < 90 else { return true }
        let (sine, cosine) = (
            Trigonometry.sineAndCosine(radius).sine,
            Trigonometry.sineAndCosine(Trigonometry.radians(middle.latitude)).cosine
        )
        // The meridians that touch the circle: sin(longitude) = sin(radius) / cos(latitude).
        let across = (max(0, cosine * cosine - sine * sine)).squareRoot()
        let turn = Trigonometry.angle(x: across, y: sine) * 180 / .pi
        return isSeen(
            WorldPlace(longitude: middle.longitude - turn, latitude: north),
            WorldPlace(longitude: middle.longitude + turn, latitude: south), slack: Self.margin / worldSize)
    }

    /// Whether the rectangle between two places is visible, on any copy of the world.
    private func isSeen(_ a: WorldPlace, _ b: WorldPlace, slack: Double) -> Bool {
        guard let bounds else { return false }
        let (top, bottom) = (min(a.y, b.y) - slack, max(a.y, b.y) + slack)
        guard bottom >= bounds.y.lowerBound, top <= bounds.y.upperBound else { return false }
        let (west, east) = (min(a.x, b.x) - slack, max(a.x, b.x) + slack)
        // The first copy that does not end west of the view.
        let copy = (bounds.x.lowerBound - east).rounded(.up)
        return west + copy <= bounds.x.upperBound
    }
}

extension WorldPlace {
    init(_ place: GeoPlace) { self.init(longitude: place.longitude, latitude: place.latitude) }
}
