import Tiles

/// A tile on the canvas. The same tile appears several times when the canvas shows several copies of the world.
struct PlacedTile: Equatable {
    var id: TileID
    /// Its square on the canvas; geometry outside it belongs to the neighbours.
    var square: UnitRect
}

/// Which tiles a viewport needs.
enum TileCover {
    /// More tiles than this are not drawn: the archive begins so deep that a picture of this zoom would need them all.
    static let tileLimit = 1024

    /// The tiles that the canvas shows, row by row from the north-west; none when they would be too many.
    ///
    /// Tiles are 512 CSS pixels wide at their own zoom, so their level is one below that of the 256-pixel world; it is held
    /// to `levels`. East and west the world repeats, beyond the poles there is nothing.
    static func tiles(for viewport: Viewport, _ view: ViewTransform, levels: ClosedRange<Int>) -> [PlacedTile] {
        let zoom = max(levels.lowerBound, min(levels.upperBound, Int((viewport.zoom - 1).rounded(.down))))
        guard (0...TileID.maximumZoom).contains(zoom) else { return [] }
        let side = 1 << zoom
        let size = view.worldUnits / Double(side)
        let columns =
            Int(
                (view.originX / size).rounded(.down))...Int(
                ((view.originX + view.canvas.right - 1) / size).rounded(.down))
        let top = max(0, Int((view.originY / size).rounded(.down)))
        let bottom = min(side - 1, Int(((view.originY + view.canvas.bottom - 1) / size).rounded(.down)))
        guard top <= bottom, columns.count * (bottom - top + 1) <= tileLimit else { return [] }
        var placed: [PlacedTile] = []
        for row in top...bottom {
            for column in columns {
                let wrapped = (column % side + side) % side
                guard let id = TileID(z: zoom, x: wrapped, y: row) else { continue }
                placed.append(PlacedTile(id: id, square: view.square(zoom: zoom, column: column, row: row)))
            }
        }
        return placed
    }
}
