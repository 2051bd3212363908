/// Things that must be seen, on the Mercator plane on which the world is a square of side 1, each with the room that it takes up
/// around its place on the picture.
struct FitTargets {
    /// Room around a point of the picture, in CSS pixels.
    struct Margin: Hashable {
        var left = 0.0
        var top = 0.0
        var right = 0.0
        var bottom = 0.0

        static let none = Margin()

        init(_ room: Double = 0) { (left, top, right, bottom) = (room, room, room, room) }

        init(left: Double, top: Double, right: Double, bottom: Double) {
            (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
        }
    }

    private(set) var places: [Margin: [SIMD2<Double>]] = [:]
    /// The box around all places.
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
