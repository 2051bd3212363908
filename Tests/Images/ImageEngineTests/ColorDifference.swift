import Glibc

/// CIE Lab under D50.
struct Lab {
    let l: Double
    let a: Double
    let b: Double

    /// From XYZ of the white point D50 = (0.9642, 1, 0.8249).
    init(x: Double, y: Double, z: Double) {
        func f(_ t: Double) -> Double { t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116 }
        let (fx, fy, fz) = (f(x / 0.9642), f(y), f(z / 0.8249))
        (l, a, b) = (116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz))
    }

    init(l: Double, a: Double, b: Double) { (self.l, self.a, self.b) = (l, a, b) }

    /// Of samples of 0–1 of a space with the curve of sRGB and these columns of XYZ (D50).
    init(_ rgb: [Double], primaries: [[Double]]) {
        let light = rgb.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        let xyz = (0..<3).map { row in (0..<3).reduce(0) { $0 + light[$1] * primaries[$1][row] } }
        self.init(x: xyz[0], y: xyz[1], z: xyz[2])
    }

    /// Colorants of sRGB and Display P3 adapted to D50 (as in their ICC profiles).
    static let sRGB = [[0.4360, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7139]]
    /// As `sRGB`.
    static let displayP3 = [[0.5151, 0.2412, -0.0011], [0.2920, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841]]

    /// CIEDE2000 (CIE 142-2001), all weights 1.
    func difference(_ other: Lab) -> Double {
        let mean = (hypot(a, b) + hypot(other.a, other.b)) / 2
        let g = 0.5 * (1 - sqrt(pow(mean, 7) / (pow(mean, 7) + pow(25, 7))))
        let (a1, a2) = (a * (1 + g), other.a * (1 + g))
        let (c1, c2) = (hypot(a1, b), hypot(a2, other.b))
        let (h1, h2) = (Lab.hue(a1, b), Lab.hue(a2, other.b))
        var dh = h2 - h1
        if c1 * c2 == 0 { dh = 0 } else if dh > 180 { dh -= 360 } else if dh < -180 { dh += 360 }
        let (dl, dc) = (other.l - l, c2 - c1)
        let dH = 2 * sqrt(c1 * c2) * sin(dh / 2 * .pi / 180)
        let (lm, cm) = ((l + other.l) / 2, (c1 + c2) / 2)
        var hm = h1 + h2
        if c1 * c2 != 0 { hm = abs(h1 - h2) <= 180 ? hm / 2 : (hm < 360 ? (hm + 360) / 2 : (hm - 360) / 2) }
        func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
        let t =
            1 - 0.17 * cosine(hm - 30) + 0.24 * cosine(2 * hm) + 0.32 * cosine(3 * hm + 6)
            - 0.2 * cosine(4 * hm - 63)
        let theta = 30 * exp(-pow((hm - 275) / 25, 2))
        let rc = 2 * sqrt(pow(cm, 7) / (pow(cm, 7) + pow(25, 7)))
        let sl = 1 + 0.015 * pow(lm - 50, 2) / sqrt(20 + pow(lm - 50, 2))
        let (sc, sh) = (1 + 0.045 * cm, 1 + 0.015 * cm * t)
        let rt = -sin(2 * theta * .pi / 180) * rc
        return sqrt(pow(dl / sl, 2) + pow(dc / sc, 2) + pow(dH / sh, 2) + rt * dc / sc * dH / sh)
    }

    private static func hue(_ a: Double, _ b: Double) -> Double {
        guard a != 0 || b != 0 else { return 0 }
        let angle = atan2(b, a) * 180 / .pi
        return angle < 0 ? angle + 360 : angle
    }
}
