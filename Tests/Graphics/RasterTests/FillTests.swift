import Colors
import SeededRandom
import Bytes
import Testing

@testable import Raster

@Suite(.timeLimit(.minutes(5))) struct FillTests {
    @Test(arguments: [0.0, 0.25, 0.5, 0.99609375])
    func rectangle_coversItsExactArea(offset: Double) throws {
        var drawing = Drawing()
        let (x, y) = (7 + offset, 9 + offset / 2)
        drawing.add([(x, y), (x + 20.5, y), (x + 20.5, y + 11.25), (x, y + 11.25)])
        drawing.fill(.nonZero, color: Drawing.ink)
        // Only the 64 or so pixels of the outline are rounded, each by at most half a level.
        #expect(abs(try drawing.area() - 20.5 * 11.25) < 0.13)
    }

    @Test func pixelOfARectangle_hasItsShareOfTheArea() throws {
        var drawing = Drawing(widthPx: 4, heightPx: 4)
        drawing.add([(1.25, 1.5), (3, 1.5), (3, 3), (1.25, 3)])
        drawing.fill(.nonZero, color: Drawing.ink)
        let coverage = try drawing.coverage()
        #expect(coverage[5] == 96)  // 0.75 · 0.5 · 255 = 95.6
        #expect(coverage[6] == 128)
        #expect(coverage[9] == 191)
        #expect(coverage[10] == 255)
        #expect(coverage[0] == 0 && coverage[7] == 0 && coverage[15] == 0)
    }

    @Test(arguments: [0, 3, 64, 100, 129, 255])
    func triangle_coversItsExactArea(units: Int) throws {
        var drawing = Drawing()
        let shift = Double(units) / 256
        drawing.add([(3 + shift, 5), (55 + shift, 17 + shift), (21, 60)])
        drawing.fill(.nonZero, color: Drawing.ink)
        let (ax, ay) = (52.0, 12 + shift)
        let (bx, by) = (18 - shift, 55.0)
        #expect(abs(try drawing.area() - abs(ax * by - ay * bx) / 2) < 0.2)
    }

    @Test func polygonOfACircle_coversItsExactArea() throws {
        var drawing = Drawing()
        // 96 sides, by rotating a vector.
        var (x, y) = (25.0, 0.0)
        var places: [(Double, Double)] = []
        for _ in 0..<96 {
            places.append((32 + x, 32 + y))
            (x, y) = (x * 0.9978589232 - y * 0.0654031292, x * 0.0654031292 + y * 0.9978589232)
        }
        drawing.add(places)
        drawing.fill(.nonZero, color: Drawing.ink)
        #expect(abs(try drawing.area() - 96.0 / 2 * 625 * 0.0654031292) < 0.8)
    }

    @Test func sharedEdge_doesNotLeak() throws {
        var numbers = SeededGenerator(state: 7)
        for _ in 0..<50 {
            var drawing = Drawing()
            let top = Double(numbers.within(0...(64 * 256))) / 256
            let bottom = Double(numbers.within(0...(64 * 256))) / 256
            drawing.add([(0, 0), (top, 0), (bottom, 64), (0, 64)])
            drawing.add([(64, 0), (64, 64), (bottom, 64), (top, 0)])
            drawing.fill(.nonZero, color: Drawing.ink)
            // One ring goes clockwise like the other, so the shared edge is walked both ways and cancels.
            #expect(try drawing.coverage().allSatisfy { $0 == 255 })
        }
    }

    @Test func star_isHollowOnlyWhenEvenOdd() throws {
        let star: [(Double, Double)] = [(32, 2), (50, 58), (3, 23), (61, 23), (14, 58)]
        var solid = Drawing()
        solid.add(star)
        solid.fill(.nonZero, color: Drawing.ink)
        var hollow = Drawing()
        hollow.add(star)
        hollow.fill(.evenOdd, color: Drawing.ink)
        let middle = 34 * 64 + 32
        #expect(try solid.coverage()[middle] == 255)
        #expect(try hollow.coverage()[middle] == 0)
        #expect(try hollow.coverage()[12 * 64 + 32] == 255)
    }

    @Test func overlapOfOneCommand_isPaintedOnce() throws {
        var drawing = Drawing()
        drawing.add([(8, 8), (40, 8), (40, 40), (8, 40)])
        drawing.add([(20, 20), (60, 20), (60, 60), (20, 60)])
        drawing.fill(.nonZero, color: Color(rgb: 0, alpha: 128))
        let coverage = try drawing.coverage()
        #expect(coverage[10 * 64 + 10] == 128)
        #expect(coverage[30 * 64 + 30] == 128)
    }

    /// With 32 bits, 32,768 windings were none, and 16,384 opposite ones of half a pixel a hole.
    @Test(arguments: [16384, 32768, 40000], [false, true])
    func manyWindings_areNotLost(_ count: Int, isByCentres: Bool) throws {
        var drawing = Drawing(widthPx: 24, heightPx: 8)
        for _ in 0..<count { drawing.add([(2, 2), (20, 2), (20, 6), (2, 6)]) }
        if isByCentres {
            drawing.list.fillCentres(drawing.takeParts(), .color(Drawing.ink))
        } else {
            drawing.fill(.nonZero, color: Drawing.ink)
        }
        #expect(try drawing.area() == 72)
    }

    @Test func translucentColors_areCompositedSourceOver() throws {
        var drawing = Drawing(widthPx: 1, heightPx: 1)
        for color in [Color(rgb: 0xff0000), Color(rgb: 0x0000ff, alpha: 64)] {
            drawing.add([(0, 0), (1, 0), (1, 1), (0, 1)])
            drawing.fill(.nonZero, color: color)
        }
        let buffer = try Rasteriser.draw(drawing.list, widthPx: 1, heightPx: 1, background: .transparent)
        #expect(buffer.pixels.withUnsafeBytes { Array($0) } == [191, 0, 64, 255])
    }

    @Test(arguments: [FillRule.nonZero, .evenOdd])
    func clippedPicture_equalsThePartOfAWholeOne(rule: FillRule) throws {
        var numbers = SeededGenerator(state: 42)
        for _ in 0..<40 {
            var whole = Drawing(widthPx: 192, heightPx: 192)
            var part = Drawing(widthPx: 64, heightPx: 64)
            let ring = (0..<9).map { _ in
                (Double(numbers.within(0...49152)) / 256, Double(numbers.within(0...49152)) / 256)
            }
            whole.add(ring)
            part.add(ring.map { ($0.0 - 64, $0.1 - 64) })
            whole.fill(rule, color: Drawing.ink)
            part.fill(rule, color: Drawing.ink)
            let all = try whole.coverage()
            let cut = (64..<128).flatMap { row in all[(row * 192 + 64)..<(row * 192 + 128)] }
            #expect(try part.coverage() == cut)
        }
    }

    @Test func canvasOfSeveralBands_hasNoSeams() throws {
        // 16384 columns leave room for 63 rows in a band.
        var drawing = Drawing(widthPx: 16384, heightPx: 130)
        drawing.add([(1.5, 0), (9, 0), (7.25, 130), (3.5, 130)])
        drawing.fill(.nonZero, color: Drawing.ink)
        let tall = try drawing.coverage()
        drawing.widthPx = 16
        let narrow = try drawing.coverage()
        for row in 0..<130 {
            #expect(tall[(row * 16384)..<(row * 16384 + 16)] == narrow[(row * 16)..<(row * 16 + 16)])
        }
    }

    @Test func canvasOfNoOrTooManyPixels_isRefused() {
        for side in [0, -1, Rasteriser.sideLimit + 1] {
            #expect(throws: RasterError.canvasOutOfRange(limit: Rasteriser.sideLimit)) {
                _ = try Rasteriser.draw(DisplayList(), widthPx: side, heightPx: 5, background: .transparent)
            }
        }
    }

    @Test func stopRequest_isHeededWithinAFill() {
        var drawing = Drawing(widthPx: 16, heightPx: 16)
        for _ in 0..<4000 { drawing.add([(0, 0), (9, 0), (9, 9)]) }
        drawing.fill(.nonZero, color: Drawing.ink)
        drawing.expectStops(at: 0..<3)
    }

    @Test func stopRequest_cancelsTheDrawing() {
        var drawing = Drawing()
        drawing.add([(0, 0), (9, 0), (9, 9)])
        drawing.fill(.nonZero, color: Drawing.ink)
        #expect(throws: RasterError.cancelled) {
            _ = try Rasteriser.draw(
                drawing.list, widthPx: 16, heightPx: 16, background: .transparent, shouldStop: { true })
        }
    }
}
