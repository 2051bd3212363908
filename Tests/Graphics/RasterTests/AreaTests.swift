import Bytes
import Colors
import Testing

@testable import Raster

@Suite(.timeLimit(.minutes(5))) struct AreaTests {
    private func square(_ from: Double, _ to: Double) -> [FixedPoint] {
        [(from, from), (to, from), (to, to), (from, to)].map { x, y in
            FixedPoint(x: Int32(x * 256), y: Int32(y * 256))
        }
    }

    private func squares(_ sides: (Double, Double)...) -> Path {
        var path = Path()
        for (from, to) in sides { path.addRing(square(from, to)) }
        return path
    }

    private func pixels(_ list: DisplayList, side: Int) throws -> [[UInt8]] {
        let buffer = try Rasteriser.draw(list, widthPx: side, heightPx: side, background: .transparent)
        return buffer.pixels.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<($0 + 4)]) }
        }
    }

    @Test func centresDecide_andTiesGoAsInOpenGL() throws {
        var drawing = Drawing(widthPx: 6, heightPx: 6)
        drawing.add([(1.5, 1.5), (3.5, 1.5), (3.5, 3.5), (1.5, 3.5)], closed: true)
        let parts = drawing.takeParts()
        drawing.list.fillCentres(parts, .color(Drawing.ink))
        let covered = try drawing.coverage().enumerated().filter { $0.element == 255 }.map(\.offset)
        // Columns 1 and 2: the left side counts as inside. Rows 2 and 3: the lower side does.
        #expect(covered == [13, 14, 19, 20])
        #expect(try drawing.coverage().allSatisfy { $0 == 0 || $0 == 255 })
    }

    @Test func areasThatOverlap_areBlendedAsOftenAsTheyDo() throws {
        var list = DisplayList()
        list.fillCentres(list.add(squares((0, 3), (1, 4))), .color(Color(rgb: 0, alpha: 128)))
        let alphas = try pixels(list, side: 4).map { $0[3] }
        #expect(alphas[0] == 128)
        #expect(alphas[5] == 192)
        #expect(alphas[15] == 128)
        #expect(alphas[3] == 0)
    }

    @Test func boldEdges_areFullFromHalfOn() throws {
        var list = DisplayList()
        list.fill(list.add(squares((0.5, 3.5))), .nonZero, .color(Drawing.ink), edges: .bold)
        let alphas = try pixels(list, side: 4).map { $0[3] }
        #expect(alphas[1] == 255 && alphas[5] == 255)
        #expect(alphas[0] > 200 && alphas[0] < 230)
        #expect(EdgeWeight.boldTable[0] == 0 && EdgeWeight.boldTable[255] == 255)
        #expect(zip(EdgeWeight.boldTable, EdgeWeight.boldTable.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test func steppedEdges_haveSixteenShades() throws {
        var drawing = Drawing()
        drawing.add([(3, 5), (55, 17), (21, 60)])
        let parts = drawing.takeParts()
        drawing.list.fill(parts, .nonZero, .color(Drawing.ink))
        let exact = try drawing.coverage()
        drawing.list = DisplayList()
        drawing.add([(3, 5), (55, 17), (21, 60)])
        drawing.list.fill(drawing.takeParts(), .nonZero, .color(Drawing.ink), edges: .stepped)
        let stepped = try drawing.coverage()
        #expect(Set(exact).count > 60 && Set(stepped).allSatisfy { $0 % 17 == 0 })
        #expect(zip(exact, stepped).allSatisfy { abs(Int($0) - Int($1)) <= 8 })
    }

    @Test func hairlines_paintOnePixelOfEachColumn_strongestWhereTheyPassTheCentre() throws {
        var drawing = Drawing(widthPx: 16, heightPx: 8)
        drawing.add([(0, 2.5), (16, 2.5), (16, 2.5)], closed: true)
        drawing.list.outline(drawing.takeParts(), .color(Color(rgb: 0, alpha: 128)))
        let once = try drawing.coverage()
        // There and back: painted twice.
        #expect(once[2 * 16 + 5] == 192)
        #expect(once[16 + 5] == 0 && once[3 * 16 + 5] == 0)
        drawing.list = DisplayList()
        drawing.add([(0, 0), (16, 8)], closed: true)
        drawing.list.outline(drawing.takeParts(), .color(Drawing.ink))
        let slanted = try drawing.coverage()
        for column in 0..<16 {
            let painted = (0..<8).filter { slanted[$0 * 16 + column] > 0 }
            #expect(painted == [column / 2])
        }
    }

    @Test func wildHairlines_neitherTrapNorTakeLong() throws {
        var list = DisplayList()
        let extremes: [Int32] = [.min, .max, 0, -1, 255, 128, 1 << 28, -(1 << 28)]
        var path = Path()
        for x in extremes { for y in extremes { path.add(FixedPoint(x: x, y: y)) } }
        let parts = list.add(path)
        list.outline(parts, .color(Drawing.ink))
        list.fillCentres(parts, .color(Color(rgb: 0, alpha: 7)))
        #expect(try pixels(list, side: 32).count == 1024)
    }

    @Test func patterns_repeatAndAreMixedBetweenTexels() throws {
        // Black and white, side by side.
        let texels: [UInt8] = [0, 0, 0, 255, 255, 255, 255, 255]
        let texture = try #require(Texture(widthPx: 2, heightPx: 1, format: .rgba, texels: SharedBytes(texels)))
        func row(_ mapping: PatternPaint.Mapping) throws -> [UInt8] {
            var list = DisplayList()
            list.fill(squares((0, 4)), .nonZero, .pattern(PatternPaint(texture: texture, mapping: mapping)))
            return try pixels(list, side: 4).prefix(4).map { $0[0] }
        }
        let plain = PatternPaint.Mapping.identity
        #expect(try row(plain) == [0, 255, 0, 255])
        let shifted = PatternPaint.Mapping(u: SIMD3(1, 0, -7.5), v: SIMD3(0, 1, 0), w: SIMD3(0, 0, 1))
        #expect(try row(shifted) == [128, 128, 128, 128])
        var tilted = plain
        tilted.w.x = 1e-9
        #expect(zip(try row(tilted), [0, 255, 0, 255]).allSatisfy { abs(Int($0) - $1) <= 1 })
        let endless = PatternPaint.Mapping(u: SIMD3(.infinity, 0, .nan), v: SIMD3(0, 1, 0), w: SIMD3(0, 0, 1))
        #expect(try row(endless).count == 4)
    }

    @Test func discs_haveAFeatheredEdgeAndARim() throws {
        let white = SIMD4<Float>(1, 1, 1, 1)
        let black = SIMD4<Float>(0, 0, 0, 1)
        var list = DisplayList()
        list.discs([
            Disc(x: 10, y: 10, radius: 8, rimStart: 0.5, feather: 1 / 8, inside: white, rim: black),
            Disc(x: .nan, y: 0, radius: 8, rimStart: 1, feather: 1, inside: white, rim: black),
            Disc(x: 1e30, y: 0, radius: 8, rimStart: 1, feather: 1, inside: white, rim: black),
        ])
        let picture = try pixels(list, side: 20)
        #expect(picture[10 * 20 + 10] == [255, 255, 255, 255])
        #expect(picture[10 * 20 + 15] == [0, 0, 0, 255])
        // Half a pixel within the edge: 1 - smoothstep is a half there.
        #expect(abs(Int(picture[10 * 20 + 17][3]) - 128) < 9)
        #expect(picture[10 * 20 + 18][3] == 0 && picture[0][3] == 0)
    }

    @Test func groups_areCompositedAsOnePicture() throws {
        var list = DisplayList()
        list.beginGroup()
        for _ in 0..<2 { list.fill(squares((0, 2)), .nonZero, .color(Drawing.ink)) }
        list.endGroup(opacity: 128)
        list.fill(squares((2, 4)), .nonZero, .color(Drawing.ink))
        let alphas = try pixels(list, side: 4).map { $0[3] }
        #expect(alphas[0] == 128 && alphas[15] == 255 && alphas[3] == 0)
    }
}
