import MapGrammar
import MapRender

/// The rings and edges of areas. On the Mercator plane an area that contains a pole continues to the edge of the world.
struct GroundShape {
    /// Outer rings clockwise as y points down, holes counterclockwise.
    private(set) var rings: [[WorldPlace]] = []
    private(set) var edges: [DrawnLine.Part] = []

    /// With a `tracer`, sides are along great circles.
    init(_ polygon: [[GeoPlace]], tracer: ArcTracer?) {
        for (index, ring) in polygon.enumerated() where ring.count > 1 {
            guard let first = ring.first, let last = ring.last else { continue }
            let mean = ring.reduce(0) { $0 + $1.latitude } / Double(ring.count)
            if let tracer {
                add(tracer.line(ring + [first]), pole: mean < 0 ? -90 : 90, isHole: index > 0)
            } else if abs(abs(last.longitude - first.longitude) - 360) < 1e-6, last.latitude == first.latitude {
                add(ring, pole: mean < 0 ? -90 : 90, isHole: index > 0)
            } else {
                let places = ring.map { WorldPlace($0) }
                add(places, edge: places, isHole: index > 0)
            }
        }
    }

    /// `radius` is in radians.
    init(circleAround center: GeoPlace, radius: Double, tracer: ArcTracer) {
        let ring = tracer.circle(around: center, radius: radius)
        let reach = radius * 180 / .pi
        let latitude = max(-90, min(90, center.latitude))
        if latitude + reach > 90, latitude - reach < -90 {
            // All of the world but a circle around the opposite place.
            let west = center.longitude
            for (start, end) in [(west, west + 180), (west + 180, west + 360)] {
                let half = [(start, 90.0), (end, 90), (end, -90), (start, -90)].map {
                    WorldPlace(longitude: $0.0, latitude: $0.1)
                }
                add(half, edge: [], isHole: false)
            }
            add(ring, pole: 90, isHole: true)
        } else {
            add(ring, pole: latitude < 0 ? -90 : 90, isHole: false)
        }
    }

    /// Adds a ring that returns to its first place, or, around a pole, to its copy a world away.
    private mutating func add(_ ring: [GeoPlace], pole: Double, isHole: Bool) {
        guard let first = ring.first, let last = ring.last else { return }
        let places = ring.map { WorldPlace($0) }
        guard abs(last.longitude - first.longitude) > 180 else {
            let open = Array(places.dropLast())
            return add(open, edge: open, isHole: isHole)
        }
        let corners = [last, first].map { WorldPlace(longitude: $0.longitude, latitude: pole) }
        oriented(places + corners, isHole: isHole)
        edges.append(DrawnLine.Part(places: places))
    }

    private mutating func add(_ ring: [WorldPlace], edge: [WorldPlace], isHole: Bool) {
        oriented(ring, isHole: isHole)
        if edge.count > 1 { edges.append(DrawnLine.Part(places: edge, isClosed: true)) }
    }

    private mutating func oriented(_ ring: [WorldPlace], isHole: Bool) {
        guard var previous = ring.last else { return }
        var area = 0.0
        for place in ring {
            area += previous.x * place.y - place.x * previous.y
            previous = place
        }
        rings.append((area < 0) == isHole ? ring : ring.reversed())
    }
}
