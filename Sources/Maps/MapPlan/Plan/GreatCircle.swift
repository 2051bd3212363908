import MapGrammar

/// Lines and circles on the globe in as many places as a view needs to be fitted to them; drawings are finer where they are seen.
enum GreatCircle {
    /// The most pieces of one side: with these it is nowhere off by more than a thousandth of its length.
    private static let pieceLimit = 32
    /// Radians of a side that count as straight.
    private static let straight = 0.004
    private static let sideCount = 96

    /// The places of a line whose sides follow the shortest way. Longitudes go on over the date line. Of many sides each has
    /// fewer pieces where `count` says how many there may be about in all.
    static func line(through places: [GeoPlace], count: Int = .max) -> [GeoPlace] {
        let pieceLimit = max(4, min(pieceLimit, count / max(1, places.count)))
        guard var last = places.first else { return [] }
        var line = [last]
        for place in places.dropFirst() {
            let arc = SphereArc(from: last, to: place)
            let pieces = max(1, min(pieceLimit, Int((arc.angle / straight).rounded(.up))))
            for piece in 1...pieces {
                last = Sphere.place(arc.vector(Double(piece) / Double(pieces)), near: last.longitude)
                line.append(last)
            }
        }
        return line
    }

    /// The outline of a circle on the ground; where it holds a pole, that belongs to it.
    static func circle(around center: GeoPlace, metres: Double) -> [GeoPlace] {
        let radius = max(0, min(.pi, metres / Sphere.radius))
        let arc = SphereArc(around: center, radius: radius)
        var ring: [GeoPlace] = []
        for side in 0...sideCount {
            let near = ring.last?.longitude ?? center.longitude
            ring.append(Sphere.place(arc.vector(Double(side) / Double(sideCount)), near: near))
        }
        for pole in [-90.0, 90] where abs(pole - center.latitude) * .pi / 180 < radius {
            ring += [-180, 180].map { GeoPlace(longitude: center.longitude + $0, latitude: pole) }
        }
        return ring
    }
}
