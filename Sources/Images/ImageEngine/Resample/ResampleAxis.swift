import Glibc

/// How one axis is resampled. Shrinking by 4 or more averages groups first and leaves a factor of 2 to 3 for the
/// Lanczos kernel, which would otherwise read every sample six times without visible gain.
struct ResampleAxis {
    let source: Range<Int>
    /// Source samples averaged per group.
    let box: Int
    /// Groups of `box` samples; the last may be short.
    let groupCount: Int
    let taps: Int
    /// The first group of each result; not decreasing.
    let starts: [Int32]
    /// `taps` per result, which sum to 16384.
    let weights: [Int16]

    var count: Int { starts.count }

    static let unit = 16384
    /// Keeps the sum of a group's samples (at most 255 × 64 each) within 32 bits.
    static let boxLimit = 65536.0
    static let lobes = 3.0
}

extension ResampleAxis {
    /// Maps `span` of an axis with `limit` samples to `total` results and keeps those in `window`. A loader that
    /// averaged `mean` samples for each sample here makes `span` fractional.
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

        var kernels = KernelTable(stretch: stretch, groupCount: groupCount, mean: mean * box, isBoxed: box > 1)
        let placed = window.map { result in
            let position = span.lowerBound + (Double(result) + 0.5) * scale
            return kernels.kernel(centre: (position - Double(first)) / Double(box))
        }
        let widest = placed.reduce(1) { max($0, $1.weights.count) }
        let taps = widest + widest % 2
        var starts: [Int32] = []
        var weights: [Int16] = []
        starts.reserveCapacity(placed.count)
        weights.reserveCapacity(placed.count * taps)
        for kernel in placed {
            // Near the end the taps move back to stay inside; zeros fill the gap.
            let start = max(0, min(kernel.start, groupCount - taps))
            starts.append(start.cInt)
            let lead = kernel.start - start
            weights += repeatElement(0, count: lead)
            weights += kernel.weights
            weights += repeatElement(0, count: taps - lead - kernel.weights.count)
        }
        self.init(source: first..<end, box: box, groupCount: groupCount, taps: taps, starts: starts, weights: weights)
    }

    /// Pads every result with zero weights to a multiple of `count` taps.
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

    /// The first long run of results with the same weights, each of which begins two samples after the one before: nearly all
    /// of those of a half. Empty where there is none.
    var pairedResults: Range<Int> {
        var first = 0
        for result in starts.indices.dropFirst() {
            let place = result * taps
            let goesOn =
                starts[result] - starts[result - 1] == 2
                && (place..<(place + taps)).allSatisfy { weights[$0] == weights[$0 - taps] }
            if goesOn { continue }
            if result - first >= Self.leastRun { return first..<result }
            first = result
        }
        return starts.count - first >= Self.leastRun ? first..<starts.count : 0..<0
    }

    /// Shorter ones are not worth a loop of their own.
    private static let leastRun = 16

    /// Integers that sum to `unit` exactly, so that even areas keep their value; the largest takes the rounding.
    static func integers(_ weights: [Double]) -> [Int16] {
        var result = weights.map { Int(($0 * Double(unit)).rounded()) }
        if let largest = result.indices.max(by: { result[$0] < result[$1] }) {
            result[largest] += unit - result.reduce(0, +)
        }
        return result.map { Int16(clamping: $0) }
    }
}

/// The kernels of an axis, and of each place between two groups the first that met no edge: most factors have few such places.
private struct KernelTable {
    private let stretch: Double
    private let groupCount: Int
    /// Samples of the file that a group stands for.
    private let mean: Int
    private let isBoxed: Bool
    private let isRegular: Bool
    /// By the place between two groups; the start is relative to the first group that the kernel reaches.
    private var known: [Double: (lead: Int, weights: [Int16])] = [:]

    init(stretch: Double, groupCount: Int, mean: Int, isBoxed: Bool) {
        (self.stretch, self.groupCount, self.mean, self.isBoxed) = (stretch, groupCount, mean, isBoxed)
        isRegular = Self.isExact(stretch)
    }

    /// Multiples of this are added and subtracted without rounding, so that the same place has the same weights to the last bit.
    private static let exactParts = 1024.0

    private static func isExact(_ number: Double) -> Bool { (number * exactParts).rounded() == number * exactParts }

    mutating func kernel(centre: Double) -> (start: Int, weights: [Int16]) {
        let low = Int((centre - ResampleAxis.lobes * stretch - 0.5).rounded(.up))
        let high = Int((centre + ResampleAxis.lobes * stretch - 0.5).rounded(.down))
        let place = centre - centre.rounded(.down)
        let mayBeKnown = isRegular && low > 0 && high < groupCount - 1 && Self.isExact(centre)
        if mayBeKnown, let same = known[place] { return (low + same.lead, same.weights) }
        let start = max(0, min(low, groupCount - 1))
        var kernel = (start: start, weights: weights(start...max(start, min(high, groupCount - 1)), centre))
        if mean > 1 { kernel = sharpened(kernel, share: isBoxed ? 1 : Self.restoredShare) }
        let made = (start: kernel.start, weights: ResampleAxis.integers(kernel.weights))
        if mayBeKnown { known[place] = (made.start - low, made.weights) }
        return made
    }

    private func weights(_ groups: ClosedRange<Int>, _ centre: Double) -> [Double] {
        let weights = groups.map { Self.lanczos((Double($0) + 0.5 - centre) / stretch) }
        let sum = weights.reduce(0, +)
        return sum > 1e-9 ? weights.map { $0 / sum } : weights.map { _ in 1 / Double(weights.count) }
    }

    /// The share of detail lost by a shrinking decoder that is restored. All of it costs encoders bytes: AVIF of 50 at
    /// 800 pixels 1.2 % for 0.1 points of SSIMULACRA2 (docs/decisions, 0044). Our own groups are restored in full.
    private static let restoredShare = 0.25

    /// Restores, by `share`, detail lost by averaging `mean` samples: the mean keeps about 1 − (1 − 1/mean²)(πf)²/6 of
    /// a wave of f periods per group, and these three weights invert that.
    private func sharpened(
        _ kernel: (start: Int, weights: [Double]), share: Double
    ) -> (start: Int, weights: [Double]) {
        let side = share * (1 - 1 / (Double(mean) * Double(mean))) / 24
        let start = max(0, kernel.start - 1)
        let end = min(groupCount, kernel.start + kernel.weights.count + 1)
        var weights = [Double](repeating: 0, count: end - start)
        for (index, weight) in kernel.weights.enumerated() {
            let place = kernel.start + index - start
            // Weights past the edge go to the sample that is repeated there.
            weights[place] += weight * (1 + 2 * side)
            weights[max(0, place - 1)] -= weight * side
            weights[min(weights.count - 1, place + 1)] -= weight * side
        }
        return (start, weights)
    }

    private static func lanczos(_ x: Double) -> Double {
        if abs(x) < 1e-9 { return 1 }
        if abs(x) >= ResampleAxis.lobes { return 0 }
        let angle = Double.pi * x
        return ResampleAxis.lobes * sin(angle) * sin(angle / ResampleAxis.lobes) / (angle * angle)
    }
}
