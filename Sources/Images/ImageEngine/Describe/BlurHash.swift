/// A textual placeholder: the lowest cosines of linear light, in base 83 (github.com/woltapp/blurhash, Algorithm.md).
enum BlurHash {
    private static let alphabet = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    private typealias Light = SIMD3<Double>

    /// The hash of `picture` on white with `columns` × `rows` components, 1–9 each.
    static func text(of picture: ThumbnailPixels, columns: Int, rows: Int) -> String {
        let factors = factors(of: picture, columns: columns, rows: rows)
        let largest = factors.dropFirst().reduce(0) { max($0, $1.max(), -$1.min()) }
        let step = factors.count > 1 ? min(82, max(0, Int((largest * 166 - 0.5).rounded(.down)))) : 0
        let unit = Double(step + 1) / 166
        var text = digits(columns - 1 + (rows - 1) * 9, count: 1) + digits(step, count: 1)
        text += digits(factors[0].indices.reduce(0) { $0 << 8 | sample(factors[0][$1]) }, count: 4)
        for factor in factors.dropFirst() {
            let levels = factor.indices.map { index in
                let share = factor[index] / unit
                let root = abs(share).squareRoot() * (share < 0 ? -1 : 1)
                return min(18, max(0, Int((root * 9 + 9.5).rounded(.down))))
            }
            text += digits(levels.reduce(0) { $0 * 19 + $1 }, count: 2)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func factors(of picture: ThumbnailPixels, columns: Int, rows: Int) -> [Light] {
        let across = CosineTable(sampleCount: picture.widthPx, waveCount: columns, phase: 0)
        let down = CosineTable(sampleCount: picture.heightPx, waveCount: rows, phase: 0)
        var factors = [Light](repeating: .zero, count: columns * rows)
        for y in 0..<picture.heightPx {
            var sums = [Light](repeating: .zero, count: columns)
            for x in 0..<picture.widthPx {
                let light = light(picture.samples, at: (y * picture.widthPx + x) * 4)
                for column in 0..<columns { sums[column] += across[column, x] * light }
            }
            for row in 0..<rows {
                for column in 0..<columns { factors[row * columns + column] += down[row, y] * sums[column] }
            }
        }
        let pixelCount = Double(picture.widthPx * picture.heightPx)
        return factors.enumerated().map { $1 * ($0 == 0 ? 1 : 2) / pixelCount }
    }

    private static func light(_ samples: [UInt8], at start: Int) -> Light {
        let alpha = Int(samples[start + 3])
        func part(_ index: Int) -> Double {
            OKLab.linear[(Int(samples[start + index]) * alpha + 255 * (255 - alpha) + 127) / 255]
        }
        return Light(part(0), part(1), part(2))
    }

    private static func sample(_ light: Double) -> Int {
        let value = SRGBCurve.encoded(min(1, max(0, light)))
        return Int(value * 255 + 0.5)
    }

    private static func digits(_ number: Int, count: Int) -> [UInt8] {
        var number = number
        var digits: [UInt8] = []
        for _ in 0..<count {
            digits.insert(alphabet[number % 83], at: 0)
            number /= 83
        }
        return digits
    }
}
