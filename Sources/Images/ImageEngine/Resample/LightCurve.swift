/// The curve of sRGB (IEC 61966-2-1) as tables between its codes and linear light in 1/16320, the unit of the resampler:
/// fine enough that every code comes back as itself.
enum LightCurve {
    static let full = 255 * 64

    /// Linear light of each of the 256 codes.
    static let light: [Int16] = (0..<256).map { code in
        Int16((SRGBCurve.decoded(Double(code) / 255) * Double(full)).rounded())
    }

    /// The code that is nearest to each amount of light from 0 to `full`.
    static let code: [UInt8] = (0...full).map { light in
        UInt8((SRGBCurve.encoded(Double(light) / Double(full)) * 255).rounded())
    }
}
