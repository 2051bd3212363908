// A stroke becomes polygons that are filled non-zero. Down one side of the line and back the other: on the outer side
// of a bend stands the join, on the inner side the outline either meets at the inner miter or runs through the vertex
// itself. So every winding is positive, whatever the line does, and overlaps are painted once.

/// Turns lines into the rings that cover them, reusing its buffers from one command to the next.
struct Stroker {
    static let widthLimit: Int32 = 4096 << 8
    /// A curve may run this far beside its chord: 3/64 px.
    private static let flatness = 12.0
    /// Ends of two normals nearer than ⅛ px (squared) need no join.
    private static let smoothTurn = 32.0 * 32.0

    /// The rings of the last command.
    private(set) var outlinePoints: [FixedPoint] = []
    private(set) var outlineParts: [DisplayList.Part] = []
    /// The size of the canvas in pixels; dashes far outside are not made.
    var canvas = (width: 0.0, height: 0.0)

    private var path: [StrokeVector] = []
    /// The unit direction and length of the segment that starts at each vertex.
    private var directions: [StrokeVector] = []
    private var lengths: [Double] = []
    private var returning: [FixedPoint] = []
    private var source: [StrokeVector] = []
    private var dashes: [Double] = []

    private var radius = 0.0
    private var cap = LineCap.butt
    private var cuts: LineCuts = []
    private var join = LineJoin.miter
    private var miterLimit = 4.0

    /// Fills `outlinePoints` and `outlineParts` with the shape of all `parts`. Throws `cancelled`.
    mutating func outline(
        _ points: [FixedPoint], from pointStart: Int, parts: ArraySlice<DisplayList.Part>, style: StrokeStyle,
        shouldStop: () -> Bool
    ) throws(RasterError) {
        outlinePoints.removeAll(keepingCapacity: true)
        outlineParts.removeAll(keepingCapacity: true)
        radius = Double(max(0, min(style.width, Self.widthLimit))) / 2
        guard radius > 0 else { return }
        cap = style.cap
        join = style.join
        miterLimit = style.miterLimit >= 1 ? min(style.miterLimit, 64) : 1
        setDashes(style.dashes)
        var start = pointStart
        var pointsAtQuestion = pointStart
        for part in parts {
            if start - pointsAtQuestion >= Rasteriser.pointsPerQuestion {
                pointsAtQuestion = start
                if shouldStop() { throw .cancelled }
            }
            path.removeAll(keepingCapacity: true)
            for point in points[start..<part.end] {
                path.append(StrokeVector(x: Double(point.x), y: Double(point.y)))
            }
            start = part.end
            cuts = dashes.isEmpty ? part.cuts : []
            if dashes.isEmpty {
                strokePath(isClosed: part.isClosed)
            } else {
                if part.isClosed, let first = path.first { path.append(first) }
                strokeDashes(from: part.phase)
            }
        }
    }

    private mutating func setDashes(_ lengths: [Int32]) {
        dashes.removeAll(keepingCapacity: true)
        let period = lengths.reduce(0.0) { $0 + Double(max(0, $1)) }
        guard period >= 64, period >= radius / 32 else { return }
        for _ in 0..<(lengths.count % 2 == 0 ? 1 : 2) {
            for length in lengths { dashes.append(Double(max(0, length))) }
        }
    }

