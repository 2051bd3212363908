import Glibc

/// A Gaussian kernel in whole pixels, cut where it falls below a fifth of its height.
struct GaussianKernel {
    /// From the middle outwards; with those beside the middle counted twice they sum to 1.
    let weights: [Double]

    init(sigma: Double) {
        var weights = [1.0]
        var x = 1.0
        while case let weight = exp(-x * x / (2 * sigma * sigma)), weight >= 0.2 {
            weights.append(weight)
            x += 1
        }
        let sum = 2 * weights.reduce(0, +) - 1
        self.weights = weights.map { $0 / sum }
    }

    /// Pixels on either side of the middle: 1.79 sigma.
    var reach: Int { weights.count - 1 }

    /// About 0.69 sigma², depending on where the last whole pixel lies.
    var variance: Double { weights.enumerated().reduce(0) { $0 + 2 * $1.element * Double($1.offset * $1.offset) } }
}

extension ResampleAxis {
    /// Blurs an axis of `count` samples; the last sample is repeated beyond its ends.
    init(blurring count: Int, by kernel: GaussianKernel) {
        let taps = 2 * kernel.reach + 2
        var starts: [Int32] = []
        var weights: [Int16] = []
        starts.reserveCapacity(count)
        weights.reserveCapacity(count * taps)
        for result in 0..<count {
            let start = max(0, min(result - kernel.reach, count - taps))
            var row = [Double](repeating: 0, count: taps)
            for distance in -kernel.reach...kernel.reach {
                row[min(max(0, result + distance), count - 1) - start] += kernel.weights[abs(distance)]
            }
            starts.append(start.cInt)
            weights += Self.integers(row)
        }
        self.init(source: 0..<count, box: 1, groupCount: count, taps: taps, starts: starts, weights: weights)
    }
}
