import Bytes
import Colors
import Testing

@testable import Raster

@Suite(.timeLimit(.minutes(5))) struct QuadTests {
    private static func point(_ x: Double, _ y: Double) -> FixedPoint {
        FixedPoint(x: Int32(x * 256), y: Int32(y * 256))
    }

    /// A texture of 2 × 2: red, green; blue, half white.
    private func fourColors() throws -> Texture {
        let texels: [UInt8] = [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 128, 128, 128, 128]
        return try #require(Texture(widthPx: 2, heightPx: 2, format: .rgba, texels: SharedBytes(texels)))
    }

    private func quad(
        _ corners: [(Double, Double)], _ piece: SIMD4<Float>, _ texture: TextureReference
    ) -> TexturedQuad {
        let points = corners.map { Self.point($0.0, $0.1) }
        return TexturedQuad(
            topLeft: points[0], topRight: points[1], bottomLeft: points[2], bottomRight: points[3], piece: piece,
            texture: texture)
    }

    private func pixels(_ list: DisplayList, width: Int, height: Int) throws -> [[UInt8]] {
        let picture = try Rasteriser.draw(list, widthPx: width, heightPx: height, background: .transparent)
        return picture.pixels.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<($0 + 4)]) }
        }
    }

    @Test func aPictureInItsOwnSizeIsCopied() throws {
        var list = DisplayList()
        let texture = list.addTexture(try fourColors())
        list.quads(
            [quad([(1, 1), (3, 1), (1, 3), (3, 3)], SIMD4(0, 0, 2, 2), texture)],
            .picture(opacity: 255, isSmooth: false))
        let result = try pixels(list, width: 4, height: 4)
        #expect(result[5] == [255, 0, 0, 255] && result[6] == [0, 255, 0, 255])
        #expect(result[9] == [0, 0, 255, 255] && result[10] == [128, 128, 128, 128])
        #expect(result[0] == [0, 0, 0, 0] && result[11] == [0, 0, 0, 0])
    }

    @Test func aQuarterTurnMovesTheTexelsRound() throws {
        var list = DisplayList()
        let texture = list.addTexture(try fourColors())
        list.quads(
            [quad([(2, 0), (2, 2), (0, 0), (0, 2)], SIMD4(0, 0, 2, 2), texture)],
            .picture(opacity: 255, isSmooth: false))
        let result = try pixels(list, width: 2, height: 2)
        #expect(result == [[0, 0, 255, 255], [255, 0, 0, 255], [128, 128, 128, 128], [0, 255, 0, 255]])
    }

    @Test func smoothTexelsAreMixedAndFadeOutAtTheSides() throws {
        var list = DisplayList()
        let texels: [UInt8] = [255, 255, 255, 255]
        let texture = list.addTexture(
            try #require(Texture(widthPx: 1, heightPx: 1, format: .rgba, texels: SharedBytes(texels))))
        // A texel of two pixels, with one of nothing on each side.
        list.quads(
            [quad([(0, 0), (6, 0), (0, 6), (6, 6)], SIMD4(-1, -1, 2, 2), texture)],
            .picture(opacity: 255, isSmooth: true))
        let row = try pixels(list, width: 6, height: 6)[12..<18].map { $0[3] }
        #expect(row == [0, 48, 143, 143, 48, 0])
    }

    @Test func opacityScalesAPicture() throws {
        var list = DisplayList()
        let texture = list.addTexture(try fourColors())
        list.quads(
            [quad([(0, 0), (2, 0), (0, 2), (2, 2)], SIMD4(0, 0, 2, 2), texture)], .picture(opacity: 51, isSmooth: false)
        )
        #expect(try pixels(list, width: 2, height: 2)[0] == [51, 0, 0, 51])
    }

    /// A texture whose distance rises from left to right.
    private func slope() throws -> Texture {
        let row: [UInt8] = [0, 32, 64, 96, 128, 160, 192, 224]
        let bytes = SharedBytes(Array([row, row, row, row].joined()))
        return try #require(Texture(widthPx: 8, heightPx: 4, format: .alpha, texels: bytes))
    }

    @Test(arguments: [0.0, 0.25]) func distancesTurnToCoverageBySmoothSteps(_ tilt: Double) throws {
        var list = DisplayList()
        let texture = list.addTexture(try slope())
        let ramp = DistanceRamp(outerEdge: 0.5, outerGamma: 0.25)
        list.quads(
            [quad([(0, 0), (8, tilt / 64), (0, 4), (8, 4 + tilt / 64)], SIMD4(0, 0, 8, 4), texture)],
            .distance(ramp, color: Color(rgb: 0)))
        let row = try pixels(list, width: 8, height: 4)[8..<16].map { Int($0[3]) }
        let expected = [0, 0, 0, 40, 128, 217, 255, 255]
        for (value, wanted) in zip(row, expected) { #expect(abs(value - wanted) <= 2) }
    }

    @Test func aHaloLeavesTheShapeOpen() throws {
        var list = DisplayList()
        let texture = list.addTexture(try slope())
        let ramp = DistanceRamp(outerEdge: 0.25, outerGamma: 0.01, innerEdge: 0.75)
        list.quads(
            [quad([(0, 0), (8, 0), (0, 4), (8, 4)], SIMD4(0, 0, 8, 4), texture)],
            .distance(ramp, color: Color(rgb: 0xff)))
        let row = try pixels(list, width: 8, height: 4)[8..<16].map { $0[3] }
        #expect(row[0] == 0 && row[1] == 0 && row[3] == 255 && row[5] == 255 && row[7] == 0)
    }

    @Test func clipsHoldAndRangesArePaintedTwice() throws {
        var list = DisplayList()
        list.setClip(ClipQuad(corners: [Self.point(0, 0), Self.point(1, 0), Self.point(1, 2), Self.point(0, 2)]))
        let texture = list.addTexture(try fourColors())
        let range = list.add([quad([(0, 0), (2, 0), (0, 2), (2, 2)], SIMD4(0, 0, 2, 2), texture)])
        list.quads(range, .picture(opacity: 128, isSmooth: false))
        list.quads(range, .picture(opacity: 128, isSmooth: false))
        let result = try pixels(list, width: 2, height: 2)
        #expect(result[1] == [0, 0, 0, 0])
        #expect(result[0][3] > 185 && result[0][3] < 195)
    }

    @Test func twistedAndFarQuadrilateralsAreHarmless() throws {
        var list = DisplayList()
        let texture = list.addTexture(try slope())
        let range = list.add([
            quad([(0, 0), (4, 4), (4, 0), (0, 4)], SIMD4(0, 0, 8, 4), texture),
            quad([(1, 1), (1, 1), (1, 1), (1, 1)], SIMD4(0, 0, 8, 4), texture),
            quad([(-8e6, -8e6), (8e6, -8e6), (-8e6, 8e6), (8e6, 8e6)], SIMD4(-9, 0, 80, 4), texture),
            quad([(0, 0), (4, 0), (1, 4), (3, 4)], SIMD4(0, 0, .nan, 4), texture),
            quad([(0, 0), (4, 0), (1, 4), (3, 4)], SIMD4(0, 0, 8, 4), texture),
        ])
        list.quads(range, .distance(DistanceRamp(outerEdge: .nan, outerGamma: .nan), color: Color(rgb: 0)))
        list.quads(range, .picture(opacity: 255, isSmooth: true))
        #expect(try pixels(list, width: 4, height: 4).count == 16)
    }
}
