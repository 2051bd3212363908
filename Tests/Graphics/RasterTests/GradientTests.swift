import Bytes
import Colors
import SeededRandom
import Testing

@testable import Raster

/// Gradients, and pictures that lie on whole pixels.
@Suite(.timeLimit(.minutes(5))) struct GradientTests {
    private static let red = Color(rgb: 0xff0000)
    private static let blue = Color(rgb: 0x0000ff)

    private func pixels(_ paint: Paint, from left: Double = 0, widthPx: Int = 64, heightPx: Int = 16) throws
        -> [[UInt8]]
    {
        var drawing = Drawing()
        let (width, height) = (Double(widthPx), Double(heightPx))
        drawing.add([(left, 0), (width, 0), (width, height), (left, height)])
        drawing.list.fill(drawing.takeParts(), .nonZero, paint)
        let buffer = try Rasteriser.draw(drawing.list, widthPx: widthPx, heightPx: heightPx, background: .white)
        return buffer.pixels.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<$0 + 4]) }
        }
    }

    @Test func colors_goFromStartToEnd_andOnBeyond() throws {
        let across = try pixels(.gradient(GradientPaint(from: [16, 0], to: [48, 0], colors: [Self.red, Self.blue])))
        #expect(across[0] == [255, 0, 0, 255] && across[63] == [0, 0, 255, 255])
        #expect(across[32][0] > 120 && across[32][0] < 132)
        #expect((0..<63).allSatisfy { across[$0][0] >= across[$0 + 1][0] })
        let down = try pixels(
            .gradient(GradientPaint(from: [0, 0], to: [0, 16], colors: [Self.red, Self.blue, Self.red])))
        #expect(down[0] == down[63] && down[64 * 8][2] > 230)
    }

    @Test func clearColors_showWhatIsBelow() throws {
        let paint = GradientPaint(from: [0, 0], to: [64, 0], colors: [.transparent, .black])
        let row = try pixels(.gradient(paint))
        #expect(row[0][0] > 250 && row[63][0] < 5 && row.allSatisfy { $0[3] == 255 })
    }

    @Test func extremes_areNoTrap() throws {
        let far = 1e300
        for (start, end) in [
            ([0, 0], [0, 0]), ([far, far], [-far, far]), ([0, 0], [1e-300, 0]), ([5, 5], [5.0001, 5]),
        ] {
            let paint = GradientPaint(
                from: SIMD2(start[0], start[1]), to: SIMD2(end[0], end[1]), colors: [Self.red, Self.blue])
            _ = try pixels(.gradient(paint))
        }
        #expect(
            try pixels(.gradient(GradientPaint(from: [0, 0], to: [1, 0], colors: []))).allSatisfy {
                $0 == [255, 255, 255, 255]
            })
    }

    /// Texels on pixels are copied; the same through the sampling of any other place.
    @Test(arguments: [false, true]) func pictureOnWholePixels_isAsIfItWereSampled(_ isOpaque: Bool) throws {
        var generator = SeededGenerator(state: 5)
        let texels = (0..<40 * 16).flatMap { _ -> [UInt8] in
            let alpha = UInt8(truncatingIfNeeded: generator.next()) | (isOpaque || generator.next() % 2 == 0 ? 255 : 0)
            return (0..<3).map { _ in UInt8(generator.next() % (UInt64(alpha) + 1)) } + [alpha]
        }
        let texture = try #require(Texture(widthPx: 40, heightPx: 16, format: .rgba, texels: SharedBytes(texels)))
        // Over the right side of the picture, and within it.
        for (left, widthPx) in [(-7, 64), (3, 32)] as [(Double, Int)] {
            func drawn(_ stretch: Double, opacity: UInt8) throws -> [[UInt8]] {
                let mapping = PatternPaint.Mapping(u: [stretch, 0, left], v: [0, 1, -7], w: [0, 0, 1])
                let paint = PatternPaint(texture: texture, mapping: mapping, opacity: opacity)
                return try pixels(.pattern(paint), from: 0.5, widthPx: widthPx)
            }
            for opacity in [255, 130] as [UInt8] {
                // Less off than the weights tell apart, but not whole.
                #expect(try drawn(1, opacity: opacity) == drawn(1 + 1e-9, opacity: opacity))
            }
        }
    }
}
