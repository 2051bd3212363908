import Bytes
import Colors
import Testing

@testable import Raster

@Suite(.timeLimit(.minutes(5))) struct LineTests {
    /// A straight piece of a line as two pairs of vertices, `outset` pixels to either side.
    private func piece(
        _ from: (Float, Float), _ to: (Float, Float), outset: Float, roundness: Int8 = 0, length: Float = 0
    ) -> [LineVertex] {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1)
        let size = (dx * dx + dy * dy).squareRoot()
        let (nx, ny) = (-dy / size * outset, dx / size * outset)
        return [
            LineVertex(x: from.0 + nx, y: from.1 + ny, side: -1),
            LineVertex(x: from.0 - nx, y: from.1 - ny, side: 1),
            LineVertex(x: to.0 + nx, y: to.1 + ny, along: length, progress: 1, side: -1, roundness: roundness),
            LineVertex(x: to.0 - nx, y: to.1 - ny, along: length, progress: 1, side: 1, roundness: roundness),
        ]
    }

    private func draw(_ pieces: [[LineVertex]], _ paint: LinePaint, clip: ClipQuad? = nil) throws -> [[UInt8]] {
        var mesh = LineMesh()
        mesh.setPaint(paint)
        for piece in pieces {
            for vertex in piece { mesh.add(vertex) }
            mesh.endStrip()
        }
        var list = DisplayList()
        list.setClip(clip)
        list.lines(mesh)
        let picture = try Rasteriser.draw(list, widthPx: 32, heightPx: 32, background: .transparent)
        return picture.pixels.withUnsafeBytes { bytes in
            (0..<32).map { row in (0..<32).map { bytes[(row * 32 + $0) * 4 + 3] } }
        }
    }

    private func black(outset: Float, inset: Float = 0, feather: Float = 1, alpha: UInt8 = 255) -> LinePaint {
        LinePaint(ink: .color(Color(rgb: 0, alpha: alpha)), outset: outset, inset: inset, feather: feather)
    }

    @Test func aLineOnTheGridHasSharpEdges() throws {
        let rows = try draw([piece((4, 16), (28, 16), outset: 2.5)], black(outset: 2.5))
        #expect((12..<20).map { rows[$0][16] } == [0, 0, 255, 255, 255, 255, 0, 0])
        #expect(rows[16][3] == 0 && rows[16][4] == 255 && rows[16][27] == 255 && rows[16][28] == 0)
    }

    @Test func aLineThinnerThanAPixelFades() throws {
        let rows = try draw([piece((4, 16.5), (28, 16.5), outset: 0.75)], black(outset: 0.75))
        #expect(rows[16][16] == 191)
        #expect(rows[15][16] == 0 && rows[17][16] == 0)
    }

    @Test func aGapIsLeftOpen() throws {
        let rows = try draw([piece((4, 16), (28, 16), outset: 4.5)], black(outset: 4.5, inset: 2.5))
        #expect((11..<21).map { rows[$0][16] } == [0, 255, 255, 0, 0, 0, 0, 255, 255, 0])
    }

    @Test func pixelsOfPiecesThatMeetArePaintedOnce() throws {
        let slanted = try draw(
            [piece((3, 5), (14, 13), outset: 3), piece((14, 13), (25, 21), outset: 3)], black(outset: 3, alpha: 128))
        let whole = try draw([piece((3, 5), (25, 21), outset: 3)], black(outset: 3, alpha: 128))
        for (row, other) in zip(slanted, whole) {
            for (a, b) in zip(row, other) { #expect(abs(Int(a) - Int(b)) <= 1) }
        }
    }

    @Test func translucentLinesAddUpWhereTheyCross() throws {
        let rows = try draw(
            [piece((4, 16), (28, 16), outset: 2.5), piece((16, 4), (16, 28), outset: 2.5)],
            black(outset: 2.5, alpha: 128))
        #expect(rows[16][8] == 128 && rows[8][16] == 128)
        #expect((190...193).contains(rows[16][16]))
    }

    @Test func aTriangleWithRoundCornersFadesByItsDistance() throws {
        let rows = try draw([piece((8, 16), (16, 16), outset: 8, roundness: 1)], black(outset: 8))
        #expect(rows[16][9] == 255)
        #expect(rows[9][14] == 0)
        #expect((120...135).contains(rows[16][15]))
    }

    @Test func dashesHaveGaps() throws {
        let bytes = (0..<256).map { UInt8($0 < 128 ? 255 : 0) }
        let distances = Texture(widthPx: 256, heightPx: 1, format: .alpha, texels: SharedBytes(bytes))
        var paint = black(outset: 2.5)
        paint.dashes = LineDashes(distances: try #require(distances), period: 12, feather: 0.1)
        let rows = try draw([piece((4, 16), (28, 16), outset: 2.5, length: 24)], paint)
        let line = (4..<28).map { rows[16][$0] }
        #expect(line[2] == 255 && line[8] == 0 && line[14] == 255 && line[20] == 0)
    }

    @Test func colorFollowsTheProgress() throws {
        let ramp = Texture(widthPx: 2, heightPx: 1, format: .rgba, texels: SharedBytes([0, 0, 0, 100, 0, 0, 0, 200]))
        let ink = LineInk.ramp(try #require(ramp), isSmooth: false, opacity: 1)
        let rows = try draw([piece((4, 16), (28, 16), outset: 2.5)], LinePaint(ink: ink, outset: 2.5))
        #expect(rows[16][6] == 100 && rows[16][26] == 200)
    }

    @Test func whatLiesOutsideOfTheClipStays() throws {
        func corner(_ x: Int32, _ y: Int32) -> FixedPoint { FixedPoint(x: x * 256, y: y * 256) }
        let clip = ClipQuad(corners: [corner(0, 0), corner(16, 0), corner(16, 32), corner(0, 32)])
        let rows = try draw([piece((4, 16), (28, 16), outset: 2.5)], black(outset: 2.5), clip: clip)
        #expect(rows[16][15] == 255 && rows[16][16] == 0)
    }

    @Test func verticesWithoutAPlaceDrawNothing() throws {
        var broken = piece((4, 16), (28, 16), outset: 2.5)
        broken[2].x = .nan
        broken[3].y = .infinity
        let rows = try draw([broken, piece((4, 16), (4, 16.0001), outset: 1e5)], black(outset: 2.5))
        #expect(rows[16][16] == 0)
    }
}
