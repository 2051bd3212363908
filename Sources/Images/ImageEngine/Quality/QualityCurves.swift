import ImagePlan

// The start of a search for a score, and the comparison of formats on a sample: measured means over photographs.
// Measure again (`scripts/bench quality`) when an encoder, its settings or its tables change.

extension OutputFormat {
    /// The quality at which photographs of about 400 × 300 pixels score `target` on average: 5 to 100.
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

    /// Means of five photographs at 300 × 300 and 800 pixels with our own metric. JPEG XL is libjxl 0.7.
    private static let curves: [OutputFormat: [(quality: Int, score: Double)]] = [
        .webp: [
            (10, 23.3), (20, 36.4), (30, 46.4), (40, 53.6), (50, 59.1), (60, 63.8), (65, 65.9), (70, 67.8), (75, 69.6),
            (80, 74.6), (85, 79.1), (90, 83.8), (95, 88.2),
        ],
        .avif: [
            (20, 2.5), (30, 25.4), (40, 45), (50, 60.2), (60, 72.4), (65, 75.5), (70, 78), (75, 80.5), (80, 82.8),
            (85, 85.8), (90, 88), (95, 92.2),
        ],
        .jxl: [
            (10, 20), (20, 41.7), (30, 45.8), (40, 50.2), (50, 55.9), (60, 65.2), (65, 68.1), (70, 70.9), (75, 74.5),
            (80, 77.2), (85, 81.6), (90, 85.8), (95, 90.8),
        ],
    ]

    private static let jpegCurve: [(quality: Int, score: Double)] = [
        (20, 22.9), (30, 42.2), (40, 53.4), (50, 60.4), (60, 65.6), (65, 68.9), (70, 71.5), (75, 75), (80, 78.3),
        (85, 81.4), (90, 87.8), (95, 91.7),
    ]
}
