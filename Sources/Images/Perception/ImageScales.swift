import CPerception

/// A picture as SSIMULACRA2 sees it: those planes of XYB at 1:1 to 1:32 that weigh anything.
///
/// Seven bytes per pixel (28 MB at 4 megapixels). Made by a `ScalesBuilder`, compared with others of the same size as often
/// as there are encodings to score.
package struct ImageScales: Sendable {
    /// Columns of the picture before any reduction.
    package let widthPx: Int
    /// Rows of the picture before any reduction.
    package let heightPx: Int
    /// By scale; the channels are those that weigh anything there.
    let scales: [Planes]

    /// The SSIMULACRA2 score of `distorted` against this picture: at most 100. nil where the sizes differ or a side is
    /// shorter than `Perception.leastSidePx`.
    package func score(of distorted: ImageScales) -> Double? {
        guard widthPx == distorted.widthPx, heightPx == distorted.heightPx, !scales.isEmpty else { return nil }
        var work = [Float](repeating: 0, count: cperception_work_count(scales[0].width))
        var error = 0.0
        for (scale, (planes, others)) in zip(scales, distorted.scales).enumerated() {
            for (place, channel) in planes.channels.enumerated() {
                guard let weights = Weights.of(channel: channel, scale: scale) else { continue }
                let sums = planes.sums(others, place: place, work: &work)
                let norms = Self.norms(sums, count: Double(planes.planeCount))
                error += zip(weights, norms).reduce(0) { $0 + $1.0 * $1.1 }
            }
        }
        return Perception.score(error: error)
    }

    /// In the order of the weights.
    private static func norms(_ sums: cperception_sums, count: Double) -> [Double] {
        func root(_ sum: Double) -> Double { (sum / count).squareRoot().squareRoot() }
        return [
            sums.unlike / count, sums.artifact / count, sums.lost / count, root(sums.unlike4), root(sums.artifact4),
            root(sums.lost4),
        ]
    }
}
