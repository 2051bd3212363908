import Raster

/// A ring in space on its way to the canvas: cut at the eye's near plane and far outside of the canvas, where division
/// would give places that display lists cannot hold.
struct PerspectiveRing {
    /// Canvases beside the canvas that are kept on each side.
    private static let guardBand = 16.0

    private let width: Double
    private let height: Double
    private let near: Double
    private var places: [SIMD3<Double>] = []
    private var spare: [SIMD3<Double>] = []
    private var reachesOut = false

    /// Rings for the canvas of `projection`; `near` is the least distance from the eye in CSS pixels.
    init(_ projection: TileProjection, near: Double) {
        width = projection.halfWidth * 2
        height = projection.halfHeight * 2
        self.near = near
    }

    /// Adds a vertex as `TileProjection.homogeneous` gives it.
    mutating func add(_ place: SIMD3<Double>) {
        places.append(place)
        let x = place.x - width / 2 * place.z
        let y = place.y - height / 2 * place.z
        let reach = Self.guardBand * place.z
        if !(place.z >= near && abs(x) <= reach * width && abs(y) <= reach * height) { reachesOut = true }
    }

    /// Hands out what is left of the ring on the canvas, moved by `translation`, and begins another one. Its signed area is
    /// positive when it goes clockwise as y points down.
    mutating func finish(translation: ScreenPoint = ScreenPoint(x: 0, y: 0)) -> (ring: [ScreenPoint], area: Double) {
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

    /// Keeps what has a depth of 0 and more.
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
    /// CSS pixels from the eye within which nothing is drawn.
    var nearDistance: Double { camera.height / 50 }
}
