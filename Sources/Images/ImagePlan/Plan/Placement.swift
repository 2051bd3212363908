import Parameters

/// Why a plan cannot be finished.
enum PlanInterruption: Error {
    /// This has to be found out first.
    case ask(PixelQuery)
    /// The request cannot be carried out.
    case refuse(PlanError)
}

/// Finds the part of a picture that gravity keeps. Pictures of pixels are asked about in stored coordinates.
struct Placement {
    /// The size of the picture as it is seen.
    let turned: PixelSize
    /// How the stored picture became the one that is seen.
    let orientation: Orientation
    /// What is known of the pixels.
    let analysis: AnalysisResults

    /// The part of `region` (of the picture as it is seen) that is left when borders are cut; all of it where all is border.
    func trimmed(tolerance: Int?) throws(PlanInterruption) -> PixelRect {
        guard let tolerance else { return PixelRect(covering: turned) }
        let question = PixelQuery.trim(
            tolerance: tolerance, corner: ImageCorner(seenAtTopLeftAfter: orientation))
        guard let answer = analysis[question] else { throw .ask(question) }
        let stored = orientation.inverse.applied(to: turned)
        guard case .region(let found) = answer, let inside = found.clipped(to: stored) else {
            return PixelRect(covering: turned)
        }
        return orientation.applied(to: inside, within: stored)
    }

    /// Where something of `inner` lies in `outer`, which is nowhere smaller and stands for `region` of the picture as it is
    /// seen, perhaps resized.
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
            let point = seen(min(max(x, 0), 1), min(max(y, 0), 1))
            return Self.place(inner, in: outer, aroundX: point.x, y: point.y)
        }
    }

    /// Where a point of the stored picture, each 0…1 of its sides, is seen.
    private func seen(_ x: Double, _ y: Double) -> (x: PlainDecimal, y: PlainDecimal) {
        let start = (orientation.isMirrored ? 1 - x : x, y)
        let (column, row) =
            switch orientation.quarterTurns {
            case 1: (1 - start.1, start.0)
            case 2: (1 - start.0, 1 - start.1)
            case 3: (start.1, 1 - start.0)
            default: start
            }
        return (PlainDecimal(floatLiteral: column), PlainDecimal(floatLiteral: row))
    }

    /// As near to having the point in its middle as fits; halves round down, as for the middle itself.
    static func place(_ inner: PixelSize, in outer: PixelSize, aroundX x: PlainDecimal, y: PlainDecimal) -> PixelRect {
        PixelRect(
            x: start(inner.widthPx, in: outer.widthPx, around: x),
            y: start(inner.heightPx, in: outer.heightPx, around: y),
            widthPx: inner.widthPx, heightPx: inner.heightPx)
    }

    private static func start(_ inner: Int, in outer: Int, around share: PlainDecimal) -> Int {
        let unit = Int128(1_000_000_000)
        // Twice the start in billionths, and the nearest whole number with halves down: that is rounding up what lies half
        // a pixel below.
        let doubled = 2 * Int128(share.billionths) * Int128(outer) - Int128(inner) * unit
        let numerator = doubled - unit
        let quotient = numerator / (2 * unit)
        let nearest = numerator > 0 && numerator % (2 * unit) != 0 ? quotient + 1 : quotient
        return min(max(0, Int(nearest)), outer - inner)
    }

    /// `length` × `part` ÷ `whole`, rounded half up, within 1…`part`.
    private static func scaled(_ length: Int, _ part: Int, _ whole: Int) -> Int {
        min(part, max(1, (2 * length * part + whole) / (2 * whole)))
    }
}

extension Compass {
    /// Where something of `inner` lies in `outer`, which is nowhere smaller. Halves round down, towards the top left.
    func place(_ inner: PixelSize, in outer: PixelSize) -> PixelRect {
        let free = PixelSize(widthPx: outer.widthPx - inner.widthPx, heightPx: outer.heightPx - inner.heightPx)
        let x =
            switch self {
            case .left, .topLeft, .bottomLeft: 0
            case .center, .top, .bottom: free.widthPx / 2
            case .right, .topRight, .bottomRight: free.widthPx
            }
        let y =
            switch self {
            case .top, .topLeft, .topRight: 0
            case .center, .left, .right: free.heightPx / 2
            case .bottom, .bottomLeft, .bottomRight: free.heightPx
            }
        return PixelRect(x: x, y: y, widthPx: inner.widthPx, heightPx: inner.heightPx)
    }
}

extension PixelRect {
    /// What of it lies in a picture of `size`; nil where nothing does.
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
