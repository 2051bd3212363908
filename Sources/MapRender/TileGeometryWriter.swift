import Raster
import Tiles

// Geometry is cut at the exact square of its tile, in whole units that both neighbours share. Polygons then meet along
// the seam without gap or overlap, and so do lines, which keep butt ends there: the seam cannot be seen.
//
// It is not cut at the canvas, where a cut would have to be rounded to units and tilt its edge: what shows of a shape does
// not depend on where the canvas ends, so a picture moved by whole pixels shows the same pixels. (But for one level of 255
// where a shape crosses the side of a tile just outside the canvas: it is cut there only if the neighbour is on it.) The
// rasteriser passes over what lies outside; only segments of lines that cannot show are left out here.

/// Moves features from tile coordinates to the canvas, cuts them there and adds them to a display list. Reuses its buffers.
struct TileGeometryWriter {
    private typealias TileBox = (minX: Int32, minY: Int32, maxX: Int32, maxY: Int32)

    /// How far outside the canvas geometry is cut after all, in units: half a million pixels, half of what a display list
    /// holds. Rounding a cut so far away moves no pixel.
    private static let farReach = 134_217_728.0

    // All places are relative to the north-west corner of the tile, which lies on whole units: rounding is the same
    // wherever the canvas is.

    /// Where geometry is cut: the sides of the tile that lie on the canvas, and far outside.
    private var clip = UnitRect(left: 0, top: 0, right: 0, bottom: 0)
    /// What may show of the present tile.
    private var shown = UnitRect(left: 0, top: 0, right: 0, bottom: 0)
    /// `shown` in tile coordinates, rounded outwards; what lies beyond is dropped unseen.
    private var visible: TileBox = (0, 0, 0, 0)
    /// `clip` in tile coordinates, rounded inwards; what lies within needs no cutting.
    private var safe: TileBox = (0, 0, 0, 0)
    /// `shown` in tile coordinates, rounded inwards; lines within have no segment to leave out.
    private var near: TileBox = (0, 0, 0, 0)
    /// The corner of the tile on the canvas.
    private var origin = UnitPoint(x: 0, y: 0)
    private var stepX = 1.0
    private var stepY = 1.0

    private var ring: [UnitPoint] = []
    private var cutRing: [UnitPoint] = []

    /// Starts on a layer of a tile: its square on the canvas and the extent of its coordinates, at least 1.
    ///
    /// `margin` is how far, in units, lines reach over their geometry. The tile's own buffer is used beyond sides that are
    /// not on the canvas: there the neighbour is not loaded. False when nothing of the tile can show.
    mutating func begin(square: UnitRect, extent: Int, canvas: UnitRect, margin: Double) -> Bool {
        let canvas = canvas.moved(byX: -square.left, y: -square.top)
        let (width, height) = (square.right - square.left, square.bottom - square.top)
        clip = canvas.expanded(by: Self.farReach)
        if canvas.left < 0 { clip.left = 0 }
        if canvas.top < 0 { clip.top = 0 }
        if canvas.right > width { clip.right = width }
        if canvas.bottom > height { clip.bottom = height }
        shown = canvas.expanded(by: margin).intersection(clip)
        origin = UnitPoint(x: square.left, y: square.top)
        stepX = width / Double(extent)
        stepY = height / Double(extent)
        guard !shown.isEmpty, stepX > 0, stepY > 0 else { return false }
        visible = box(shown, least: .down, most: .up)
        near = box(shown, least: .up, most: .down)
        safe = box(clip, least: .up, most: .down)
        return true
    }

    /// A rectangle of the canvas in tile coordinates.
    private func box(
        _ rect: UnitRect, least: FloatingPointRoundingRule, most: FloatingPointRoundingRule
    ) -> TileBox {
        (
            Self.held(rect.left / stepX, least), Self.held(rect.top / stepY, least),
            Self.held(rect.right / stepX, most), Self.held(rect.bottom / stepY, most)
        )
    }

    private static func held(_ value: Double, _ rule: FloatingPointRoundingRule) -> Int32 {
        Int32(max(-1e9, min(1e9, value.rounded(rule))))
    }

