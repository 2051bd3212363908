import Glibc

/// A color space where distances are about as large as they look (Björn Ottosson, *A perceptual color space for image
/// processing*, 2020): lightness 0…1, green to red and blue to yellow, each some −0.4…0.4.
struct OKLab {
    let lightness: Double
    let greenRed: Double
    let blueYellow: Double

    static let linear: [Double] = (0...255).map { SRGBCurve.decoded(Double($0) / 255) }

    /// From sRGB samples, 0…255, which may be fractional.
    init(red: Double, green: Double, blue: Double) {
        let (red, green, blue) = (Self.light(red), Self.light(green), Self.light(blue))
        let long = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
        let medium = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
        let short = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
        lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
        greenRed = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
        blueYellow = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
    }

    /// About 0.02² is just visible.
    func squaredDistance(to other: OKLab) -> Double {
        let along = lightness - other.lightness
        let across = greenRed - other.greenRed
        let beside = blueYellow - other.blueYellow
        return along * along + across * across + beside * beside
    }

    private static func light(_ sample: Double) -> Double {
        let low = min(max(Int(sample), 0), 254)
        return linear[low] + (linear[low + 1] - linear[low]) * (sample - Double(low))
    }
}
