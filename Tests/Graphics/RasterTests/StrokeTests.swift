import Bytes
import Colors
import Testing

@testable import Raster

@Suite(.timeLimit(.minutes(5))) struct StrokeTests {
    private func area(
        _ places: [(Double, Double)], closed: Bool = false, width: Double = 8, cap: LineCap = .butt,
        join: LineJoin = .bevel, miterLimit: Double = 4, dashes: [Double] = []
    ) throws -> Double {
        var drawing = Drawing()
        drawing.add(places, closed: closed)
        let style = StrokeStyle(
            width: Int32(width * 256), cap: cap, join: join, miterLimit: miterLimit,
            dashes: dashes.map { Int32($0 * 256) })
        drawing.stroke(style, color: Drawing.ink)
        return try drawing.area()
    }

    @Test func caps_addTheirArea() throws {
        let line = [(12.25, 20.5), (40.75, 20.5)]
        #expect(abs(try area(line) - 28.5 * 8) < 0.3)
        #expect(abs(try area(line, cap: .square) - 36.5 * 8) < 0.3)
        #expect(abs(try area(line, cap: .round) - (28.5 * 8 + 50.27)) < 0.9)
    }

    @Test func slantedLine_hasLengthTimesWidth() throws {
        #expect(abs(try area([(10, 10), (40, 50)], width: 3) - 150) < 0.4)
        #expect(abs(try area([(10, 10), (40, 50)], width: 0.5) - 25) < 0.4)
    }

    @Test func joins_addTheirArea() throws {
        // A right angle: two rectangles that share a quarter square inside, and a corner outside.
        let corner = [(10.0, 50.0), (50.0, 50.0), (50.0, 10.0)]
        let inside = 2 * 40.0 * 8 - 16
        #expect(abs(try area(corner, join: .bevel) - (inside + 8)) < 0.4)
        #expect(abs(try area(corner, join: .miter) - (inside + 16)) < 0.4)
        #expect(abs(try area(corner, join: .round) - (inside + 12.57)) < 0.6)
        let mirrored = corner.map { ($0.1, $0.0) }
        #expect(abs(try area(mirrored, join: .miter) - (inside + 16)) < 0.4)
    }

    @Test func sharpMiter_becomesABevel() throws {
        let spike = [(10.0, 20.0), (50.0, 22.0), (10.0, 24.0)]
        let bevel = try area(spike, width: 2, join: .bevel)
        #expect(try area(spike, width: 2, join: .miter, miterLimit: 4) == bevel)
        #expect(try area(spike, width: 2, join: .miter, miterLimit: 64) > bevel + 3)
    }

    @Test func closedLine_hasAJoinAtEveryVertex() throws {
        let square = [(16.0, 16.0), (48.0, 16.0), (48.0, 48.0), (16.0, 48.0)]
        #expect(abs(try area(square, closed: true, width: 4, join: .miter) - (36 * 36 - 28 * 28)) < 0.3)
        #expect(abs(try area(square + [square[0]], closed: true, width: 4, join: .miter) - 512) < 0.3)
        #expect(abs(try area(square.reversed(), closed: true, width: 4, join: .miter) - 512) < 0.3)
    }

    @Test func crossingLines_arePaintedOnce() throws {
        var drawing = Drawing()
        drawing.add([(4, 32), (60, 32)])
        drawing.add([(32, 4), (32, 60)])
        drawing.stroke(StrokeStyle(width: 8 << 8), color: Color(rgb: 0, alpha: 100))
        #expect(try drawing.coverage().max() == 100)
    }

    @Test func lineCutInTwo_looksLikeTheWholeOne() throws {
        let style = StrokeStyle(width: 7 << 8, cap: .round, join: .round)
        var whole = Drawing()
        whole.add([(10, 12), (50, 44)])
        whole.stroke(style, color: Drawing.ink)
        var cut = Drawing()
        cut.addPoints([(10, 12), (30, 28)])
        cut.path.endPart(cuts: .end)
        cut.addPoints([(30, 28), (50, 44)])
        cut.path.endPart(cuts: .start)
        cut.stroke(style, color: Drawing.ink)
        let (a, b) = (try whole.coverage(), try cut.coverage())
        #expect(zip(a, b).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
    }

    @Test func partsPaintedTwice_areCasedLines() throws {
        var drawing = Drawing()
        drawing.add([(4, 32), (60, 32)])
        let line = drawing.takeParts()
        drawing.list.stroke(line, StrokeStyle(width: 10 << 8), color: Color(rgb: 0xff0000))
        drawing.list.stroke(line, StrokeStyle(width: 6 << 8), color: Color(rgb: 0x00ff00))
        let buffer = try Rasteriser.draw(drawing.list, widthPx: 64, heightPx: 64, background: .transparent)
        let column: [[UInt8]] = buffer.pixels.withUnsafeBytes { bytes in
            [26, 28, 32, 35, 36, 37].map { row in
                let start = (row * 64 + 30) * 4
                return [bytes[start], bytes[start + 1]]
            }
        }
        #expect(column == [[0, 0], [255, 0], [0, 255], [255, 0], [255, 0], [0, 0]])
    }

    @Test func dashes_coverTheirShare() throws {
        let line = [(4.0, 20.0), (60.0, 20.0)]
        #expect(abs(try area(line, width: 4, dashes: [6, 8]) - 4 * 6 * 4) < 0.3)
        // An odd list goes twice: 3 on, 3 off.
        #expect(abs(try area(line, width: 4, dashes: [3]) - (9 * 3 + 2) * 4) < 0.3)
        #expect(abs(try area(line, width: 4, dashes: [0, 0]) - 224) < 0.3)
    }

    @Test func dashesOfALongLine_keepTheirPhaseAcrossTheCanvas() throws {
        var short = Drawing()
        short.add([(-6, 20), (70, 20)])
        var long = Drawing()
        long.add([(-6 - 14 * 5000, 20), (70 + 14 * 60000, 20)])
        for style in [StrokeStyle(width: 4 << 8, dashes: [6 << 8, 8 << 8])] {
            short.stroke(style, color: Drawing.ink)
            long.stroke(style, color: Drawing.ink)
        }
        let (a, b) = (try short.coverage(), try long.coverage())
        #expect(zip(a, b).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }

    @Test func pieceWithAPhase_hasTheDashesOfTheWholeLine() throws {
        let style = StrokeStyle(width: 4 << 8, dashes: [6 << 8, 8 << 8])
        var whole = Drawing()
        whole.add([(-300, 20), (30, 20), (30, 60)])
        var piece = Drawing()
        piece.addPoints([(-7, 20), (30, 20), (30, 60)])
        piece.path.endPart(cuts: .start, phase: 293 * 256)
        whole.stroke(style, color: Drawing.ink)
        piece.stroke(style, color: Drawing.ink)
        #expect(try whole.coverage() == piece.coverage())
        for phase in [-1, .nan, .infinity, .greatestFiniteMagnitude] {
            var odd = Drawing()
            odd.addPoints([(-7, 20), (30, 20)])
            odd.path.endPart(phase: phase)
            odd.stroke(style, color: Drawing.ink)
            #expect(try odd.area() > 0)
        }
    }

    @Test func stopRequest_isHeededWithinAStroke() {
        var drawing = Drawing(widthPx: 16, heightPx: 16)
        for _ in 0..<5000 { drawing.add([(3, 3), (9, 9)]) }
        drawing.stroke(StrokeStyle(width: 256), color: Drawing.ink)
        drawing.expectStops(at: 0..<3)
    }

    @Test func lineOfNoLength_isADotByItsCap() throws {
        let dot = [(30.0, 30.0), (30.0, 30.0)]
        #expect(try area(dot) == 0)
        #expect(abs(try area(dot, cap: .square) - 64) < 0.1)
        #expect(abs(try area(dot, cap: .round) - 50.27) < 0.9)
        #expect(try area([(30, 30)], closed: true, cap: .butt) == 0)
    }

    @Test func lineThatTurnsBack_isCoveredOnce() throws {
        let there = [(10.0, 30.0), (50.0, 30.0), (10.0, 30.0)]
        #expect(abs(try area(there) - 320) < 0.3)
        #expect(abs(try area(there, join: .round) - (320 + 25.13)) < 0.6)
        #expect(abs(try area(there, closed: true) - 320) < 0.3)
    }

    @Test func shortSegmentsOfAWideLine_leaveNoHoles() throws {
        // A tight zigzag far narrower than the line: every pixel within the width of the middle line must be full.
        var places: [(Double, Double)] = []
        for step in 0...80 { places.append((12 + Double(step) / 2, step % 2 == 0 ? 31.5 : 32.5)) }
        var drawing = Drawing()
        drawing.add(places)
        drawing.stroke(StrokeStyle(width: 12 << 8, join: .round), color: Drawing.ink)
        let coverage = try drawing.coverage()
        for row in 28...35 {
            #expect(coverage[(row * 64 + 14)...(row * 64 + 50)].allSatisfy { $0 == 255 })
        }
    }

    // MARK: Outlines too long to be held (#15.1)

    /// A zigzag with `count` bends within 64 rows, straight up and down so that dashes fall on whole units.
    private static func zigzag(_ count: Int, columns: Double, rows: ClosedRange<Double>) -> [(Double, Double)] {
        (0..<count).map { index in
            let x = 4 + columns * Double(index / 2) / Double(max(1, count / 2))
            return ((x * 256).rounded() / 256, (index + 1) / 2 % 2 == 0 ? rows.lowerBound : rows.upperBound)
        }
    }

    private static func pixels(_ drawing: Drawing, pointLimit: Int?) throws -> [UInt8] {
        var words = [UInt32](repeating: 0, count: drawing.widthPx * drawing.heightPx)
        try words.withUnsafeMutableBufferPointer { pixels in
            let canvas = Canvas(pixels: pixels, widthPx: drawing.widthPx, heightPx: drawing.heightPx)
            var pass = DrawPass(drawing.list, canvas) { false }
            if let pointLimit { pass.stroker.pointLimit = pointLimit }
            try pass.run()
            guard let pointLimit else { return }
            // One bend or dash more than the limit is collected at most, and arrays grow by doubling.
            let capacity = pass.stroker.outlinePoints.capacity
            #expect(capacity <= 4 * (pointLimit + 600))
        }
        return words.withUnsafeBytes { [UInt8]($0) }
    }

    @Test(arguments: [[], [2.0, 3], [0.5, 4], [3.0]], [LineJoin.round, .miter, .bevel])
    func outlineInPieces_isThatOfTheWhole(_ dashes: [Double], _ join: LineJoin) throws {
        for isClosed in [false, true] {
            var drawing = Drawing()
            drawing.add(Self.zigzag(60, columns: 50, rows: 9...55), closed: isClosed)
            drawing.add([(2, 3), (60, 40), (5, 60), (44, 2)], closed: isClosed)
            let style = StrokeStyle(width: 5 << 8, cap: .round, join: join, dashes: dashes.map { Int32($0 * 256) })
            drawing.stroke(style, color: Color(rgb: 0x123456, alpha: 120))
            let whole = try Self.pixels(drawing, pointLimit: nil)
            for limit in [8, 100, 1000] {
                #expect(try Self.pixels(drawing, pointLimit: limit) == whole, "\(limit) \(isClosed)")
            }
        }
    }

    /// So wide a canvas is drawn in bands of 63 rows: outlines in pieces are made again for each.
    @Test(arguments: [[], [2.0, 3]]) func outlineInPieces_isThatOfTheWhole_inEachBand(_ dashes: [Double]) throws {
        var drawing = Drawing()
        (drawing.widthPx, drawing.heightPx) = (16384, 130)
        drawing.add(Self.zigzag(80, columns: 200, rows: 3...127))
        let style = StrokeStyle(width: 3 << 8, cap: .round, join: .round, dashes: dashes.map { Int32($0 * 256) })
        drawing.stroke(style, color: Drawing.ink)
        let whole = try Self.pixels(drawing, pointLimit: nil)
        #expect(try Self.pixels(drawing, pointLimit: 200) == whole)
    }

    /// Tips of mitres reach further than the width of the line: over the boundary of bands, and over the sides of the canvas.
    @Test func tipsOfDashes_reachOverTheBoundariesOfBands() throws {
        // Spikes downwards, with their bend 20 pixels above the boundary between rows 62 and 63, and tips 30 pixels long.
        let spikes = (0..<4).map { spike in
            [(0.0, -1.0), (3, 43), (6, -1)].map { ($0.0 + 20 + Double(spike) * 40, $0.1) }
        }
        func pixels(widthPx: Int, pointLimit: Int?) throws -> [UInt8] {
            var drawing = Drawing()
            (drawing.widthPx, drawing.heightPx) = (widthPx, 130)
            for spike in spikes { drawing.add(spike) }
            drawing.stroke(
                StrokeStyle(width: 4 << 8, join: .miter, miterLimit: 40, dashes: [60 << 8, 30 << 8]),
                color: Drawing.ink)
            let bytes = try Self.pixels(drawing, pointLimit: pointLimit)
            return (0..<130).flatMap { row in bytes[(row * widthPx * 4)..<((row * widthPx + 200) * 4)] }
        }
        let whole = try pixels(widthPx: 200, pointLimit: nil)
        #expect(whole[(66 * 800)..<(67 * 800)].contains { $0 > 0 })
        // So wide a canvas has bands of 63 rows; an outline in pieces is made again for each.
        #expect(try pixels(widthPx: 16384, pointLimit: 8) == whole)
    }

    @Test func tipsOfDashes_reachOntoTheCanvas() throws {
        // The same spike below the canvas, of which the tip alone shows.
        func rows(_ heightPx: Int) throws -> ArraySlice<UInt8> {
            var drawing = Drawing()
            drawing.heightPx = heightPx
            drawing.add([(30, 110), (33, 66), (36, 110)])
            drawing.stroke(
                StrokeStyle(width: 4 << 8, join: .miter, miterLimit: 40, dashes: [60 << 8, 30 << 8]),
                color: Drawing.ink)
            return try drawing.coverage()[..<(50 * 64)]
        }
        #expect(try rows(120).contains { $0 > 0 })
        #expect(try rows(50) == rows(120))
    }

    @Test func periodUnderAPixel_isSolid() throws {
        let line = [(4.0, 20.0), (60.0, 20.0)]
        let solid = try area(line, width: 4)
        #expect(try area(line, width: 4, dashes: [0.4, 0.4]) == solid)
        #expect(try area(line, width: 4, dashes: [0.4]) == solid)
        #expect(try area(line, width: 4, dashes: [0.5, 0.5]) < solid * 0.6)
    }

    /// Asked every few thousand points and dashes, also within one line and one ring.
    @Test(arguments: [[], [1.0, 1], [0, 1]], [LineCap.butt, .round])
    func stopRequest_isHeededWithinALine(_ dashes: [Double], _ cap: LineCap) {
        var drawing = Drawing()
        drawing.add(Self.zigzag(dashes.isEmpty ? 20_000 : 1000, columns: 50, rows: 4...60))
        drawing.stroke(
            StrokeStyle(width: 4 << 8, cap: cap, join: .bevel, dashes: dashes.map { Int32($0 * 256) }),
            color: Drawing.ink)
        drawing.expectStops(at: 0..<4)
    }

    @Test func stopRequest_isHeededWithinARing() {
        var drawing = Drawing()
        drawing.add(Self.zigzag(20_000, columns: 50, rows: 4...60))
        drawing.fill(.nonZero, color: Drawing.ink)
        drawing.expectStops(at: 0..<4)
    }
}
