import Glibc

/// Cosines of whole half-waves over the samples of one side, for both placeholders.
struct CosineTable {
    private let sampleCount: Int
    private let values: [Double]

    /// Samples lie at `phase` of their width, 0…1.
    init(sampleCount: Int, waveCount: Int, phase: Double) {
        self.sampleCount = sampleCount
        values = (0..<waveCount).flatMap { wave in
            (0..<sampleCount).map { cos(.pi / Double(sampleCount) * Double(wave) * (Double($0) + phase)) }
        }
    }

    subscript(wave: Int, sample: Int) -> Double { values[wave * sampleCount + sample] }
}
