/// Tables between sRGB codes (IEC 61966-2-1) and linear light in 1/16320: fine enough to restore every code.
enum LightCurve {
    static let full = 255 * 64

    static let light: [Int16] = (0..<256).map { code in
        Int16((SRGBCurve.decoded(Double(code) / 255) * Double(full)).rounded())
    }

    /// The nearest code for each amount of light, 0 to `full`.
    static let code: [UInt8] = (0...full).map { light in
        UInt8((SRGBCurve.encoded(Double(light) / Double(full)) * 255).rounded())
    }
}
