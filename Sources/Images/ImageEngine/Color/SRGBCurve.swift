import Glibc

/// The transfer curve of sRGB (IEC 61966-2-1); all values are 0–1.
enum SRGBCurve {
    /// Linear light of an encoded sample.
    static func decoded(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// The encoded sample of linear light.
    static func encoded(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
