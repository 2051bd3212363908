import ImagePlan

/// Where the search for a target begins, as found on a small copy of the source.
struct QualityStart: Equatable, Sendable {
    /// The quality that reached the target there.
    var quality: Int
    /// Columns × rows of that copy.
    var pixelCount: Int
}

/// The search for the least quality that reaches a score. Pure: what is tried depends on the start and on the scores alone.
///
/// Scores rise with the quality by about half a point a step. A quality is taken when it reaches the target by less than
/// `tolerance`, which saves looking for a file that is hardly smaller, or when the next lower one is known to miss it.
struct QualitySearch {
    /// How far above the target a score may lie and be taken at once.
    static let tolerance = 1.0
    /// Points by which a score rises per step of quality, near enough to jump by.
    static let pointsPerStep = 0.55
    /// The qualities that are tried; those above 95, where bytes double for little that is seen, only where no other
    /// reaches the target.
    static let allQualities = 5...100

    let target: Double
    /// The qualities to choose from.
    let range: ClosedRange<Int>
    /// Encodings that are tried at most: three jumps, then halves of what is left. With all of `EncodingSearch.trialLimit`
    /// no lower quality is known to do than the one that is found; with fewer there may be one.
    var trialLimit = EncodingSearch.trialLimit

    /// The quality to take: the best one tried that reaches the target, or the upper end of the range where none does.
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

/// The search for the highest quality whose bytes stay within a limit. Pure, as `QualitySearch`.
struct SizeSearch {
    /// The share of the limit from which on it counts as used.
    static let fillShare = 0.97
    /// The natural logarithm of the bytes rises by about this per step of quality.
    static let growthPerStep = 0.03
    /// The quality that is enough where the limit allows more: above it bytes double for nothing that is seen.
    static let finestQuality = 95

    let byteLimit: Int
    /// The qualities to choose from.
    let range: ClosedRange<Int>
    /// Encodings that are tried at most: four jumps, then halves of what is left. The last of fewer than
    /// `EncodingSearch.trialLimit` is the lowest quality where none before it was small enough.
    var trialLimit = EncodingSearch.trialLimit

    /// What the search found: nil where not even the lowest quality fits. `exceeding` are the bytes of the quality above the
    /// range, which are too many.
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

    /// Near enough to jump by: of 2⁻¹⁶ to 2¹⁶.
    private static func logarithm(_ value: Double) -> Double {
        let bounded = min(max(value, 1 / 65536), 65536)
        return (Double(bounded.exponent) + bounded.significand - 1) * 0.6931471805599453
    }
}
