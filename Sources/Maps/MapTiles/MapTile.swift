package import MapRender

/// A square picture of a web map: tile `x`, `y` of a level of the Mercator square, from the north-west.
package struct MapTile: Hashable, Sendable {
    /// CSS pixels. MapLibre asks for 512, for the same square as Leaflet, OpenLayers and GIS with 256.
    package enum Side: Int, CaseIterable, Sendable {
        case px256 = 256
        case px512 = 512
    }

    package static let zoomLimit = 24
    package static let ratioLimit = 4

    /// The level is `0...24`; columns and rows, from the north, are below 2^z.
    package let z: Int, x: Int, y: Int
    package let side: Side
    /// Device pixels per CSS pixel, `1...4`.
    package let ratio: Int

    package init?(z: Int, x: Int, y: Int, side: Side = .px256, ratio: Int = 1) {
        guard (0...Self.zoomLimit).contains(z), (1...Self.ratioLimit).contains(ratio), x >= 0, y >= 0, x < 1 << z,
            y < 1 << z
        else { return nil }
        (self.z, self.x, self.y, self.side) = (z, x, y, side)
        self.ratio = ratio
    }

    package var sidePx: Int { side.rawValue * ratio }
    package var camera: Camera { Camera(ofSquare: (z, x, y), span: 1, side: side, ratio: ratio) }
}

package struct Metatile: Hashable, Sendable {
    /// CSS pixels, unless the world is smaller.
    private static let sideLimit = 1024

    /// Tiles along its side: 1, 2 or 4.
    package let span: Int
    /// Among squares of this size.
    package let column: Int, row: Int
    package let z: Int
    package let side: MapTile.Side
    package let ratio: Int

    /// At most 2048 device pixels along its side.
    package init(of tile: MapTile) {
        let most = tile.ratio > 2 ? Self.sideLimit / 2 : Self.sideLimit
        span = min(1 << tile.z, max(1, most / tile.side.rawValue))
        column = tile.x / span
        row = tile.y / span
        z = tile.z
        side = tile.side
        ratio = tile.ratio
    }

    package var cssSide: Int { span * side.rawValue }
    package var camera: Camera { Camera(ofSquare: (z, column, row), span: span, side: side, ratio: ratio) }

    /// Makes labels go on in neighbours.
    package var grid: PlacementGrid { PlacementGrid(cellSize: Double(cssSide)) }

    /// The first column and row of a tile's pixels.
    package func place(of tile: MapTile) -> (leftPx: Int, topPx: Int) {
        ((tile.x - column * span) * tile.sidePx, (tile.y - row * span) * tile.sidePx)
    }
}

extension Camera {
    fileprivate init(ofSquare square: (z: Int, column: Int, row: Int), span: Int, side: MapTile.Side, ratio: Int) {
        let count = Double(1 << square.z) / Double(span)
        let length = Double(span * side.rawValue)
        self.init(
            worldX: (Double(square.column) + 0.5) / count, worldY: (Double(square.row) + 0.5) / count,
            zoom: Double(square.z) - (side == .px256 ? 1 : 0), width: length, height: length)
        pixelRatio = Double(ratio)
    }
}
