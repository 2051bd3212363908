import Glibc

package enum ColorSpace: String, Sendable {
    /// sRGB as it is stored.
    case rgb
    /// Hue, chroma and lightness: the polar form of `lab`, around the shorter arc.
    case hcl
    /// CIE L*a*b* under D50, with sRGB's transfer curve.
    case lab
}

extension StyleColor {
    /// `fraction` may lie outside of `0...1`.
    package func mixed(with other: StyleColor, fraction: Double, in space: ColorSpace) -> StyleColor {
        switch space {
        case .rgb:
            StyleColor(
                red: mix(red, other.red, fraction), green: mix(green, other.green, fraction),
                blue: mix(blue, other.blue, fraction), alpha: mix(alpha, other.alpha, fraction))
        case .lab: StyleColor(LabColor(self).mixed(with: LabColor(other), fraction: fraction))
        case .hcl:
            StyleColor(LabColor(HueColor(LabColor(self)).mixed(with: HueColor(LabColor(other)), fraction: fraction)))
        }
    }

    fileprivate init(_ lab: LabColor) {
        func linear(_ t: Double) -> Double { t > 6.0 / 29 ? t * t * t : 3 * (6.0 / 29) * (6.0 / 29) * (t - 4.0 / 29) }
        func companded(_ value: Double) -> Double {
            min(1, max(0, value <= 0.00304 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055))
        }
        let middle = (lab.lightness + 16) / 116
        let x = LabColor.whiteX * linear(middle + lab.a / 500)
        let y = linear(middle)
        let z = LabColor.whiteZ * linear(middle - lab.b / 200)
        self.init(
            red: companded(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
            green: companded(-0.9787684 * x + 1.9161415 * y + 0.0334540 * z),
            blue: companded(0.0719453 * x - 0.2289914 * y + 1.4052427 * z), alpha: lab.alpha)
    }
}

func mix(_ start: Double, _ end: Double, _ fraction: Double) -> Double { start + fraction * (end - start) }

private struct LabColor {
    static let whiteX = 0.96422
    static let whiteZ = 0.82521

    var lightness: Double
    var a: Double
    var b: Double
    var alpha: Double

    init(_ color: StyleColor) {
        func linear(_ value: Double) -> Double { value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4) }
        func curve(_ t: Double) -> Double { t > 216.0 / 24389 ? cbrt(t) : t / (108.0 / 841) + 4.0 / 29 }
        let red = linear(color.red)
        let green = linear(color.green)
        let blue = linear(color.blue)
        let y = curve(0.2225045 * red + 0.7168786 * green + 0.0606169 * blue)
        var x = y
        var z = y
        // A grey is exactly neutral, whatever the matrix rounds to.
        if red != green || green != blue {
            x = curve((0.4360747 * red + 0.3850649 * green + 0.1430804 * blue) / Self.whiteX)
            z = curve((0.0139322 * red + 0.0971045 * green + 0.7141733 * blue) / Self.whiteZ)
        }
        lightness = max(0, 116 * y - 16)
        a = 500 * (x - y)
        b = 200 * (y - z)
        alpha = color.alpha
    }

    init(_ color: HueColor) {
        let angle = (color.hue ?? 0) * .pi / 180
        lightness = color.lightness
        a = cos(angle) * color.chroma
        b = sin(angle) * color.chroma
        alpha = color.alpha
    }

    func mixed(with other: LabColor, fraction: Double) -> LabColor {
        var result = self
        result.lightness = mix(lightness, other.lightness, fraction)
        result.a = mix(a, other.a, fraction)
        result.b = mix(b, other.b, fraction)
        result.alpha = mix(alpha, other.alpha, fraction)
        return result
    }
}

private struct HueColor {
    /// Degrees; nil for a grey.
    var hue: Double?
    var chroma: Double
    var lightness: Double
    var alpha: Double

    init(_ color: LabColor) {
        chroma = (color.a * color.a + color.b * color.b).squareRoot()
        if (chroma * 10000).rounded() != 0 {
            hue = (atan2(color.b, color.a) * 180 / .pi + 360).truncatingRemainder(dividingBy: 360)
        }
        lightness = color.lightness
        alpha = color.alpha
    }

    func mixed(with other: HueColor, fraction: Double) -> HueColor {
        var result = self
        result.chroma = mix(chroma, other.chroma, fraction)
        result.lightness = mix(lightness, other.lightness, fraction)
        result.alpha = mix(alpha, other.alpha, fraction)
        switch (hue, other.hue) {
        case (let hue?, let otherHue?):
            var arc = otherHue - hue
            if arc > 180 { arc -= 360 } else if arc < -180 { arc += 360 }
            result.hue = hue + fraction * arc
        case (let hue?, nil):
            result.hue = hue
            if other.lightness == 0 || other.lightness == 1 { result.chroma = chroma }
        case (nil, let otherHue):
            result.hue = otherHue
            if otherHue != nil, lightness == 0 || lightness == 1 { result.chroma = other.chroma }
        }
        return result
    }
}
