import Raster

struct GroundPathBuilder {
    struct Piece {
        /// In device pixels.
        var points: [ScreenPoint] = []
        var isClosed = false
        var cuts: LineCuts = []
        /// Device pixels of the line before the piece.
        var phase = 0.0
    }

    private static let nearness = 0.1

    private let projection: TileProjection
    private let nearest: Double
    private let canvas: Box
    private let shouldStop: () -> Bool

    /// Lines reach `margin` device pixels beyond their vertices; `shouldStop` is asked every thousand of these.
    init(_ view: View, margin: Double, shouldStop: @escaping () -> Bool = { false }) {
        self.shouldStop = shouldStop
        projection = view.worldProjection
        nearest = view.nearDistance
        canvas = view.canvas.grown(by: margin)
    }

    /// The pieces of a line moved eastwards by `copy` worlds. O(vertices). Throws `cancelled`.
    func pieces(_ part: DrawnLine.Part, copy: Int) throws(MapError) -> [Piece] {
        var pieces: [Piece] = []
        var open: Piece?
        var travelled = 0.0
        var isWhole = true
        let places = part.isClosed ? part.places + part.places.prefix(1) : part.places
        for (index, (from, to)) in zip(places, places.dropFirst()).enumerated() {
            if index % 1024 == 1023, shouldStop() { throw .cancelled }
            guard let (start, end, isCut) = segment(from, to, copy) else {
                isWhole = false
                continue
            }
            isWhole = isWhole && !isCut
            let length = (end - start).length
            defer { travelled += length }
            guard let (first, last) = PolylineClip.cut(start, end, to: canvas) else {
                isWhole = false
                if let piece = open { pieces.append(piece) }
                open = nil
                continue
            }
            if let before = open?.points.last, before != first, (first - before).length > Self.nearness * 2 {
                open.map { pieces.append($0) }
                open = nil
            }
            if open == nil {
                open = Piece(points: [first], phase: travelled + (first - start).length)
                if first != start { open?.cuts.insert(.start) }
            }
            if let before = open?.points.last, (last - before).length >= Self.nearness || to == places.last {
                open?.points.append(last)
            }
            if last != end {
                isWhole = false
                open?.cuts.insert(.end)
                open.map { pieces.append($0) }
                open = nil
            }
        }
        if let open { pieces.append(open) }
        if part.isClosed, isWhole, pieces.count == 1 {
            pieces[0].points.removeLast()
            pieces[0].isClosed = true
        }
        return pieces
    }

    func seen(_ part: DrawnLine.Part, copy: Int) -> LineMeasure.Seen {
        var seen = LineMeasure.Seen()
        var previous = part.isClosed ? part.places.last : nil
        for place in part.places {
            if let previous { seen.add(shown(previous, place, copy: copy)) }
            previous = place
        }
        return seen
    }

    /// What the canvas and the margin around it show of a side; nil for nothing.
    func shown(_ from: WorldPlace, _ to: WorldPlace, copy: Int) -> (ScreenPoint, ScreenPoint)? {
        guard let (start, end, _) = segment(from, to, copy) else { return nil }
        return PolylineClip.cut(start, end, to: canvas)
    }

    /// A segment on the canvas, and whether it was cut where it comes too near to the eye; nil when all of it is too near.
    private func segment(
        _ from: WorldPlace, _ to: WorldPlace, _ copy: Int
    ) -> (ScreenPoint, ScreenPoint, isCut: Bool)? {
        let extent = Double(FeatureLayer.extent)
        func unit(_ place: WorldPlace) -> (x: Double, y: Double) {
            ((place.x + Double(copy)) * extent, place.y * extent)
        }
        let (a, b) = (unit(from), unit(to))
        if projection.isFlat { return (projection.point(a.x, a.y), projection.point(b.x, b.y), false) }
        var start = projection.homogeneous(SIMD4(a.x, a.y, 0, 1))
        var end = projection.homogeneous(SIMD4(b.x, b.y, 0, 1))
        guard start.z >= nearest || end.z >= nearest else { return nil }
        let isCut = start.z < nearest || end.z < nearest
        if isCut {
            let middle = start + (end - start) * ((nearest - start.z) / (end.z - start.z))
            if start.z < nearest { start = middle } else { end = middle }
        }
        return (
            ScreenPoint(x: start.x / start.z, y: start.y / start.z), ScreenPoint(x: end.x / end.z, y: end.y / end.z),
            isCut
        )
    }
}
