// SSIMULACRA2 (J. Sneyers, 2022, as of April 2023): errors of three kinds in three color planes at six scales, weighed by
// numbers that were fitted to what people said. Planes whose weights are all next to nothing are not worked out, which is
// two thirds of the work and less than 0.01 of the score.

#if canImport(Glibc)
    import Glibc
#endif

/// How alike two pictures look to people.
package enum Perception {
    /// The shorter side, in pixels, below which there is nothing to compare.
    package static let leastSidePx = 8
    /// The most pixels that are compared. Larger pictures are made smaller first, by the least whole number, in linear light,
    /// both alike: what is then scored is how they look from as much farther away.
    package static let mostPixels = 4_000_000

    /// The whole number by which a picture of this size is made smaller before it is compared.
    package static func reduction(widthPx: Int, heightPx: Int) -> Int {
        var factor = 1
        while reduced(widthPx, factor) * reduced(heightPx, factor) > mostPixels { factor += 1 }
        return factor
    }

    /// Samples that are left of `count`; the last one may stand for fewer.
    static func reduced(_ count: Int, _ factor: Int) -> Int { (count + factor - 1) / factor }

    /// The score of the weighted error: 100 where there is none, 90 for what cannot be told apart, 70 for what hardly
    /// annoys, 30 for poor pictures; it may be negative.
    static func score(error: Double) -> Double {
        let scaled = error * 0.9562382616834844
        let cubic =
            2.326765642916932 * scaled - 0.020884521182843837 * scaled * scaled
            + 6.248496625763138e-05 * scaled * scaled * scaled
        return cubic > 0 ? 100 - 10 * pow(cubic, 0.6276336467831387) : 100
    }

    /// Linear light of a sample of sRGB, both 0…1 (IEC 61966-2-1).
    static func linear(_ sample: Double) -> Float {
        Float(sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4))
    }
}
