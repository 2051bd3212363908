import MapGrammar

/// Lines and circles on the globe, with enough places to fit a view to them; drawings are finer.
enum GreatCircle {
    /// The most pieces of one side; with these the error is under a thousandth of its length.
    private static let pieceLimit = 32
    /// Radians of a side that count as straight.
    private static let straight = 0.004
    private static let sideCount = 96

    /// The most pieces of a side with which all overlays together have no more vertices than drawing makes.
    static func allowance(of overlays: [MapOverlay]) -> Int {
        OverlayLimits.arcVertexLimit / max(1, overlays.reduce(0) { $0 + $1.arcCount })
    }

    /// A line along shortest ways; each side has at most `pieceLimit` pieces. Longitudes go on over the date line.
    static func line(through places: [GeoPlace], pieceLimit: Int = .max) -> [GeoPlace] {
        let pieceLimit = max(1, min(Self.pieceLimit, pieceLimit))
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

    /// The outline of a circle on the ground, and a pole that it contains.
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

extension MapOverlay {
    /// Sides along great circles.
    fileprivate var arcCount: Int {
        switch self {
        case .marker, .circle: 0
        case .path(let path): path.isGeodesic ? path.places.count : 0
        case .polygon(let polygon): polygon.isGeodesic ? polygon.rings.reduce(0) { $0 + $1.count } : 0
        }
    }
}
