// A stroke becomes polygons that are filled non-zero: down one side of the line and back the other. The outer side of a
// bend has the join; on the inner side the outline meets at the inner miter or runs through the vertex. So every
// winding is positive, and overlaps are painted once.

/// Turns lines into the rings that cover them, reusing its buffers. Coverage is a sum over edges, so it does not matter
/// when a ring reaches the band, nor whether it comes in two pieces that share an edge: an outline of more than
/// `pointLimit` points goes to the band piece by piece, and memory stays the same however many dashes a line has.
struct Stroker {
    static let widthLimit: Int32 = 4096 << 8
    /// How far a curve may run beside its chord: 3/64 px.
    private static let flatness = 12.0
    /// Ends of two normals nearer than ⅛ px (squared) need no join.
    private static let smoothTurn = 32.0 * 32.0

    /// The rings of the last command that no band has.
    private(set) var outlinePoints: [FixedPoint] = []
    private(set) var outlineParts: [Path.Part] = []
    /// Points of rings collected before a band gets them.
    var pointLimit = 1 << 18
    /// Dashes outside of the canvas's columns are not made.
    let widthPx: Int
    /// The rows that count, in units from the top of the canvas: dashes above and below are not made, and bends not rounded.
    var rows = 0.0...0.0

    var path: [StrokeVector] = []
    /// Of the segment that starts at each vertex; directions are of length 1.
    private var directions: [StrokeVector] = []
    private var lengths: [Double] = []
    private var returning: [FixedPoint] = []
    var source: [StrokeVector] = []
    var dashes: [Double] = []

    var radius = 0.0
    private var cap = LineCap.butt
    private var cuts: LineCuts = []
    private(set) var join = LineJoin.miter
    private(set) var miterLimit = 4.0

    private var hasHandedOver = false
    private var work = 0

    init(widthPx: Int) { self.widthPx = widthPx }
    var outline: PathParts { PathParts(points: outlinePoints, start: 0, parts: outlineParts[...]) }

    /// Returns whether `band` got all rings of `lines`, as they have more than `pointLimit` points; else they are in
    /// `outlinePoints` and `outlineParts`. Throws `cancelled`.
    mutating func outline(
        _ lines: PathParts, style: StrokeStyle, rows: Range<Int>, into band: inout CoverageBand, shouldStop: () -> Bool
    ) throws(RasterError) -> Bool {
        outlinePoints.removeAll(keepingCapacity: true)
        outlineParts.removeAll(keepingCapacity: true)
        hasHandedOver = false
        self.rows = Double(rows.lowerBound << 8)...Double(rows.upperBound << 8)
        radius = Double(max(0, min(style.width, Self.widthLimit))) / 2
        guard radius > 0 else { return false }
        cap = style.cap
        join = style.join
        miterLimit = style.miterLimit >= 1 ? min(style.miterLimit, 64) : 1
        setDashes(style.dashes)
        var start = lines.start
        for part in lines.parts {
            path.removeAll(keepingCapacity: true)
            for point in lines.points[start..<part.end] {
                path.append(StrokeVector(x: Double(point.x), y: Double(point.y)))
            }
            start = part.end
            cuts = dashes.isEmpty ? part.cuts : []
            if dashes.isEmpty {
                try strokePath(isClosed: part.isClosed, &band, shouldStop)
            } else {
                if part.isClosed, let first = path.first { path.append(first) }
                try strokeDashes(from: part.phase, &band, shouldStop)
            }
        }
        if hasHandedOver { handOver(to: &band) }
        return hasHandedOver
    }

    private mutating func handOver(to band: inout CoverageBand) {
        hasHandedOver = true
        band.addRings(outlinePoints, outlineParts)
        outlinePoints.removeAll(keepingCapacity: true)
        outlineParts.removeAll(keepingCapacity: true)
    }

    mutating func count(_ amount: Int, _ shouldStop: () -> Bool) throws(RasterError) {
        work += amount
        guard work >= Rasteriser.pointsPerQuestion else { return }
        work = 0
        if shouldStop() { throw .cancelled }
    }