    /// Adds the rings of one polygon feature.
    ///
    /// Exterior rings run one way and holes the other; should a tile have it reversed, as some of version 1 do, the first
    /// ring tells, and all are turned: features painted together must not cancel each other.
    mutating func addPolygons(_ geometry: TileGeometry, to list: inout DisplayList) {
        var isReversed = false
        for index in 0..<geometry.partCount {
            let points = geometry.points[geometry.part(index)]
            if index == 0 { isReversed = Self.signedArea(points) < 0 }
            let extremes = Self.extremes(points)
            guard isVisible(extremes), points.count > 2 else { continue }
            ring.removeAll(keepingCapacity: true)
            for point in points { ring.append(place(point)) }
            if !Self.lies(extremes, within: safe) { cutRingToClip() }
            guard ring.count > 2 else { continue }
            if isReversed {
                for point in ring.reversed() { list.addPoint(fixed(point)) }
            } else {
                for point in ring { list.addPoint(fixed(point)) }
            }
            list.endPart(closed: true)
        }
    }

    /// Adds the lines of one feature; of polygons, their outlines.
    mutating func addLines(_ geometry: TileGeometry, closed isClosed: Bool, to list: inout DisplayList) {
        for index in 0..<geometry.partCount {
            let points = geometry.points[geometry.part(index)]
            let extremes = Self.extremes(points)
            guard isVisible(extremes), points.count > 1 else { continue }
            if Self.lies(extremes, within: isClosed ? safe : near) {
                for point in points { list.addPoint(fixed(place(point))) }
                list.endPart(closed: isClosed)
            } else {
                ring.removeAll(keepingCapacity: true)
                for point in points { ring.append(place(point)) }
                if isClosed, !openRing() {
                    for point in ring { list.addPoint(fixed(point)) }
                    list.endPart(closed: true)
                } else {
                    addCutLine(to: &list)
                }
            }
        }
    }

    private func place(_ point: TilePoint) -> UnitPoint {
        UnitPoint(x: Double(point.x) * stepX, y: Double(point.y) * stepY)
    }

    /// Makes a line of a ring that is cut: from a point outside and back, so that every bend inside keeps its join. False
    /// when all of it is inside.
    private mutating func openRing() -> Bool {
        guard let outside = ring.firstIndex(where: { !clip.contains($0) }) else { return false }
        cutRing.removeAll(keepingCapacity: true)
        cutRing.append(contentsOf: ring[outside...])
        cutRing.append(contentsOf: ring[...outside])
        swap(&ring, &cutRing)
        return true
    }

    private func isVisible(_ box: TileBox) -> Bool {
        box.minX <= visible.maxX && box.maxX >= visible.minX && box.minY <= visible.maxY && box.maxY >= visible.minY
    }

    private static func lies(_ box: TileBox, within outer: TileBox) -> Bool {
        box.minX >= outer.minX && box.maxX <= outer.maxX && box.minY >= outer.minY && box.maxY <= outer.maxY
    }

    private static func extremes(_ points: ArraySlice<TilePoint>) -> TileBox {
        var box: TileBox = (Int32.max, Int32.max, Int32.min, Int32.min)
        for point in points {
            box.minX = min(box.minX, point.x)
            box.minY = min(box.minY, point.y)
            box.maxX = max(box.maxX, point.x)
            box.maxY = max(box.maxY, point.y)
        }
        return box
    }

    /// Twice the area; positive for exterior rings of MVT 2 (clockwise on the screen).
    private static func signedArea(_ points: ArraySlice<TilePoint>) -> Double {
        guard var previous = points.last else { return 0 }
        var sum = 0.0
        for point in points {
            sum += Double(previous.x) * Double(point.y) - Double(point.x) * Double(previous.y)
            previous = point
        }
        return sum
    }

    /// Sutherland–Hodgman against the four sides. Bridges along a side run forth and back and cancel.
    private mutating func cutRingToClip() {
        let rect = clip
        cutRing(by: { $0.x - rect.left })
        cutRing(by: { rect.right - $0.x })
        cutRing(by: { $0.y - rect.top })
        cutRing(by: { rect.bottom - $0.y })
    }

    /// Keeps what has a distance of at least 0 to a side.
    @inline(__always)
    private mutating func cutRing(by distance: (UnitPoint) -> Double) {
        guard var previous = ring.last else { return }
        cutRing.removeAll(keepingCapacity: true)
        var previousDistance = distance(previous)
        for point in ring {
            let pointDistance = distance(point)
            if (previousDistance >= 0) != (pointDistance >= 0) {
                let share = previousDistance / (previousDistance - pointDistance)
                cutRing.append(Self.between(previous, point, share))
            }
            if pointDistance >= 0 { cutRing.append(point) }
            previous = point
            previousDistance = pointDistance
        }
        swap(&ring, &cutRing)
    }

