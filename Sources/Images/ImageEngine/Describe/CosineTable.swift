import Glibc

/// Cosines of whole half-waves over the samples of one side: what both placeholders measure a picture with.
struct CosineTable {
    private let sampleCount: Int
    private let values: [Double]

    /// `waveCount` waves over `sampleCount` samples; a sample is met at `phase` of its width, 0…1.
    init(sampleCount: Int, waveCount: Int, phase: Double) {
        self.sampleCount = sampleCount
        values = (0..<waveCount).flatMap { wave in
            (0..<sampleCount).map { cos(.pi / Double(sampleCount) * Double(wave) * (Double($0) + phase)) }
        }
    }

    /// What wave `wave` is at `sample`.
    subscript(wave: Int, sample: Int) -> Double { values[wave * sampleCount + sample] }
}
