import CVips
import Colors
import Glibc
import ImagePlan
import Parameters

extension PointProgram {
    /// Adds `filter` if it looks at single pixels, else returns false.
    mutating func append(_ filter: ImageFilter) -> Bool {
        switch filter {
        case .invert: append(FilterCurve(factor: -1, offset: 1))
        case .brightness(let amount): append(FilterCurve(factor: 1, offset: amount.share))
        case .contrast(let amount):
            // −100 is a slope of 0, 0 a slope of 1, 100 nearly upright; middle grey stays.
            let share = amount.share
            let slope = share < 0 ? 1 + share : 1 / max(0.01, 1 - share)
            append(FilterCurve(factor: slope, offset: 0.5 * (1 - slope)))
        case .gamma(let gamma):
            let exponent = 1 / max(0.01, gamma.double)
            append(FilterCurve { pow($0, exponent) })
        case .exposure(let ev):
            let factor = exp2(ev.double)
            append(FilterCurve { SRGBCurve.encoded(min(1, SRGBCurve.decoded($0) * factor)) })
        case .posterize(let levels): append(CVIPS_POINT_POSTERIZE, [Double(max(2, levels) - 1)])
        case .threshold(let level): append(CVIPS_POINT_THRESHOLD, [(Double(level) - 0.001) / 255])
        // Factors that keep black, white and the order of levels.
        case .highlights(let amount): append(CVIPS_POINT_LIGHTS, [amount.share * (amount < 0 ? 3 : 1)])
        case .shadows(let amount): append(CVIPS_POINT_SHADES, [amount.share * (amount > 0 ? 2.5 : 1)])
        case .vignette(let percent): append(CVIPS_POINT_VIGNETTE, [percent.share])
        case .noise(let amount, let seed):
            var point = FilterPoint(CVIPS_POINT_NOISE, [amount.double / 255])
            point.seed = seed
            append(point)
        default: return appendColor(filter)
        }
        return true
    }

    private mutating func appendColor(_ filter: ImageFilter) -> Bool {
        switch filter {
        case .grayscale: if !isGrey { appendGrayscale() }
        case .saturation(let amount):
            if !isGrey { append(CVIPS_POINT_MATRIX, ColorMatrix.saturation(1 + amount.share)) }
        case .vibrance(let amount): if !isGrey { append(CVIPS_POINT_VIBRANCE, [amount.share]) }
        case .hue(let degrees): if !isGrey { append(CVIPS_POINT_MATRIX, ColorMatrix.hue(degrees: degrees.double)) }
        case .sepia(let percent):
            spread()
            append(CVIPS_POINT_MATRIX, ColorMatrix.sepia(percent.share))
        case .temperature(let amount):
            spread()
            append(Self.temperature(amount.share))
        case .tint(let color, let percent):
            let tint = color.shares
            let luma = zip(tint, Luma.weights).reduce(0) { $0 + $1.0 * $1.1 }
            paint(percent.share * Double(color.alpha) / 255, through: tint, at: luma, from: [0, 0, 0], to: [1, 1, 1])
        case .duotone(let dark, let light, let percent):
            let (from, to) = (dark.over(.black).shares, light.over(.white).shares)
            paint(percent.share, through: to, at: 1, from: from, to: to)
        default: return false
        }
        return true
    }

    private mutating func spread() { if isGrey { append(CVIPS_POINT_SPREAD) } }

    /// Maps luma to a color: from `from` linearly to `through` at `middle`, then to `to`.
    private mutating func paint(_ share: Double, through: [Double], at middle: Double, from: [Double], to: [Double]) {
        var numbers = [share, middle]
        for ((through, from), to) in zip(zip(through, from), to) {
            let below = middle > 0 ? (through - from) / middle : 0
            let above = middle < 1 ? (to - through) / (1 - middle) : 0
            numbers += [from, below, through - above * middle, above]
        }
        append(CVIPS_POINT_PAINT, numbers)
    }

    /// Red against blue light by at most 1.5 stops; greys keep their luminance.
    private static func temperature(_ share: Double) -> FilterCurve {
        let gains = [exp2(0.75 * share), 1, exp2(-0.75 * share)]
        let luminance = zip(gains, Luma.weights).reduce(0) { $0 + $1.0 * $1.1 }
        func channel(_ gain: Double) -> (Double) -> Double {
            { SRGBCurve.encoded(min(1, SRGBCurve.decoded($0) * gain / luminance)) }
        }
        return FilterCurve(red: channel(gains[0]), green: channel(gains[1]), blue: channel(gains[2]))
    }
}

extension PlainDecimal {
    fileprivate var share: Double { double / 100 }
}

extension Color {
    fileprivate var shares: [Double] { [red, green, blue].map { Double($0) / 255 } }
}

/// 3 × 3 by rows.
enum ColorMatrix {
    /// Scales the distance from luma.
    static func saturation(_ factor: Double) -> [Double] {
        (0..<9).map { index in Luma.weights[index % 3] * (1 - factor) + (index % 4 == 0 ? factor : 0) }
    }

    /// The usual brown of old photographs, mixed in by `share`.
    static func sepia(_ share: Double) -> [Double] {
        let brown = [0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131]
        return brown.enumerated().map { $0.element * share + ($0.offset % 4 == 0 ? 1 - share : 0) }
    }

    /// Rotates hues and keeps luma: a rotation around the grey axis changes luma, so that change is added back.
    static func hue(degrees: Double) -> [Double] {
        let angle = degrees.truncatingRemainder(dividingBy: 360) * .pi / 180
        let (cosine, sine) = (cos(angle), sin(angle) / 3.0.squareRoot())
        let even = (1 - cosine) / 3
        let turn = [
            even + cosine, even - sine, even + sine, even + sine, even + cosine, even - sine, even - sine, even + sine,
            even + cosine,
        ]
        return (0..<9).map { index in
            let column = index % 3
            let changed = (0..<3).reduce(0) { $0 + Luma.weights[$1] * turn[$1 * 3 + column] }
            return turn[index] + Luma.weights[column] - changed
        }
    }
}
