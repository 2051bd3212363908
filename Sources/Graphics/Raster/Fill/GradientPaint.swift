import Bytes
package import Colors

/// Colors at equal distances along a line, which go on beyond its ends.
package struct GradientPaint: Sendable {
    static let stepCount = 1024

    /// Premultiplied, from start to end.
    let steps: [UInt32]
    let isOpaque: Bool
    /// From the canvas in pixels: times (x, y, 1), 0 at the start of the line and 1 at its end.
    private let mapping: SIMD3<Double>

    /// In pixels of the canvas. Without colors nothing is painted; a line without length has its last color.
    package init(from start: SIMD2<Double>, to end: SIMD2<Double>, colors: [Color]) {
        let way = end - start
        let square = (way * way).sum()
        let scaled = square > 0 ? way / square : SIMD2(0, 0)
        mapping = [scaled.x, scaled.y, square > 0 ? -(start * scaled).sum() : 1]
        isOpaque = colors.allSatisfy(\.isOpaque)
        steps = Self.mixtures(of: colors.map(PixelBlender.packed))
    }

    private static func mixtures(of colors: [UInt32]) -> [UInt32] {
        guard let last = colors.last else { return [] }
        return (0..<stepCount).map { step in
            let place = step * (colors.count - 1) * 256 * 256 / (stepCount - 1)
            let index = place >> 16
            guard index + 1 < colors.count else { return last }
            return mixed(colors[index], colors[index + 1], UInt32(place & 0xffff))
        }
    }

    /// All four channels, `part` / 65536 of the way.
    private static func mixed(_ first: UInt32, _ second: UInt32, _ part: UInt32) -> UInt32 {
        var result: UInt32 = 0
        for shift in [0, 8, 16, 24] as [UInt32] {
            let (from, to) = (first >> shift & 0xff, second >> shift & 0xff)
            result |= ((from * (65536 - part) + to * part + 32768) >> 16) << shift
        }
        return result
    }

    /// The step at the middle of a pixel, with 32 bits below the whole; held so far beyond the ends that no sum overflows.
    func place(column: Int, row: Int) -> Int {
        Self.steps((mapping * SIMD3(Double(column) + 0.5, Double(row) + 0.5, 1)).sum(), in: -4096...4096)
    }

    /// From a pixel to the one to its right.
    var stride: Int { Self.steps(mapping.x, in: -8...8) }

    private static func steps(_ share: Double, in range: ClosedRange<Int>) -> Int {
        let unit = (stepCount - 1) << 32
        return Int(held: (share * Double(unit)).rounded(), in: range.lowerBound * unit...range.upperBound * unit)
    }
}

struct GradientPainter: RunPainter {
    let isOpaque: Bool
    private let gradient: GradientPaint
    private let stride: Int
    private let last: Int

    init(_ gradient: GradientPaint) {
        self.gradient = gradient
        isOpaque = gradient.isOpaque
        stride = gradient.stride
        last = gradient.steps.count - 1
    }

    func paint(_ line: UnsafeMutableBufferPointer<UInt32>, from start: Int, to end: Int, row: Int, coverage: UInt32) {
        guard last >= 0 else { return }
        var place = gradient.place(column: start, row: row) &+ 1 << 31
        gradient.steps.withUnsafeBufferPointer { steps in
            if isOpaque, coverage == 255 {
                for column in start..<end {
                    line[column] = steps[max(0, min(last, place >> 32))].littleEndian
                    place &+= stride
                }
            } else {
                for column in start..<end {
                    let color = PixelBlender.scaled(steps[max(0, min(last, place >> 32))], by: coverage)
                    PixelBlender.blend(color, onto: &line[column])
                    place &+= stride
                }
            }
        }
    }
}
