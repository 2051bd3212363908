/// Lines one pixel wide, as in OpenGL: one pixel for each column crossed, or each row of steep lines, stronger the nearer
/// its centre is. Each is painted by more than half, so outlines stay crisp where exact area would turn pale.
enum Hairlines {
    /// The coverage 0…255 by the distance of a centre from the line in 1/128 pixels: 1 - smoothstep.
    private static let strengths: [UInt8] = (0...128).map { step in
        let distance = Double(step) / 128
        return UInt8(((1 - distance * distance * (3 - 2 * distance)) * 255).rounded())
    }

    static func draw(_ ring: UnsafeBufferPointer<FixedPoint>, on canvas: borrowing Canvas, _ painter: some RunPainter) {
        guard ring.count > 1, let last = ring.last else { return }
        strengths.withUnsafeBufferPointer { strengths in
            var previous = last
            for point in ring {
                drawSegment(from: previous, to: point, on: canvas, strengths, painter)
                previous = point
            }
        }
    }

    @inline(__always)
    private static func drawSegment(
        from start: FixedPoint, to end: FixedPoint, on canvas: borrowing Canvas,
        _ strengths: UnsafeBufferPointer<UInt8>, _ painter: some RunPainter
    ) {
        let across = abs(Int(end.x) &- Int(start.x))
        let down = abs(Int(end.y) &- Int(start.y))
        func paint(_ column: Int, _ row: Int, distance: Int) {
            let line = canvas.row(row)
            guard column >= line.start, column < line.end else { return }
            painter.paint(line.pixels, from: column, to: column &+ 1, row: row, coverage: UInt32(strengths[distance]))
        }
        if across >= down {
            let (left, right) = start.x < end.x ? (start, end) : (end, start)
            let place = Stretch(
                from: Int(left.x), to: Int(right.x), start: Int(left.y), end: Int(right.y),
                limit: canvas.widthPx, otherLimit: canvas.heightPx, tie: 0)
            place.walk { column, row, distance in paint(column, row, distance: distance) }
        } else {
            let (upper, lower) = start.y < end.y ? (start, end) : (end, start)
            let place = Stretch(
                from: Int(upper.y), to: Int(lower.y), start: Int(upper.x), end: Int(lower.x),
                limit: canvas.heightPx, otherLimit: canvas.widthPx, tie: 1)
            place.walk { row, column, distance in paint(column, row, distance: distance) }
        }
    }

    /// A segment along its longer axis, `from` < `to`, whose other coordinate goes from `start` to `end`.
    private struct Stretch {
        var first: Int, end: Int
        /// The other coordinate at the centre of `first`, and its step, with 32 more bits.
        var other: Int, step: Int
        var otherLimit: Int
        /// How much nearer the line is than along the other axis, in 1/65536.
        var nearness: Int

        /// Centres just at `from` are skipped with a `tie` of 1, and taken with 0.
        init(from: Int, to: Int, start: Int, end otherEnd: Int, limit: Int, otherLimit: Int, tie: Int) {
            self.otherLimit = otherLimit
            first = max((from &+ 127 &+ tie) >> 8, 0)
            end = min((to &+ 127 &+ tie) >> 8, limit)
            let length = to &- from
            guard first < end, length > 0 else {
                (first, end, other, step, nearness) = (0, 0, 0, 0, 0)
                return
            }
            step = ((otherEnd &- start) << 32) / length
            other = start << 32 &+ step &* (first << 8 &+ 128 &- from)
            let slope = Double(step) / 4_294_967_296
            nearness = Int(65536 / (1 + slope * slope).squareRoot())
            skipOutside()
        }

        private mutating func skipOutside() {
            let lowest = -(1 << 40)
            let highest = (otherLimit &+ 1) << 40
            let perPixel = step << 8
            if perPixel > 0 {
                if other < lowest { advance((lowest &- other) / perPixel) }
                if other < highest { end = min(end, first &+ (highest &- other) / perPixel &+ 1) } else { end = first }
            } else if perPixel < 0 {
                if other > highest { advance((other &- highest) / -perPixel) }
                if other > lowest { end = min(end, first &+ (other &- lowest) / -perPixel &+ 1) } else { end = first }
            }
        }

        private mutating func advance(_ count: Int) {
            let held = min(count, end &- first)
            first &+= held
            other &+= (step << 8) &* held
        }

        /// Calls `body` with the pixel along and across the axis, and the distance of its centre from the line in 1/128 pixels.
        @inline(__always) func walk(_ body: (Int, Int, Int) -> Void) {
            var place = other
            for along in first..<max(first, end) {
                let coordinate = place >> 32
                place &+= step << 8
                let pixel = coordinate >> 8
                guard pixel >= 0, pixel < otherLimit else { continue }
                let offset = abs((coordinate & 255) &- 128)
                body(along, pixel, (offset &* nearness) >> 17)
            }
        }
    }
}
