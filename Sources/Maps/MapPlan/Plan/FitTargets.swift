/// Places that must be visible, on the Mercator plane on which the world is a square of side 1, with their margins.
struct FitTargets {
    /// Room around a place on the image, in CSS pixels.
    struct Margin: Hashable {
        var left = 0.0
        var top = 0.0
        var right = 0.0
        var bottom = 0.0

        static let none = Margin()

        static func all(_ room: Double) -> Margin { Margin(left: room, top: room, right: room, bottom: room) }
    }

    private(set) var places: [Margin: [SIMD2<Double>]] = [:]
    /// The bounding box of all places.
    private(set) var least = SIMD2(Double.infinity, .infinity)
    private(set) var most = SIMD2(-Double.infinity, -.infinity)

    var isEmpty: Bool { places.isEmpty }
    var middle: SIMD2<Double> { (least + most) / 2 }

    mutating func add(_ place: SIMD2<Double>, _ margin: Margin = .none) {
        places[margin, default: []].append(place)
        least = pointwiseMin(least, place)
        most = pointwiseMax(most, place)
    }
}
