import Parameters

enum PlanInterruption: Error {
    case ask(PixelQuery)
    case refuse(PlanError)
}

/// Finds the part of an image that gravity keeps. Pixel queries use stored coordinates.
struct Placement {
    let turned: PixelSize
    let orientation: Orientation
    let analysis: AnalysisResults
    /// Of the displayed image.
    let focalPoint: FocalPoint?

    /// The part without borders, in the displayed image; all of it if all is border.
    func trimmed(tolerance: Int?) throws(PlanInterruption) -> PixelRect {
        guard let tolerance else { return PixelRect(covering: turned) }
        let question = PixelQuery.trim(tolerance: tolerance, corner: ImageCorner(seenAtTopLeftAfter: orientation))
        guard let answer = analysis[question] else { throw .ask(question) }
        let stored = orientation.inverse.applied(to: turned)
        guard case .region(let found) = answer, let inside = found.clipped(to: stored) else {
            return PixelRect(covering: turned)
        }
        return orientation.applied(to: inside, within: stored)
    }

    /// The place of `inner` in `outer`, nowhere smaller, which stands for `region` of the displayed image.
    func place(
        _ inner: PixelSize, in outer: PixelSize, of region: PixelRect, by gravity: Gravity
    ) throws(PlanInterruption) -> PixelRect {
        guard inner != outer else { return PixelRect(covering: outer) }
        switch gravity {
        case .compass(let compass): return compass.place(inner, in: outer)
        case .focus(let x, let y): return Self.place(inner, in: outer, aroundX: x, y: y)
        case .interest(let interest, let compass):
            let undo = orientation.inverse
            let keeping = PixelSize(
                widthPx: Self.scaled(inner.widthPx, region.widthPx, outer.widthPx),
                heightPx: Self.scaled(inner.heightPx, region.heightPx, outer.heightPx))
            let question = PixelQuery.focus(
                interest, region: undo.applied(to: region, within: turned), keeping: undo.applied(to: keeping))
            guard let answer = analysis[question] else { throw .ask(question) }
            guard case .point(let x, let y) = answer, x.isFinite, y.isFinite else {
                return compass.place(inner, in: outer)
            }
            let found = FocalPoint(
                x: PlainDecimal(floatLiteral: min(max(x, 0), 1)), y: PlainDecimal(floatLiteral: min(max(y, 0), 1)))
            let point = orientation.applied(to: found)
            return Self.place(inner, in: outer, aroundX: point.x, y: point.y)
        case .stored(let compass):
            guard let point = focalPoint?.within(region, of: turned) else {
                return try place(inner, in: outer, of: region, by: .interest(.attention, otherwise: compass))
            }
            return Self.place(inner, in: outer, aroundX: point.x, y: point.y)
        }
    }

    /// Centres the point as far as possible; halves round down, as for the middle itself.
    static func place(_ inner: PixelSize, in outer: PixelSize, aroundX x: PlainDecimal, y: PlainDecimal) -> PixelRect {
        PixelRect(
            x: start(inner.widthPx, in: outer.widthPx, around: x),
            y: start(inner.heightPx, in: outer.heightPx, around: y), widthPx: inner.widthPx, heightPx: inner.heightPx)
    }

    private static func start(_ inner: Int, in outer: Int, around share: PlainDecimal) -> Int {
        let unit = Int128(1_000_000_000)
        // Twice the start in billionths, rounded to the nearest with halves down: half a pixel less, rounded up.
        let doubled = 2 * Int128(share.billionths) * Int128(outer) - Int128(inner) * unit
        let numerator = doubled - unit
        let quotient = numerator / (2 * unit)
        let nearest = numerator > 0 && numerator % (2 * unit) != 0 ? quotient + 1 : quotient
        return min(max(0, Int(nearest)), outer - inner)
    }

    private static func scaled(_ length: Int, _ part: Int, _ whole: Int) -> Int {
        min(part, max(1, (2 * length * part + whole) / (2 * whole)))
    }
}

extension Compass {
    /// The place of `inner` in `outer`, nowhere smaller. Halves round down, towards the top left.
    func place(_ inner: PixelSize, in outer: PixelSize) -> PixelRect {
        let free = PixelSize(widthPx: outer.widthPx - inner.widthPx, heightPx: outer.heightPx - inner.heightPx)
        return PixelRect(
            x: column * free.widthPx / 2, y: row * free.heightPx / 2, widthPx: inner.widthPx, heightPx: inner.heightPx)
    }

    /// 0 left, 1 middle, 2 right.
    package var column: Int {
        switch self {
        case .left, .topLeft, .bottomLeft: 0
        case .center, .top, .bottom: 1
        case .right, .topRight, .bottomRight: 2
        }
    }

    /// 0 top, 1 middle, 2 bottom.
    package var row: Int {
        switch self {
        case .top, .topLeft, .topRight: 0
        case .center, .left, .right: 1
        case .bottom, .bottomLeft, .bottomRight: 2
        }
    }
}

extension PixelRect {
    func clipped(to size: PixelSize) -> PixelRect? {
        guard let columns = Self.clipped(x, widthPx, to: size.widthPx),
            let rows = Self.clipped(y, heightPx, to: size.heightPx)
        else { return nil }
        return PixelRect(x: columns.lowerBound, y: rows.lowerBound, widthPx: columns.count, heightPx: rows.count)
    }

    private static func clipped(_ start: Int, _ count: Int, to side: Int) -> Range<Int>? {
        let (end, overflow) = start.addingReportingOverflow(count)
        let (low, high) = (max(0, start), overflow ? side : min(side, end))
        return low < high ? low..<high : nil
    }
}