    /// Cuts the path, which begins `phase` units along its pattern, into dashes and strokes each. Only what may show is cut;
    /// the rest merely moves the phase.
    private mutating func strokeDashes(from phase: Double) {
        swap(&path, &source)
        defer { swap(&path, &source) }
        let period = dashes.reduce(0, +)
        var travelled = phase
        var state = DashState(dashes: dashes, period: period, at: phase)
        path.removeAll(keepingCapacity: true)
        if state.isOn, let first = source.first { path.append(first) }
        for index in source.indices.dropLast() {
            let from = source[index]
            let along = source[index + 1] - from
            let length = along.length
            guard length > 0 else { continue }
            let visible = visiblePart(from: from, along: along, length: length)
            if visible.lowerBound > 0 {
                strokePath(isClosed: false)
                path.removeAll(keepingCapacity: true)
                state = DashState(dashes: dashes, period: period, at: travelled + visible.lowerBound)
                if state.isOn { path.append(from + along * (visible.lowerBound / length)) }
            }
            var position = visible.lowerBound
            while position + state.left <= visible.upperBound {
                position += state.left
                let place = from + along * (position / length)
                if state.isOn {
                    path.append(place)
                    strokePath(isClosed: false)
                    path.removeAll(keepingCapacity: true)
                } else {
                    path.append(place)
                }
                state.advance(dashes)
            }
            state.left -= visible.upperBound - position
            if state.isOn { path.append(from + along * (visible.upperBound / length)) }
            travelled += length
            if visible.upperBound < length {
                strokePath(isClosed: false)
                path.removeAll(keepingCapacity: true)
                state = DashState(dashes: dashes, period: period, at: travelled)
                if state.isOn { path.append(source[index + 1]) }
            }
        }
        strokePath(isClosed: false)
    }

    /// The distances along a segment between which its stroke may touch the canvas; empty at 0 if none.
    private func visiblePart(from: StrokeVector, along: StrokeVector, length: Double) -> ClosedRange<Double> {
        let margin = radius * 2 + 512
        var low = 0.0
        var high = 1.0
        for (start, delta, size) in [(from.x, along.x, canvas.width), (from.y, along.y, canvas.height)] {
            let first = -margin - start
            let last = size * 256 + margin - start
            if delta == 0 {
                if first > 0 || last < 0 { high = 0 }
            } else {
                low = max(low, min(first / delta, last / delta))
                high = min(high, max(first / delta, last / delta))
            }
        }
        return low < high ? (low * length)...(high * length) : 0...0
    }

    /// Adds the outline of `path`.
    private mutating func strokePath(isClosed: Bool) {
        measurePath(isClosed: isClosed)
        guard let first = path.first else { return }
        guard let firstDirection = directions.first, let lastDirection = directions.last else {
            addDot(at: first)
            return
        }
        returning.removeAll(keepingCapacity: true)
        let count = path.count
        if isClosed, count > 2 {
            for index in 0..<count { addJoin(at: index, after: index == 0 ? count - 1 : index - 1) }
            endRing()
            outlinePoints.append(contentsOf: returning.reversed())
            endRing()
            return
        }
        let startNormal = normal(firstDirection)
        let endNormal = normal(lastDirection)
        addCap(at: first, from: -startNormal, direction: -firstDirection, cuts.contains(.start) ? .butt : cap)
        for index in 1..<max(1, count - 1) { addJoin(at: index, after: index - 1) }
        addCap(at: path[count - 1], from: endNormal, direction: lastDirection, cuts.contains(.end) ? .butt : cap)
        outlinePoints.append(contentsOf: returning.reversed())
        endRing()
    }

    /// Drops repeated vertices and fills `directions` and `lengths`, one per segment.
    private mutating func measurePath(isClosed: Bool) {
        directions.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        var kept = 0
        for index in path.indices {
            let point = path[index]
            if kept > 0 {
                let along = point - path[kept - 1]
                let length = along.length
                guard length > 0 else { continue }
                directions.append(along * (1 / length))
                lengths.append(length)
            }
            path[kept] = point
            kept += 1
        }
        path.removeLast(path.count - kept)
        guard isClosed else { return }
        if let last = path.last, kept > 1, (path[0] - last).length == 0 { path.removeLast() }
        guard path.count > 2 else {
            directions.removeLast(max(0, directions.count - max(0, path.count - 1)))
            return
        }
        if directions.count < path.count {
            let along = path[0] - path[path.count - 1]
            let length = along.length
            directions.append(along * (1 / length))
            lengths.append(length)
        }
    }

    private func normal(_ direction: StrokeVector) -> StrokeVector {
        StrokeVector(x: direction.y * radius, y: -direction.x * radius)
    }

    /// A line of no length: a dot with round caps, a square with square ones, nothing with butt ones.
    private mutating func addDot(at centre: StrokeVector) {
        let right = StrokeVector(x: radius, y: 0)
        let down = StrokeVector(x: 0, y: radius)
        switch cap {
        case .butt: return
        case .square:
            for corner in [right + down, down - right, -right - down, right - down] { append(centre + corner) }
        case .round:
            append(centre + right)
            addArc(around: centre, from: right, to: -right, by: down)
            addArc(around: centre, from: -right, to: right, by: -down)
        }
        endRing()
    }

