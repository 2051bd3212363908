import ImagePlan

package struct QualityStart: Equatable, Sendable, Codable {
    var quality: Int
    var pixelCount: Int
}

/// Searches the least quality that reaches a score. Pure: trials depend on the start and on the scores alone. A quality
/// is accepted if it exceeds the target by less than `tolerance`, or if the next lower one is known to miss it.
struct QualitySearch {
    static let tolerance = 1.0
    /// About the points per step of quality.
    static let pointsPerStep = 0.55
    /// Above 95 bytes double with little to see, so those are tried only if no other reaches the target.
    static let allQualities = 5...100

    let target: Double
    let range: ClosedRange<Int>
    /// Three jumps, then bisection. With fewer than `EncodingSearch.trialLimit` a lower quality may reach the target.
    var trialLimit = EncodingSearch.trialLimit

    /// The best quality tried that reaches the target, or the upper end of the range if none does.
    func quality<E: Error>(from start: Int, score: (Int) throws(E) -> Double) throws(E) -> Int {
        var (below, above) = (range.lowerBound - 1, range.upperBound)
        var guess = min(max(start, range.lowerBound), range.upperBound)
        for trial in 1...trialLimit {
            let found = try score(guess)
            if found >= target {
                above = guess
                if found < target + Self.tolerance { return guess }
            } else {
                below = guess
            }
            guard above - below > 1 else { return above }
            let step = ((target + Self.tolerance / 2 - found) / Self.pointsPerStep).rounded()
            let jump = guess + Int(min(max(step, -100), 100))
            guess = trial <= 3 ? min(max(jump, below + 1), above - 1) : (below + above) / 2
        }
        return above
    }
}

/// Searches the highest quality whose bytes stay within a limit. Pure, like `QualitySearch`.
struct SizeSearch {
    static let fillShare = 0.97
    /// About the rise of the logarithm of bytes per step of quality.
    static let growthPerStep = 0.03
    /// Enough even if the limit allows more: above, bytes double with nothing to see.
    static let finestQuality = 95

    let byteLimit: Int
    let range: ClosedRange<Int>
    /// Four jumps, then bisection; the last of few trials is the lowest quality if none before was small enough.
    var trialLimit = EncodingSearch.trialLimit

    /// Nil if not even the lowest quality fits. `exceeding` is the byte count of the quality above the range.
    func quality<E: Error>(exceeding: Int, byteCount: (Int) throws(E) -> Int) throws(E) -> Int? {
        var (fits, exceeds) = (range.lowerBound - 1, range.upperBound + 1)
        var (found, from, trial) = (exceeding, exceeds, 0)
        while exceeds - fits > 1, trial < trialLimit {
            trial += 1
            let growth = 0.985 * Double(byteLimit) / Double(max(1, found))
            let jump = from + Int((Self.logarithm(growth) / Self.growthPerStep).rounded())
            from = trial <= 4 ? min(max(jump, fits + 1), exceeds - 1) : (fits + exceeds) / 2
            if trial == trialLimit, fits < range.lowerBound { from = range.lowerBound }
            found = try byteCount(from)
            if found > byteLimit {
                exceeds = from
            } else {
                fits = from
                if Double(found) >= Self.fillShare * Double(byteLimit) { break }
            }
        }
        return fits >= range.lowerBound ? fits : nil
    }

    /// Approximate, for 2⁻¹⁶ to 2¹⁶.
    private static func logarithm(_ value: Double) -> Double {
        let bounded = min(max(value, 1 / 65536), 65536)
        return (Double(bounded.exponent) + bounded.significand - 1) * 0.6931471805599453
    }
}
