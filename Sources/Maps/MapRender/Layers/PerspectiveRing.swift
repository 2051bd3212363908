/// A ring in space on its way to the canvas, cut at the near plane and far outside, where display lists end.
struct PerspectiveRing {
    private static let guardBand = 16.0

    private let width, height, near: Double
    private var places: [SIMD3<Double>] = []
    private var spare: [SIMD3<Double>] = []
    private var reachesOut = false

    /// `near`: the least distance from the eye, in CSS pixels.
    init(_ projection: TileProjection, near: Double) {
        width = projection.halfWidth * 2
        height = projection.halfHeight * 2
        self.near = near
    }

    /// A vertex from `TileProjection.homogeneous`.
    mutating func add(_ place: SIMD3<Double>) {
        places.append(place)
        let x = place.x - width / 2 * place.z
        let y = place.y - height / 2 * place.z
        let reach = Self.guardBand * place.z
        if !(place.z >= near && abs(x) <= reach * width && abs(y) <= reach * height) { reachesOut = true }
    }

    /// Returns the ring, moved by `translation`, and begins another. Clockwise rings, y down, have positive areas.
    mutating func finish(translation: ScreenPoint = .zero) -> (ring: [ScreenPoint], area: Double) {
        defer {
            places.removeAll(keepingCapacity: true)
            reachesOut = false
        }
        if reachesOut { cut() }
        let ring = places.map { place in
            ScreenPoint(x: place.x / place.z + translation.x, y: place.y / place.z + translation.y)
        }
        guard var previous = ring.last else { return (ring, 0) }
        var area = 0.0
        for point in ring {
            area += previous.x * point.y - point.x * previous.y
            previous = point
        }
        return (ring, area / 2)
    }

    private mutating func cut() {
        let (near, width, height) = (near, width, height)
        let band = Self.guardBand
        cut { $0.z - near }
        cut { $0.x + (band - 0.5) * width * $0.z }
        cut { (band + 0.5) * width * $0.z - $0.x }
        cut { $0.y + (band - 0.5) * height * $0.z }
        cut { (band + 0.5) * height * $0.z - $0.y }
    }

    /// Keeps depths of 0 and more.
    private mutating func cut(_ depth: (SIMD3<Double>) -> Double) {
        guard var previous = places.last else { return }
        swap(&places, &spare)
        places.removeAll(keepingCapacity: true)
        var previousDepth = depth(previous)
        for place in spare {
            let placeDepth = depth(place)
            if (placeDepth < 0) != (previousDepth < 0) {
                places.append(previous + (place - previous) * (previousDepth / (previousDepth - placeDepth)))
            }
            if placeDepth >= 0 { places.append(place) }
            previous = place
            previousDepth = placeDepth
        }
    }
}

extension View {
    var nearDistance: Double { camera.height / 50 }
}