    mutating func strokePath(isClosed: Bool, _ band: inout CoverageBand, _ shouldStop: () -> Bool) throws(RasterError) {
        measurePath(isClosed: isClosed)
        guard let first = path.first else { return }
        let start = outlinePoints.count
        guard let firstDirection = directions.first, let lastDirection = directions.last else {
            addDot(at: first)
            try endPath(from: start, &band, shouldStop)
            return
        }
        returning.removeAll(keepingCapacity: true)
        let count = path.count
        if isClosed, count > 2 {
            for index in 0..<count {
                addJoin(at: index, after: index == 0 ? count - 1 : index - 1)
                try endBend(isClosed: true, &band, shouldStop)
            }
            endRing()
            outlinePoints.append(contentsOf: returning.reversed())
            endRing()
            try endPath(from: start, &band, shouldStop)
            return
        }
        let startNormal = normal(firstDirection)
        let endNormal = normal(lastDirection)
        addCap(at: first, from: -startNormal, direction: -firstDirection, cuts.contains(.start) ? .butt : cap)
        for index in 1..<max(1, count - 1) {
            addJoin(at: index, after: index - 1)
            try endBend(isClosed: false, &band, shouldStop)
        }
        addCap(at: path[count - 1], from: endNormal, direction: lastDirection, cuts.contains(.end) ? .butt : cap)
        outlinePoints.append(contentsOf: returning.reversed())
        endRing()
        try endPath(from: start, &band, shouldStop)
    }

    private mutating func endPath(
        from start: Int, _ band: inout CoverageBand, _ shouldStop: () -> Bool
    ) throws(RasterError) {
        if outlinePoints.count > pointLimit { handOver(to: &band) }
        try count(max(1, outlinePoints.count - start), shouldStop)
    }

    /// After a bend: with too many points collected, cuts the outline across the line and hands over what lies before.
    private mutating func endBend(
        isClosed: Bool, _ band: inout CoverageBand, _ shouldStop: () -> Bool
    ) throws(RasterError) {
        try count(1, shouldStop)
        guard outlinePoints.count + returning.count > pointLimit else { return }
        let start = outlineParts.last?.end ?? 0
        // Both pieces have the cut as an edge, once in each direction: together it is none. The sides of a closed line
        // are rings of their own, each cut between its first point and here.
        guard start < outlinePoints.count, let lastLeft = outlinePoints.last, let right = returning.first,
            let lastRight = returning.last
        else { return }
        let left = outlinePoints[start]
        if isClosed { endRing() }
        outlinePoints.append(contentsOf: returning.reversed())
        endRing()
        handOver(to: &band)
        outlinePoints += isClosed ? [left, lastLeft] : [lastLeft]
        returning.removeAll(keepingCapacity: true)
        returning += isClosed ? [right, lastRight] : [lastRight]
    }

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

    private mutating func addCap(at centre: StrokeVector, from: StrokeVector, direction: StrokeVector, _ cap: LineCap) {
        append(centre + from)
        switch cap {
        case .butt: break
        case .square:
            append(centre + from + direction * radius)
            append(centre - from + direction * radius)
        case .round:
            addBend(around: centre, from: from, to: -from, by: direction * radius)
            return
        }
        append(centre - from)
    }

    /// Adds this side of the bend at vertex `index` to the outline, the other to `returning`.
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
            addBend(around: centre, from: from, to: to, by: direction * radius)
            return
        }
        append(centre + to)
    }

    /// The arc after `from` up to and with `to`; only its end above and below the rows that count.
    private mutating func addBend(
        around centre: StrokeVector, from: StrokeVector, to: StrokeVector, by middle: StrokeVector
    ) {
        if centre.y + radius + 2 < rows.lowerBound || centre.y - radius - 2 > rows.upperBound {
            append(centre + to)
        } else {
            addArc(around: centre, from: from, to: to, by: middle)
        }
    }

    /// The arc after `from` up to and with `to`, the short way round; `middle` tells the way of a half turn.
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

    private mutating func append(_ place: StrokeVector) { outlinePoints.append(rounded(place)) }
    private mutating func endRing() { outlineParts.append(Path.Part(end: outlinePoints.count, isClosed: true)) }

    /// Nearest units, ties to even. Adding 1.5 · 2⁵² leaves the integer in the low bits: one instruction, and never a
    /// trap. Places are within ±2²⁹: coordinates within ±2²⁸, the width and miter limits add at most 2²⁵.
    private func rounded(_ place: StrokeVector) -> FixedPoint {
        let shift = 6_755_399_441_055_744.0
        return FixedPoint(
            x: Int32(truncatingIfNeeded: (place.x + shift).bitPattern),
            y: Int32(truncatingIfNeeded: (place.y + shift).bitPattern))
    }
}
