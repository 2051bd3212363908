enum LineClipper {
    /// Pieces between 0 and `extent`, both ways, without those that only touch the right or lower side. O(vertices).
    static func clip(_ lines: [[TileVertex]], extent: Double) -> [[TileVertex]] {
        var pieces: [[TileVertex]] = []
        for line in lines where line.count > 1 {
            var isContinued = false
            for (start, end) in zip(line, line.dropFirst()) {
                guard let (from, to) = clip(start, end, extent: extent) else { continue }
                if isContinued, pieces.last?.last == from {
                    pieces[pieces.count - 1].append(to)
                } else {
                    pieces.append([from, to])
                    isContinued = true
                }
            }
        }
        return pieces
    }

    private static func clip(_ start: TileVertex, _ end: TileVertex, extent: Double) -> (TileVertex, TileVertex)? {
        var a = SymbolVector(x: Double(start.x), y: Double(start.y))
        var b = SymbolVector(x: Double(end.x), y: Double(end.y))
        // Side after side; ends are rounded to whole units at each, which later sides then see.
        if a.x < 0, b.x < 0 { return nil }
        if a.x < 0 { a = crossing(a, b, x: 0) } else if b.x < 0 { b = crossing(a, b, x: 0) }
        if a.y < 0, b.y < 0 { return nil }
        if a.y < 0 { a = crossing(a, b, y: 0) } else if b.y < 0 { b = crossing(a, b, y: 0) }
        if a.x >= extent, b.x >= extent { return nil }
        if a.x >= extent { a = crossing(a, b, x: extent) } else if b.x >= extent { b = crossing(a, b, x: extent) }
        if a.y >= extent, b.y >= extent { return nil }
        if a.y >= extent { a = crossing(a, b, y: extent) } else if b.y >= extent { b = crossing(a, b, y: extent) }
        return (vertex(a), vertex(b))
    }

    private static func crossing(_ a: SymbolVector, _ b: SymbolVector, x: Double) -> SymbolVector {
        SymbolVector(x: x, y: (a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x)) + 0.5).rounded(.down))
    }

    private static func crossing(_ a: SymbolVector, _ b: SymbolVector, y: Double) -> SymbolVector {
        SymbolVector(x: (a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)) + 0.5).rounded(.down), y: y)
    }

    private static func vertex(_ place: SymbolVector) -> TileVertex {
        TileVertex(x: Int16(clamping: Int(place.x)), y: Int16(clamping: Int(place.y)))
    }
}
