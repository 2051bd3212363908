import ImagePlan

// Why not vips_smartcrop: its attention finds one point, the brightest of a blurred map, whatever the crop, and always
// finds one. Here the crop is tried everywhere on the map and the best place wins; none if all are alike.

/// How much each pixel of a small image matters. Integers throughout: the same on every machine.
struct InterestMap {
    private let size: PixelSize
    /// Sums of all values above and to the left, with one more row and column than the image.
    private let sums: [Int]

    /// `picture` is straight RGBA8.
    init(_ picture: borrowing PixelBuffer, by interest: Interest) {
        size = picture.size
        let overview = Overview(picture)
        let values =
            switch interest {
            case .attention: overview.attention()
            case .entropy: overview.detail()
            }
        var sums = [Int](repeating: 0, count: (size.widthPx + 1) * (size.heightPx + 1))
        let stride = size.widthPx + 1
        for y in 0..<size.heightPx {
            var row = 0
            for x in 0..<size.widthPx {
                row += values[y * size.widthPx + x]
                sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1] + row
            }
        }
        self.sums = sums
    }

    /// The middle of the most interesting part, nearest to the middle; nil if all are alike. Relative to `whole`.
    func focus(keeping: PixelSize, of whole: PixelSize) -> ImagePoint? {
        func side(_ kept: Int, _ all: Int, _ small: Int) -> Int {
            min(small, max(1, Int((Double(kept) * Double(small) / Double(max(1, all))).rounded())))
        }
        let width = side(keeping.widthPx, whole.widthPx, size.widthPx)
        let height = side(keeping.heightPx, whole.heightPx, size.heightPx)
        let (freeX, freeY) = (size.widthPx - width, size.heightPx - height)
        var best = (score: -1, distance: 0, x: 0, y: 0)
        var least = Int.max
        for y in 0...freeY {
            for x in 0...freeX {
                let score = score(x: x, y: y, width: width, height: height)
                least = min(least, score)
                let (dx, dy) = (2 * x - freeX, 2 * y - freeY)
                let distance = dx * dx + dy * dy
                guard score > best.score || score == best.score && distance < best.distance else { continue }
                best = (score, distance, x, y)
            }
        }
        // Noise on an even image makes a thirty-second.
        guard best.score > 0, (best.score - least) * 32 > best.score else { return nil }
        return ImagePoint(
            x: (Double(best.x) + Double(width) / 2) / Double(size.widthPx),
            y: (Double(best.y) + Double(height) / 2) / Double(size.heightPx))
    }

    /// The sum of the part, plus that of its inner half: the subject belongs in the middle.
    private func score(x: Int, y: Int, width: Int, height: Int) -> Int {
        let (insetX, insetY) = (width / 4, height / 4)
        return sum(x: x, y: y, width: width, height: height)
            + sum(x: x + insetX, y: y + insetY, width: width - 2 * insetX, height: height - 2 * insetY)
    }

    private func sum(x: Int, y: Int, width: Int, height: Int) -> Int {
        let stride = size.widthPx + 1
        let (top, bottom) = (y * stride, (y + height) * stride)
        return sums[bottom + x + width] - sums[bottom + x] - sums[top + x + width] + sums[top + x]
    }
}

private struct Overview {
    private let width: Int
    private let height: Int
    private var luma: [Int]
    private var red: [Int]
    private var green: [Int]
    private var blue: [Int]
    private var alpha: [Int]

    init(_ picture: borrowing PixelBuffer) {
        width = picture.size.widthPx
        height = picture.size.heightPx
        (luma, red, green, blue, alpha) = ([], [], [], [], [])
        for y in 0..<height {
            guard let row = unsafe picture.row(y) else { continue }
            for x in 0..<width {
                func channel(_ index: Int) -> Int {
                    unsafe Int(row.load(fromByteOffset: x * 4 + index, as: UInt8.self))
                }
                let a = channel(3)
                let (r, g, b) = (channel(0) * a / 255, channel(1) * a / 255, channel(2) * a / 255)
                red.append(r)
                green.append(g)
                blue.append(b)
                alpha.append(a)
                luma.append((77 * r + 150 * g + 29 * b) >> 8)
            }
        }
    }

