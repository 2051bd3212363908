import ImagePlan

extension OutputFormat {
    /// The quality at which photographs of about 400 × 300 pixels score `target` on average.
    func usualQuality(for target: Double) -> Int {
        let curve = Self.curves[self] ?? Self.jpegCurve
        var low = curve[0]
        for high in curve.dropFirst() {
            if target <= high.score || high.quality == curve.last?.quality {
                let share = (target - low.score) / (high.score - low.score)
                let quality = Double(low.quality) + share * Double(high.quality - low.quality)
                return Int(min(max(quality, 5), 100).rounded())
            }
            low = high
        }
        return low.quality
    }

    /// Means of six photographs, by our own encoders and metric.
    private static let curves: [OutputFormat: [(quality: Int, score: Double)]] = [
        .webp: [
            (20, 35.6), (40, 52.3), (60, 63), (70, 67.8), (80, 74.4), (85, 79.9), (90, 84.5), (95, 89.1), (98, 90.6),
        ],
        .avif: [
            (20, 0.3), (30, 24.3), (40, 45.1), (50, 60.4), (60, 72.7), (70, 78.9), (80, 83.4), (90, 91.2), (95, 93.6),
        ],
    ]

    private static let jpegCurve: [(quality: Int, score: Double)] = [
        (20, 32.6), (30, 50.4), (40, 59.9), (50, 65.5), (60, 69.3), (70, 74.1), (80, 79.6), (85, 82.4), (90, 88.2),
        (95, 92),
    ]
}
