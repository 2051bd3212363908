struct TileWindow {
    let bounds: Box
    let needsCutting: Bool

    /// For content moved by `translation` device pixels; held to the tile's square, which does not move, if `isClipped`.
    init(_ frame: Frame, _ projection: TileProjection, translation: ScreenPoint, isClipped: Bool) {
        let margin = 4.0
        var box = projection.flatBox(frame.view.canvas.grown(by: margin))
        if isClipped {
            let side = Double(FeatureLayer.extent)
            let square = Box(left: 0, top: 0, right: side, bottom: side).grown(by: margin / projection.pixelsPerUnit)
            box.left = max(box.left, square.left)
            box.top = max(box.top, square.top)
            box.right = min(box.right, square.right)
            box.bottom = min(box.bottom, square.bottom)
        }
        let shift = projection.flatOffset(translation.x, translation.y)
        bounds = box.moved(-shift.x, -shift.y)
        // Display lists hold a million pixels; the farthest vertex of 16 bits is about 46000 units away.
        needsCutting = !(65536 * projection.pixelsPerUnit + abs(projection.tx) + abs(projection.ty) < 1_000_000)
    }

    @inline(__always) func touches(_ box: TileBox) -> Bool {
        Double(box.high.x) >= bounds.left && Double(box.low.x) <= bounds.right && Double(box.high.y) >= bounds.top
            && Double(box.low.y) <= bounds.bottom
    }

    func cut(_ ring: [ScreenPoint]) -> [ScreenPoint] {
        ring.part { $0.x - bounds.left }.part { bounds.right - $0.x }.part { $0.y - bounds.top }
            .part { bounds.bottom - $0.y }
    }
}

extension TileProjection {
    /// Device pixels per unit of the tile, in a flat view.
    var pixelsPerUnit: Double { (a * a + b * b).squareRoot() }
}
