import Glibc

/// How one axis is resampled: which source samples, averaged by how many at first, weigh how much in every result.
///
/// Shrinking by 4 or more averages whole groups first and leaves a factor of 2 to 3 for the Lanczos kernel: beyond that
/// the kernel would read every source sample six times to no visible gain. Weights are integers of 1/16384.
struct ResampleAxis {
    /// The source samples that are read.
    let source: Range<Int>
    /// How many source samples are averaged before the kernel sees them.
    let box: Int
    /// How many groups of `box` the source has; the last may be short.
    let groupCount: Int
    /// Weights per result; a multiple of what the loops want.
    let taps: Int
    /// The first group that weighs in each result. Not decreasing.
    let starts: [Int32]
    /// `taps` per result; their sum is 16384.
    let weights: [Int16]

    var count: Int { starts.count }

    static let unit = 16384
    /// The largest group, so that the sum of its samples (at most 255 × 64 each) fits 32 bits.
    static let boxLimit = 65536.0
    /// Lobes of the kernel on either side.
    static let lobes = 3.0

}

extension ResampleAxis {
    /// Maps `span` (in source samples; a shrinking loader makes it fractional) of an axis with `limit` samples to
    /// `total` results, of which those in `window` are wanted. `mean` tells how many samples of the stored picture were
    /// averaged for each sample here.
    init(span: Range<Double>, limit: Int, total: Int, window: Range<Int>, mean: Int = 1) {
        let length = span.upperBound - span.lowerBound
        let scale = length / Double(max(1, total))
        let box = scale >= 4 ? Int(min(scale / 2, Self.boxLimit)) : 1
        let stretch = max(1, scale / Double(box))
        let reach = Self.lobes * stretch * Double(box)
        let low = span.lowerBound + (Double(window.lowerBound) + 0.5) * scale - reach
        let high = span.lowerBound + (Double(window.upperBound) - 0.5) * scale + reach
        let first = max(0, Int(max(low, span.lowerBound + 1e-6).rounded(.down)))
        let end = max(first + 1, min(limit, Int(min(high, span.upperBound - 1e-6).rounded(.up))))
        let groupCount = (end - first + box - 1) / box

        var kernels: [(start: Int, weights: [Double])] = []
        kernels.reserveCapacity(window.count)
        var widest = 1
        for result in window {
            let position = span.lowerBound + (Double(result) + 0.5) * scale
            let centre = (position - Double(first)) / Double(box)
            var kernel = Self.kernel(centre: centre, stretch: stretch, groupCount: groupCount)
            if mean * box > 1 {
                let share = box > 1 ? 1 : Self.restoredShare
                kernel = Self.sharpened(kernel, mean: mean * box, share: share, groupCount: groupCount)
            }
            widest = max(widest, kernel.weights.count)
            kernels.append(kernel)
        }
        let taps = widest + widest % 2
        var starts: [Int32] = []
        var weights: [Int16] = []
        starts.reserveCapacity(kernels.count)
        weights.reserveCapacity(kernels.count * taps)
        for kernel in kernels {
            // Near the end the window of taps is moved back to stay inside; zeros stand where it has no weight.
            let start = max(0, min(kernel.start, groupCount - taps))
            starts.append(Int32(clamping: start))
            let lead = kernel.start - start
            let exact = Self.integers(kernel.weights)
            for tap in 0..<taps {
                let index = tap - lead
                weights.append(index >= 0 && index < exact.count ? exact[index] : 0)
            }
        }
        self.init(
            source: first..<end, box: box, groupCount: groupCount, taps: taps, starts: starts, weights: weights)
    }

    /// The same with zero weights behind the others, so that every result has a multiple of `count` taps.
    func withTaps(multipleOf count: Int) -> ResampleAxis {
        let wanted = (taps + count - 1) / count * count
        guard wanted != taps else { return self }
        var padded: [Int16] = []
        padded.reserveCapacity(starts.count * wanted)
        for result in starts.indices {
            padded += weights[(result * taps)..<((result + 1) * taps)]
            padded += repeatElement(0, count: wanted - taps)
        }
        return ResampleAxis(
            source: source, box: box, groupCount: groupCount, taps: wanted, starts: starts, weights: padded)
    }

    private static func kernel(centre: Double, stretch: Double, groupCount: Int) -> (start: Int, weights: [Double]) {
        let low = Int((centre - lobes * stretch - 0.5).rounded(.up))
        let high = Int((centre + lobes * stretch - 0.5).rounded(.down))
        let start = max(0, min(low, groupCount - 1))
        let end = max(start, min(high, groupCount - 1))
        var weights = (start...end).map { lanczos((Double($0) + 0.5 - centre) / stretch) }
        let sum = weights.reduce(0, +)
        guard sum > 1e-9 else {
            weights = weights.map { _ in 1 / Double(weights.count) }
            return (start, weights)
        }
        return (start, weights.map { $0 / sum })
    }

    /// How much of what a shrinking decoder takes from fine detail is given back. All of it is nearest to the photograph, but
    /// an encoder at a given quality spends bytes on that detail: AVIF of 50 at 800 pixels 1.2 % more than after libvips' own
    /// resampling, for 0.0009 of SSIM and 0.1 points of SSIMULACRA2. With a quarter bytes and scores are level
    /// (docs/decisions, 0044). What groups of our own take, at 4 and more times, is given back in full.
    private static let restoredShare = 0.25

    /// Makes up, by `share`, for what averaging `mean` samples has taken from fine detail: the mean lets a share of about
    /// 1 − (1 − 1/mean²)(πf)²/6 of a wave through that has f periods per group, and these three weights 1 over that.
    private static func sharpened(
        _ kernel: (start: Int, weights: [Double]), mean: Int, share: Double, groupCount: Int
    ) -> (start: Int, weights: [Double]) {
        let side = share * (1 - 1 / (Double(mean) * Double(mean))) / 24
        let start = max(0, kernel.start - 1)
        let end = min(groupCount, kernel.start + kernel.weights.count + 1)
        var weights = [Double](repeating: 0, count: end - start)
        for (index, weight) in kernel.weights.enumerated() {
            let place = kernel.start + index - start
            // What would reach over the edge stays where the edge is repeated: on its sample.
            weights[place] += weight * (1 + 2 * side)
            weights[max(0, place - 1)] -= weight * side
            weights[min(weights.count - 1, place + 1)] -= weight * side
        }
        return (start, weights)
    }

    private static func lanczos(_ x: Double) -> Double {
        if abs(x) < 1e-9 { return 1 }
        if abs(x) >= lobes { return 0 }
        let angle = Double.pi * x
        return lobes * sin(angle) * sin(angle / lobes) / (angle * angle)
    }

    /// Integers that sum to `unit` exactly, so that an even area keeps its value; the largest takes the rounding.
    static func integers(_ weights: [Double]) -> [Int16] {
        var result = weights.map { Int(($0 * Double(unit)).rounded()) }
        if let largest = result.indices.max(by: { result[$0] < result[$1] }) {
            result[largest] += unit - result.reduce(0, +)
        }
        return result.map { Int16(clamping: $0) }
    }
}
