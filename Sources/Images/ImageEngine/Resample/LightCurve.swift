import Glibc

/// The curve of sRGB (IEC 61966-2-1) as tables between its codes and linear light in 1/16320, the unit of the resampler:
/// fine enough that every code comes back as itself.
enum LightCurve {
    /// What full light is.
    static let full = 255 * 64

    /// Linear light of each of the 256 codes.
    static let light: [Int16] = (0..<256).map { code in
        let value = Double(code) / 255
        let linear = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        return Int16((linear * Double(full)).rounded())
    }

    /// The code that is nearest to each amount of light from 0 to `full`.
    static let code: [UInt8] = (0...full).map { light in
        let linear = Double(light) / Double(full)
        let value = linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
        return UInt8((value * 255).rounded())
    }
}
