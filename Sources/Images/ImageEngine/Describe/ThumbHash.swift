/// A placeholder of some 25 bytes with the shape and alpha of the image (evanw.github.io/thumbhash).
///
/// Layout, from the lowest bit up: 6 bits of mean lightness, 6 and 6 of its two colors, 5 of the swing of lightness,
/// alpha flag; then 3 bits of the lightness waves on the shorter side, 6 and 6 of the swing of the colors, landscape
/// flag; with alpha 4 and 4 bits of its mean and swing; then 4 bits for every wave.
enum ThumbHash {
    private struct Channel {
        let mean: Double
        let swing: Double
        let waves: [Double]
    }

    /// The hash of a small `picture`. The reference limits sides to 100 pixels, the format does not.
    static func bytes(of picture: ThumbnailPixels) -> [UInt8] {
        let (widthPx, heightPx) = (picture.widthPx, picture.heightPx)
        let planes = planes(of: picture)
        let longSide = Double(max(widthPx, heightPx))
        let waveLimit = planes.hasAlpha ? 5.0 : 7.0
        let across = max(1, Int((waveLimit * Double(widthPx) / longSide).rounded()))
        let down = max(1, Int((waveLimit * Double(heightPx) / longSide).rounded()))
        func channel(_ samples: [Double], _ across: Int, _ down: Int) -> Channel {
            measure(samples, picture, across: across, down: down)
        }
        let lightness = channel(planes.lightness, max(3, across), max(3, down))
        let yellowBlue = channel(planes.yellowBlue, 3, 3)
        let redGreen = channel(planes.redGreen, 3, 3)
        let isLying = widthPx > heightPx
        var bytes: [UInt8] = []
        var head = level(lightness.mean, 63) | level(0.5 + 0.5 * yellowBlue.mean, 63) << 6
        head |= level(0.5 + 0.5 * redGreen.mean, 63) << 12 | level(lightness.swing, 31) << 18
        head |= (planes.hasAlpha ? 1 : 0) << 23
        var shape = (isLying ? down : across) | level(yellowBlue.swing, 63) << 3
        shape |= level(redGreen.swing, 63) << 9 | (isLying ? 1 : 0) << 15
        for number in [head, head >> 8, head >> 16, shape, shape >> 8] {
            bytes.append(UInt8(truncatingIfNeeded: number))
        }
        var waves = lightness.waves + yellowBlue.waves + redGreen.waves
        if planes.hasAlpha {
            let alpha = channel(planes.alpha, 5, 5)
            bytes.append(UInt8(truncatingIfNeeded: level(alpha.mean, 15) | level(alpha.swing, 15) << 4))
            waves += alpha.waves
        }
        for start in stride(from: 0, to: waves.count, by: 2) {
            let high = start + 1 < waves.count ? level(waves[start + 1], 15) : 0
            bytes.append(UInt8(truncatingIfNeeded: level(waves[start], 15) | high << 4))
        }
        return bytes
    }

    private struct Planes {
        var lightness: [Double] = []
        var yellowBlue: [Double] = []
        var redGreen: [Double] = []
        var alpha: [Double] = []
        var hasAlpha: Bool { alpha.contains { $0 < 1 } }
    }

    /// The channels of `picture` on its mean color.
    private static func planes(of picture: ThumbnailPixels) -> Planes {
        var sum = SIMD3<Double>.zero
        var opacity = 0.0
        let samples = picture.samples
        for start in stride(from: 0, to: samples.count, by: 4) {
            let alpha = Double(samples[start + 3]) / 255
            sum += alpha / 255 * SIMD3(Double(samples[start]), Double(samples[start + 1]), Double(samples[start + 2]))
            opacity += alpha
        }
        let mean = opacity > 0 ? sum / opacity : sum
        var planes = Planes()
        for start in stride(from: 0, to: samples.count, by: 4) {
            let alpha = Double(samples[start + 3]) / 255
            let own = SIMD3(Double(samples[start]), Double(samples[start + 1]), Double(samples[start + 2])) / 255
            let color = mean * (1 - alpha) + alpha * own
            planes.lightness.append((color.x + color.y + color.z) / 3)
            planes.yellowBlue.append((color.x + color.y) / 2 - color.z)
            planes.redGreen.append(color.x - color.y)
            planes.alpha.append(alpha)
        }
        return planes
    }

    /// The `across` × `down` waves above the diagonal, row by row.
    private static func measure(_ samples: [Double], _ picture: ThumbnailPixels, across: Int, down: Int) -> Channel {
        let columns = CosineTable(sampleCount: picture.widthPx, waveCount: across, phase: 0.5)
        let rows = CosineTable(sampleCount: picture.heightPx, waveCount: down, phase: 0.5)
        var mean = 0.0
        var waves: [Double] = []
        for row in 0..<down {
            for column in 0..<across where column * down < across * (down - row) {
                // Added in the reference's order: an absent wave is all rounding, and decides a digit.
                var sum = 0.0
                for y in 0..<picture.heightPx {
                    let factor = rows[row, y]
                    for x in 0..<picture.widthPx {
                        sum += samples[y * picture.widthPx + x] * columns[column, x] * factor
                    }
                }
                sum /= Double(samples.count)
                if row == 0, column == 0 { mean = sum } else { waves.append(sum) }
            }
        }
        let swing = waves.map(abs).max() ?? 0
        if swing > 0 { waves = waves.map { 0.5 + 0.5 / swing * $0 } }
        return Channel(mean: mean, swing: swing, waves: waves)
    }

    private static func level(_ share: Double, _ top: Int) -> Int {
        min(top, max(0, Int((share * Double(top)).rounded())))
    }
}
