// SSIMULACRA2 (J. Sneyers, 2022, as of April 2023): errors of three kinds in three color planes at six scales, with
// weights fitted to human ratings. Planes with negligible weights are skipped: two thirds of the work.

import Glibc

package enum Perception {
    /// The least shorter side that can be compared.
    package static let leastSidePx = 8
    /// Larger images are first reduced by the least whole number, in linear light, as if seen from farther away.
    package static let mostPixels = 4_000_000

    /// The whole number by which an image of this size is reduced.
    package static func reduction(widthPx: Int, heightPx: Int) -> Int {
        var factor = 1
        while reduced(widthPx, factor) * reduced(heightPx, factor) > mostPixels { factor += 1 }
        return factor
    }

    /// Samples left of `count`; the last one may stand for fewer.
    static func reduced(_ count: Int, _ factor: Int) -> Int { (count + factor - 1) / factor }

    /// 100 for no error, 90 for indistinguishable, 70 for hardly annoying, 30 for poor images; it may be negative.
    static func score(error: Double) -> Double {
        let scaled = error * 0.9562382616834844
        let cubic =
            2.326765642916932 * scaled - 0.020884521182843837 * scaled * scaled
            + 6.248496625763138e-05 * scaled * scaled * scaled
        return cubic > 0 ? 100 - 10 * pow(cubic, 0.6276336467831387) : 100
    }

    /// IEC 61966-2-1, both 0…1.
    static func linear(_ sample: Double) -> Float {
        Float(sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4))
    }
}
