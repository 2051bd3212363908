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

        func roundedUp(to step: Double) -> Margin {
            func rounded(_ room: Double) -> Double { (room / step).rounded(.up) * step }
            return Margin(left: rounded(left), top: rounded(top), right: rounded(right), bottom: rounded(bottom))
        }
    }

    /// Margins that are fitted as they are. Each has four inequalities, at every step of a fit.
    static let marginLimit = 64
    /// CSS pixels, far more than any margin.
    private static let largestStep = 1_048_576.0

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

    /// Rounds margins up to a grid where there are more than ``marginLimit``. The grid is the finest that leaves no more; one as
    /// coarse as the largest margin leaves at most 16.
    mutating func roundMargins() {
        guard places.count > Self.marginLimit else { return }
        var step = 1.0
        while step < Self.largestStep, Set(places.keys.map { $0.roundedUp(to: step) }).count > Self.marginLimit {
            step *= 2
        }
        var rounded: [Margin: [SIMD2<Double>]] = [:]
        for (margin, held) in places { rounded[margin.roundedUp(to: step), default: []] += held }
        places = rounded
    }
}