    /// Adds the pieces of `ring`, taken as a line, within the clip, without segments that cannot show.
    ///
    /// A line that crosses at a vertex is cut a little later, so that the tile which it leaves has the join.
    ///
    /// The phase of a piece is its distance along the whole line, added up over rounded points as the stroker does it.
    private mutating func addCutLine(to list: inout DisplayList) {
        var isDrawing = false
        // Whether the line was outside the clip just before the present segment.
        var isEntering = false
        var cuts: LineCuts = []
        var phase = 0.0
        var travelled = 0.0
        for index in ring.indices.dropLast() {
            let from = ring[index]
            let to = ring[index + 1]
            defer { travelled += Self.distance(from, to) }
            let mayShow = mayShow(from, to)
            guard mayShow, let inside = shareInside(from, to) else {
                if isDrawing {
                    if mayShow { list.addPoint(fixed(Self.between(from, to, Self.shareOfStub(from, to)))) }
                    list.endPart(cuts: cuts.union(.end), phase: phase)
                }
                isDrawing = false
                isEntering = mayShow
                continue
            }
            if !isDrawing {
                var share = inside.lowerBound
                if isEntering, share == 0 { share = min(Self.shareOfStub(from, to), inside.upperBound) }
                let start = Self.between(from, to, share)
                cuts = share > 0 || index > 0 ? .start : []
                phase = travelled + Self.distance(from, start)
                list.addPoint(fixed(start))
                isDrawing = true
            }
            list.addPoint(fixed(Self.between(from, to, inside.upperBound)))
            if inside.upperBound < 1 {
                list.endPart(cuts: cuts.union(.end), phase: phase)
                isDrawing = false
                isEntering = true
            }
        }
        if isDrawing { list.endPart(cuts: cuts, phase: phase) }
    }

    /// Which share of a segment belongs to the tile that the line leaves at its first point: a pixel.
    private static func shareOfStub(_ from: UnitPoint, _ to: UnitPoint) -> Double {
        let length = distance(from, to)
        return length > 256 ? 256 / length : 1
    }

    /// Whether a segment may touch what shows.
    private func mayShow(_ from: UnitPoint, _ to: UnitPoint) -> Bool {
        max(from.x, to.x) >= shown.left && min(from.x, to.x) <= shown.right && max(from.y, to.y) >= shown.top
            && min(from.y, to.y) <= shown.bottom
    }

    /// How far apart two places are once they are rounded to units.
    private static func distance(_ from: UnitPoint, _ to: UnitPoint) -> Double {
        let x = to.x.rounded(.toNearestOrEven) - from.x.rounded(.toNearestOrEven)
        let y = to.y.rounded(.toNearestOrEven) - from.y.rounded(.toNearestOrEven)
        return (x * x + y * y).squareRoot()
    }

    /// Which share of a segment is within the clip (Liang–Barsky), or nil.
    private func shareInside(_ from: UnitPoint, _ to: UnitPoint) -> ClosedRange<Double>? {
        var low = 0.0
        var high = 1.0
        func narrow(_ start: Double, _ delta: Double, _ least: Double, _ most: Double) {
            if delta == 0 {
                if start < least || start > most { high = -1 }
            } else {
                let first = (least - start) / delta
                let second = (most - start) / delta
                low = max(low, min(first, second))
                high = min(high, max(first, second))
            }
        }
        narrow(from.x, to.x - from.x, clip.left, clip.right)
        narrow(from.y, to.y - from.y, clip.top, clip.bottom)
        return low < high ? low...high : nil
    }

    private static func between(_ from: UnitPoint, _ to: UnitPoint, _ share: Double) -> UnitPoint {
        if share <= 0 { return from }
        if share >= 1 { return to }
        return UnitPoint(x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share)
    }

    /// The place on the canvas in nearest units, without a trap, see `Stroker.rounded`. What is drawn was cut to `farReach`,
    /// so it fits.
    private func fixed(_ point: UnitPoint) -> FixedPoint {
        let shift = 6_755_399_441_055_744.0
        return FixedPoint(
            x: Int32(truncatingIfNeeded: (point.x + shift + origin.x).bitPattern),
            y: Int32(truncatingIfNeeded: (point.y + shift + origin.y).bitPattern))
    }
}
