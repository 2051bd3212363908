import Glibc

/// Distances in metres near one latitude of WGS 84, accurate to some parts in a thousand within some 100 km.
struct Ruler {
    private let metresPerLongitude: Double
    private let metresPerLatitude: Double

    init(latitude: Double) {
        let radius = 6378137.0
        let flattening = 1 / 298.257223563
        let eccentricity = flattening * (2 - flattening)
        let cosine = cos(latitude * .pi / 180)
        let factor = 1 / (1 - eccentricity * (1 - cosine * cosine))
        let perDegree = radius * .pi / 180
        metresPerLongitude = perDegree * factor.squareRoot() * cosine
        metresPerLatitude = perDegree * factor.squareRoot() * factor * (1 - eccentricity)
    }

    func distance(_ one: PlanePoint, _ other: PlanePoint) -> Double {
        hypot(Self.wrapped(one.x - other.x) * metresPerLongitude, (one.y - other.y) * metresPerLatitude)
    }

    /// From a point to the nearest point of a segment.
    func distance(_ point: PlanePoint, _ start: PlanePoint, _ end: PlanePoint) -> Double {
        let dx = Self.wrapped(end.x - start.x) * metresPerLongitude
        let dy = (end.y - start.y) * metresPerLatitude
        var nearest = start
        if dx != 0 || dy != 0 {
            let px = Self.wrapped(point.x - start.x) * metresPerLongitude
            let py = (point.y - start.y) * metresPerLatitude
            let along = (px * dx + py * dy) / (dx * dx + dy * dy)
            if along > 1 {
                nearest = end
            } else if along > 0 {
                nearest.x += dx / metresPerLongitude * along
                nearest.y += dy / metresPerLatitude * along
            }
        }
        return distance(point, nearest)
    }

    /// From one segment to another; 0 where they cross.
    func distance(_ one: Segment, _ other: Segment) -> Double {
        if one.crosses(other) { return 0 }
        return min(
            distance(one.start, other.start, other.end), distance(one.end, other.start, other.end),
            distance(other.start, one.start, one.end), distance(other.end, one.start, one.end))
    }

    /// A lower bound for the distance between points of two rectangles.
    func leastDistance(_ one: Bounds, _ other: Bounds) -> Double {
        var dx = max(0, other.minX - one.maxX, one.minX - other.maxX)
        // Beyond half the world the way around the other side may be shorter.
        if max(one.maxX, other.maxX) - min(one.minX, other.minX) > 180 { dx = 0 }
        let dy = max(0, other.minY - one.maxY, one.minY - other.maxY)
        return hypot(dx * metresPerLongitude, dy * metresPerLatitude)
    }

    private static func wrapped(_ degrees: Double) -> Double {
        (-180...180).contains(degrees) ? degrees : remainder(degrees, 360)
    }
}
