struct LineLabel {
    enum Outcome {
        case placed([LineWalker.Place])
        /// The line is too short for it.
        case noRoom
        /// It would run steeply, and its vertical text is to be set in its stead.
        case needsVertical
    }

    private let symbol: PlacedSymbol
    private let quads: ArraySlice<SymbolQuad>
    private let plane: LabelPlane
    private let fontScale: Double
    private var walker: LineWalker

    /// The symbol `symbol` of `tile`; `fontScale` is the pixels of a unit of its quads on the plane.
    init(_ symbol: PlacedSymbol, _ tile: SymbolTile, _ plane: LabelPlane, fontScale: Double) {
        self.symbol = symbol
        self.plane = plane
        self.fontScale = fontScale
        quads = tile.quads[Int(symbol.quads.lowerBound)..<Int(symbol.quads.upperBound)]
        walker = LineWalker(symbol, tile.lineVertices, plane, fontScale: fontScale)
    }

    /// Sets the glyphs; what would be upside down is turned where it `keepsUpright`.
    mutating func place(keepsUpright: Bool) -> Outcome {
        guard let first = quads.first, let last = quads.last else { return .noRoom }
        var isFlipped = false
        if keepsUpright {
            let ends: (ScreenPoint, ScreenPoint)
            if quads.count > 1 {
                guard let start = walker.place(at: first.glyphOffset * fontScale, isFlipped: false),
                    let end = walker.place(at: last.glyphOffset * fontScale, isFlipped: false)
                else { return .noRoom }
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
        // The ends first: between them there is room.
        var places: [LineWalker.Place] = []
        places.reserveCapacity(quads.count)
        if quads.count > 1, walker.place(at: last.glyphOffset * fontScale, isFlipped: isFlipped) == nil {
            return .noRoom
        }
        for quad in quads {
            guard let place = walker.place(at: quad.glyphOffset * fontScale, isFlipped: isFlipped) else {
                return .noRoom
            }
            places.append(place)
        }
        return .placed(places)
    }

    /// What was passed from the first glyph to the last, on the plane; nil where there is no room.
    mutating func path() -> [ScreenPoint]? {
        guard let first = quads.first, let last = quads.last,
            walker.place(at: first.glyphOffset * fontScale, isFlipped: false) != nil
        else { return nil }
        var path = Array(walker.path.dropFirst().reversed())
        guard walker.place(at: last.glyphOffset * fontScale, isFlipped: false) != nil else { return nil }
        path.append(contentsOf: walker.path.dropFirst())
        return path
    }

    private enum Change {
        case none
        case flip
        case vertical
    }

    private func change(_ start: ScreenPoint, _ end: ScreenPoint) -> Change {
        if symbol.orientation == .horizontal, abs(end.y - start.y) > abs(end.x - start.x) { return .vertical }
        return (symbol.orientation == .vertical ? start.y > end.y : start.x > end.x) ? .flip : .none
    }

    /// The anchor and the end of its segment on the picture.
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

extension LineWalker {
    /// The end of the segment that the anchor is on, in units of the tile.
    var segmentEnd: ScreenPoint? {
        let index = line.lowerBound + Int(anchor.segment) + 1
        guard line.contains(index) else { return nil }
        return ScreenPoint(x: Double(vertices[index].x), y: Double(vertices[index].y))
    }
}
