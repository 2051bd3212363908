import Raster

/// The part of a tile that a picture can show, in the tile's units; what lies outside need not be drawn.
struct TileWindow {
    /// The bounds, a few pixels wider than what shows.
    let minX: Double
    let minY: Double
    let maxX: Double
    let maxY: Double
    /// Whether places of the tile are too far from the canvas for display lists, so that shapes have to be cut.
    let needsCutting: Bool

    /// The part of a tile that shows when its content is moved by `translation` device pixels; held to the tile's square,
    /// which is not moved, when its content is clipped to that.
    init(_ frame: Frame, _ projection: TileProjection, translation: ScreenPoint, isClipped: Bool) {
        let camera = frame.view.camera
        let margin = 4.0
        let determinant = projection.a * projection.d - projection.b * projection.c
        var (left, top) = (Double.infinity, Double.infinity)
        var (right, bottom) = (-Double.infinity, -Double.infinity)
        let (width, height) = (Double(camera.widthPx) + margin, Double(camera.heightPx) + margin)
        for (x, y) in [(-margin, -margin), (width, -margin), (width, height), (-margin, height)] {
            let (dx, dy) = (x - projection.tx, y - projection.ty)
            let tileX = (projection.d * dx - projection.c * dy) / determinant
            let tileY = (projection.a * dy - projection.b * dx) / determinant
            left = min(left, tileX)
            right = max(right, tileX)
            top = min(top, tileY)
            bottom = max(bottom, tileY)
        }
        if isClipped {
            let side = Double(FeatureLayer.extent)
            let slack = margin / projection.pixelsPerUnit
            left = max(left, -slack)
            top = max(top, -slack)
            right = min(right, side + slack)
            bottom = min(bottom, side + slack)
        }
        let shiftX = (projection.d * translation.x - projection.c * translation.y) / determinant
        let shiftY = (projection.a * translation.y - projection.b * translation.x) / determinant
        minX = left - shiftX
        maxX = right - shiftX
        minY = top - shiftY
        maxY = bottom - shiftY
        // A million pixels is what display lists hold; the farthest vertex of 16 bits is about 46000 units away.
        needsCutting = !(65536 * projection.pixelsPerUnit + abs(projection.tx) + abs(projection.ty) < 1_000_000)
    }

    /// Whether anything of a box shows.
    @inline(__always)
    func touches(minX left: Int16, minY top: Int16, maxX right: Int16, maxY bottom: Int16) -> Bool {
        Double(right) >= minX && Double(left) <= maxX && Double(bottom) >= minY && Double(top) <= maxY
    }

    /// The part of a closed ring within the window, by cutting it at each side in turn; cuts run along the sides.
    func cut(_ ring: [ScreenPoint]) -> [ScreenPoint] {
        ring.part { $0.x - minX }.part { maxX - $0.x }.part { $0.y - minY }.part { maxY - $0.y }
    }
}

extension TileProjection {
    /// Device pixels of one unit of the tile, in a flat view.
    var pixelsPerUnit: Double { (a * a + b * b).squareRoot() }
}
