import MapGrammar
import MapRender

/// The places of overlays on the Mercator plane and their margins on the image, to which a view is fitted.
struct OverlayExtents {
    /// Places that stay together: of one line, area or circle.
    private struct Unit {
        var places: [SIMD2<Double>]
        var margin: FitTargets.Margin
        var west: Double
        var east: Double

        init(_ places: [SIMD2<Double>], _ margin: FitTargets.Margin) {
            self.places = places
            self.margin = margin
            west = places.reduce(.infinity) { min($0, $1.x) }
            east = places.reduce(-.infinity) { max($0, $1.x) }
        }

        mutating func shift(_ worlds: Double) {
            guard worlds != 0 else { return }
            for index in places.indices { places[index].x += worlds }
            west += worlds
            east += worlds
        }
    }

    private var units: [Unit] = []
    private let pieceLimit: Int

    /// The targets for `overlays`, on those copies of the world on which they are closest together: two pins on both
    /// sides of the date line are neighbours. Some are left out once `shouldStop` is true.
    static func targets(_ overlays: [MapOverlay], shouldStop: () -> Bool = { false }) -> FitTargets {
        var extents = OverlayExtents(pieceLimit: GreatCircle.allowance(of: overlays))
        for overlay in overlays {
            if shouldStop() { break }
            extents.add(overlay)
        }
        extents.gather()
        var targets = FitTargets()
        for unit in extents.units { for place in unit.places { targets.add(place, unit.margin) } }
        targets.roundMargins()
        return targets
    }

    private init(pieceLimit: Int) { self.pieceLimit = pieceLimit }

    private mutating func add(_ overlay: MapOverlay) {
        switch overlay {
        case .marker(let marker):
            for place in marker.places { add([place], marker.margin) }
        case .path(let path):
            let line =
                path.isGeodesic ? GreatCircle.line(through: path.places, pieceLimit: pieceLimit) : path.places
            add(line, path.stroke.margin)
        case .polygon(let polygon):
            guard let ring = polygon.rings.first, let first = ring.first else { return }
            let margin = polygon.stroke?.margin ?? .none
            guard polygon.isGeodesic, let last = ring.last else { return add(ring, margin) }
            var line = GreatCircle.line(through: ring + [first.unwrapped(after: last)], pieceLimit: pieceLimit)
            if let start = line.first, let end = line.last, abs(end.longitude - start.longitude) > 180 {
                // It goes around a pole and contains it.
                let pole = line.reduce(0) { $0 + $1.latitude } < 0 ? -90.0 : 90
                line += [start, end].map { GeoPlace(longitude: $0.longitude, latitude: pole) }
            }
            add(line, margin)
        case .circle(let circle):
            let room = circle.stroke?.margin ?? .none
            switch circle.radius {
            case .pixels(let radius): add([circle.center], .all(radius + room.left))
            case .metres(let metres): add(GreatCircle.circle(around: circle.center, metres: metres), room)
            }
        }
    }

    private mutating func add(_ places: [GeoPlace], _ margin: FitTargets.Margin) {
        guard !places.isEmpty else { return }
        units.append(Unit(places.map(\.onPlane), margin))
    }

    /// Moves units by whole worlds so that the widest gap between them is outside.
    private mutating func gather() {
        guard units.allSatisfy({ $0.east - $0.west < 1 }) else { return }
        for index in units.indices { units[index].shift(-units[index].west.rounded(.down)) }
        units.sort { $0.west < $1.west }
        guard let first = units.first else { return }
        var reached = first.east
        var (gap, start) = (0.0, 0)
        for (index, unit) in units.enumerated() {
            if unit.west - reached > gap { (gap, start) = (unit.west - reached, index) }
            reached = max(reached, unit.east)
        }
        // The gap over the date line needs no shift.
        guard gap > first.west + 1 - reached else { return }
        for index in 0..<start { units[index].shift(1) }
    }
}

extension GeoPlace {
    /// On the Mercator plane on which the world is a square of side 1; latitudes are clamped to it.
    var onPlane: SIMD2<Double> {
        let held = max(-Mercator.latitudeLimit, min(Mercator.latitudeLimit, latitude))
        return SIMD2(Mercator.x(longitude: longitude), max(0, min(1, Mercator.y(latitude: held))))
    }
}

extension MapStroke {
    fileprivate var margin: FitTargets.Margin { .all(width / 2 + (borderColor == nil ? 0 : borderWidth)) }
}

extension MapMarker {
    /// The width of a pin and the reach of its shadow, for a height of 1.
    private static let pinWidth = 0.76
    private static let shadow = 0.07

    /// CSS pixels from a place within which it is drawn. An icon, whose shape is not known before it is read, counts as a square.
    var drawnReach: Double {
        let size = max(4, min(256, size))
        guard case .pin = look else { return size * 3 + 4 }
        return size * (1.3 + abs(anchor.shares.x - 0.5) * 2 * 0.34 + 1 - anchor.shares.y) + 4
    }

    fileprivate var margin: FitTargets.Margin {
        // Only the longer side of an icon is known before it is read.
        let isPin = if case .pin = look { true } else { false }
        let (width, height) = isPin ? (size * Self.pinWidth, size) : (size, size)
        let shadow = isPin ? size * Self.shadow : 0
        let x = anchor.shares.x * width
        let y = anchor.shares.y * height
        let angle = Trigonometry.sineAndCosine(Trigonometry.radians(rotation))
        var margin = FitTargets.Margin()
        for corner in [(-x, -y), (width - x, -y), (width - x, height - y), (-x, height - y)] {
            let turned = (
                corner.0 * angle.cosine - corner.1 * angle.sine + offsetX,
                corner.0 * angle.sine + corner.1 * angle.cosine + offsetY
            )
            margin.left = max(margin.left, shadow - turned.0)
            margin.right = max(margin.right, turned.0 + shadow)
            margin.top = max(margin.top, shadow - turned.1)
            margin.bottom = max(margin.bottom, turned.1 + shadow)
        }
        return margin
    }
}

extension MapMarker.Anchor {
    /// The point in the box, as shares of its width and height.
    fileprivate var shares: (x: Double, y: Double) {
        switch self {
        case .topLeft: (0, 0)
        case .top: (0.5, 0)
        case .topRight: (1, 0)
        case .left: (0, 0.5)
        case .center: (0.5, 0.5)
        case .right: (1, 0.5)
        case .bottomLeft: (0, 1)
        case .bottom: (0.5, 1)
        case .bottomRight: (1, 1)
        }
    }
}
