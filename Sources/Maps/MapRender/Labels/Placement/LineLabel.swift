struct LineLabel {
    enum Outcome {
        case placed([LineWalker.Place])
        case noRoom
        /// It would run steeply, and its vertical text takes its place.
        case needsVertical
    }

    private let symbol: PlacedSymbol
    private let quads: ArraySlice<SymbolQuad>
    private let plane: LabelPlane
    private let fontScale: Double
    private var walker: LineWalker

    /// `fontScale`: pixels per unit of the quads on the plane.
    init(_ symbol: PlacedSymbol, _ tile: SymbolTile, _ plane: LabelPlane, fontScale: Double) {
        (self.symbol, self.plane, self.fontScale) = (symbol, plane, fontScale)
        quads = tile.quads[Int(symbol.quads.lowerBound)..<Int(symbol.quads.upperBound)]
        walker = LineWalker(symbol, tile.lineVertices, plane, fontScale: fontScale)
    }

    mutating func place(keepsUpright: Bool) -> Outcome {
        guard let first = quads.first, let last = quads.last else { return .noRoom }
        var isFlipped = false
        if keepsUpright {
            let ends: (ScreenPoint, ScreenPoint)
            if quads.count > 1 {
                guard let start = place(first), let end = place(last) else { return .noRoom }
                ends = (plane.picture(start.point).point, plane.picture(end.point).point)
            } else {
                ends = segmentOnPicture()
            }
            switch change(ends.0, ends.1) {
            case .none: break
            case .flip: isFlipped = true
            case .vertical: return .needsVertical
            }
        }
        var places: [LineWalker.Place] = []
        places.reserveCapacity(quads.count)
        if quads.count > 1, place(last, isFlipped: isFlipped) == nil { return .noRoom }
        for quad in quads {
            guard let place = place(quad, isFlipped: isFlipped) else { return .noRoom }
            places.append(place)
        }
        return .placed(places)
    }

    private mutating func place(_ quad: SymbolQuad, isFlipped: Bool = false) -> LineWalker.Place? {
        walker.place(at: quad.glyphOffset * fontScale, isFlipped: isFlipped)
    }

    /// The way from the first glyph to the last, on the plane; nil without room.
    mutating func path() -> [ScreenPoint]? {
        guard let first = quads.first, let last = quads.last, place(first) != nil else { return nil }
        var path = Array(walker.path.dropFirst().reversed())
        guard place(last) != nil else { return nil }
        path.append(contentsOf: walker.path.dropFirst())
        return path
    }

    private enum Change { case none, flip, vertical }

    private func change(_ start: ScreenPoint, _ end: ScreenPoint) -> Change {
        if symbol.orientation == .horizontal, abs(end.y - start.y) > abs(end.x - start.x) { return .vertical }
        return (symbol.orientation == .vertical ? start.y > end.y : start.x > end.x) ? .flip : .none
    }

    private func segmentOnPicture() -> (ScreenPoint, ScreenPoint) {
        let anchor = plane.onPicture(symbol.anchor.x, symbol.anchor.y).point
        guard let end = walker.segmentEnd else { return (anchor, anchor) }
        let place = plane.onPicture(end.x, end.y)
        if place.distance > 0 { return (anchor, place.point) }
        // Behind the eye: away from a place on the other side.
        let other = plane.onPicture(symbol.anchor.x * 2 - end.x, symbol.anchor.y * 2 - end.y).point
        return (anchor, anchor + (anchor - other))
    }
}