    private func edge(_ x: Int, _ y: Int) -> Int {
        let row = y * width
        let across = luma[row + min(x + 1, width - 1)] - luma[row + max(x - 1, 0)]
        let down = luma[min(y + 1, height - 1) * width + x] - luma[max(y - 1, 0) * width + x]
        // Noise makes differences of a few levels everywhere.
        return max(0, abs(across) + abs(down) - 16)
    }

    /// Edges, colors unlike the rest, skin, and saturated colors.
    func attention() -> [Int] {
        guard !luma.isEmpty else { return [] }
        let count = luma.count
        func mean(_ channel: [Int]) -> Int { channel.reduce(0, +) / count }
        let (meanRed, meanGreen, meanBlue) = (mean(red), mean(green), mean(blue))
        return (0..<count).map { index in
            let (r, g, b) = (red[index], green[index], blue[index])
            let other = max(0, abs(r - meanRed) + abs(g - meanGreen) + abs(b - meanBlue) - 48)
            let strong = max(0, max(r, g, b) - min(r, g, b) - 64)
            let value =
                2 * edge(index % width, index / width) + other / 2 + 2 * skin(r, g, b, luma: luma[index]) + strong / 2
            return value * alpha[index] / 255
        }
    }

    /// Closeness to skin, 0–128, by chroma, which varies less than luma (ITU-R BT.601: Cb about 108, Cr about 153).
    private func skin(_ r: Int, _ g: Int, _ b: Int, luma: Int) -> Int {
        guard luma > 32, luma < 240 else { return 0 }
        let cb = 128 + (-43 * r - 85 * g + 128 * b) / 256
        let cr = 128 + (128 * r - 107 * g - 21 * b) / 256
        let distance = (cb - 108) * (cb - 108) + (cr - 153) * (cr - 153)
        return max(0, 128 - distance * 128 / 200)
    }

    /// Entropy of luma around each cell of 4 × 4 pixels, in 1/16 bit.
    func detail() -> [Int] {
        let cell = 4
        var values = [Int](repeating: 0, count: luma.count)
        for top in stride(from: 0, to: height, by: cell) {
            for left in stride(from: 0, to: width, by: cell) {
                let value = entropy(left - 2..<left + cell + 2, top - 2..<top + cell + 2)
                for y in top..<min(height, top + cell) {
                    for x in left..<min(width, left + cell) { values[y * width + x] = value }
                }
            }
        }
        return values
    }

    private func entropy(_ columns: Range<Int>, _ rows: Range<Int>) -> Int {
        var counts = [Int](repeating: 0, count: 16)
        var total = 0
        for y in rows.clamped(to: 0..<height) {
            for x in columns.clamped(to: 0..<width) {
                counts[luma[y * width + x] >> 4] += 1
                total += 1
            }
        }
        // Σ n·log₂(total ÷ n), in 1/16 bit.
        return counts.reduce(0) { $0 + $1 * (Self.logarithm(total) - Self.logarithm($1)) } / max(1, total)
    }

    /// 16 × log₂ of 1–64, rounded down; 0 of 0.
    private static func logarithm(_ number: Int) -> Int {
        guard number > 0 else { return 0 }
        let whole = Int.bitWidth - 1 - number.leadingZeroBitCount
        // The fraction by squaring: each squaring doubles the logarithm.
        var (mantissa, result) = (number << (16 - whole), whole)
        for _ in 0..<4 {
            mantissa = mantissa * mantissa >> 16
            result *= 2
            if mantissa >= 2 << 16 {
                mantissa >>= 1
                result += 1
            }
        }
        return result
    }
}