    /// From `centre + from` around the end of the line to the opposite side.
    private mutating func addCap(at centre: StrokeVector, from: StrokeVector, direction: StrokeVector, _ cap: LineCap) {
        append(centre + from)
        switch cap {
        case .butt: break
        case .square:
            append(centre + from + direction * radius)
            append(centre - from + direction * radius)
        case .round:
            addArc(around: centre, from: from, to: -from, by: direction * radius)
            return
        }
        append(centre - from)
    }

    /// Adds both sides of the bend at vertex `index`: this side to the outline, the other to `returning`.
    private mutating func addJoin(at index: Int, after previous: Int) {
        let centre = path[index]
        let before = normal(directions[previous])
        let after = normal(directions[index])
        let apart = after - before
        let square = radius * radius
        let dot = before.dot(after)
        if dot > 0, apart.dot(apart) < Self.smoothTurn {
            let middle = (before + after) * 0.5
            append(centre + middle)
            returning.append(rounded(centre - middle))
            return
        }
        let cross = before.cross(after)
        let reach = min(lengths[previous], lengths[index]) * 0.5
        let sum = square + dot
        let meets = sum > square / 256 && abs(cross) * radius <= reach * sum
        let inner: StrokeVector? = meets ? (before + after) * (square / sum) : nil
        if cross > 0 {
            addOuter(around: centre, from: before, to: after, by: directions[previous])
            if let inner {
                returning.append(rounded(centre - inner))
            } else {
                returning.append(rounded(centre - before))
                returning.append(rounded(centre))
                returning.append(rounded(centre - after))
            }
        } else {
            if let inner {
                append(centre + inner)
            } else {
                append(centre + before)
                append(centre)
                append(centre + after)
            }
            let mark = outlinePoints.count
            addOuter(around: centre, from: -before, to: -after, by: directions[previous])
            returning.append(contentsOf: outlinePoints[mark...])
            outlinePoints.removeLast(outlinePoints.count - mark)
        }
    }

    /// The outer side of a bend, from `centre + from` to `centre + to`.
    private mutating func addOuter(
        around centre: StrokeVector, from: StrokeVector, to: StrokeVector, by direction: StrokeVector
    ) {
        append(centre + from)
        switch join {
        case .bevel: break
        case .miter:
            let square = radius * radius
            let sum = square + from.dot(to)
            if 2 * square <= miterLimit * miterLimit * sum { append(centre + (from + to) * (square / sum)) }
        case .round:
            addArc(around: centre, from: from, to: to, by: direction * radius)
            return
        }
        append(centre + to)
    }

    /// The arc after `from` up to and with `to`, the short way round; `middle` tells the way for a half turn.
    private mutating func addArc(
        around centre: StrokeVector, from: StrokeVector, to: StrokeVector, by middle: StrokeVector
    ) {
        let sum = from + to
        let length = sum.length
        if radius - length / 2 > Self.flatness {
            let halfway = length > radius / 1024 ? sum * (radius / length) : middle
            addArc(around: centre, from: from, to: halfway, by: middle)
            addArc(around: centre, from: halfway, to: to, by: middle)
        } else {
            append(centre + to)
        }
    }

    private mutating func append(_ place: StrokeVector) {
        outlinePoints.append(rounded(place))
    }

    private mutating func endRing() {
        outlineParts.append(DisplayList.Part(end: outlinePoints.count, isClosed: true))
    }

    /// Nearest units, ties to even. Adding 1.5 · 2⁵² leaves the integer in the low bits: one instruction, and never a
    /// trap. Places are within ±2²⁹: coordinates within ±2²⁸, the width and miter limits add at most 2²⁵.
    private func rounded(_ place: StrokeVector) -> FixedPoint {
        let shift = 6_755_399_441_055_744.0
        return FixedPoint(
            x: Int32(truncatingIfNeeded: (place.x + shift).bitPattern),
            y: Int32(truncatingIfNeeded: (place.y + shift).bitPattern))
    }
}
