package import MapRender

/// A square picture of a web map: the tile `x`, `y` of a level of the Mercator square, from the north-west.
package struct MapTile: Hashable, Sendable {
    /// CSS pixels of a side.
    package enum Side: Int, CaseIterable, Sendable {
        /// What Leaflet, OpenLayers and GIS ask for: level 0 is a world of 256 pixels.
        case px256 = 256
        /// What MapLibre asks for: the same square of the world, twice as large.
        case px512 = 512
    }

    package static let zoomLimit = 24
    /// The most device pixels of a CSS pixel.
    package static let ratioLimit = 4

    /// The level, `0...24`.
    package let z: Int
    /// The column, below 2^z.
    package let x: Int
    /// The row from the north, below 2^z.
    package let y: Int
    package let side: Side
    /// Device pixels of a CSS pixel, `1...4`.
    package let ratio: Int

    /// A tile; nil where there is none.
    package init?(z: Int, x: Int, y: Int, side: Side = .px256, ratio: Int = 1) {
        guard (0...Self.zoomLimit).contains(z), (1...Self.ratioLimit).contains(ratio), x >= 0, y >= 0, x < 1 << z,
            y < 1 << z
        else { return nil }
        self.z = z
        self.x = x
        self.y = y
        self.side = side
        self.ratio = ratio
    }

    /// Device pixels of a side: at most 2048.
    package var sidePx: Int { side.rawValue * ratio }

    package var camera: Camera { Camera(ofSquare: (z, x, y), span: 1, side: side, ratio: ratio) }
}

/// A square of tiles that are drawn as one picture.
package struct Metatile: Hashable, Sendable {
    /// CSS pixels of its side, unless the world is smaller.
    private static let sideLimit = 1024

    /// Tiles along its side: 1, 2 or 4.
    package let span: Int
    /// The column among squares of this size.
    package let column: Int
    package let row: Int
    package let z: Int
    package let side: MapTile.Side
    /// Device pixels of a CSS pixel.
    package let ratio: Int

    /// The square that a tile is drawn with. It has 2048 device pixels along its side at most.
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

    /// What is set on the map so that its labels go on in its neighbours.
    package var grid: PlacementGrid { PlacementGrid(cellSize: Double(cssSide)) }

    /// Where a tile of it is: the first row and column of its pixels.
    package func place(of tile: MapTile) -> (leftPx: Int, topPx: Int) {
        ((tile.x - column * span) * tile.sidePx, (tile.y - row * span) * tile.sidePx)
    }
}

extension Camera {
    /// Looks at a square of `span` × `span` tiles of a level.
    fileprivate init(ofSquare square: (z: Int, column: Int, row: Int), span: Int, side: MapTile.Side, ratio: Int) {
        let count = Double(1 << square.z) / Double(span)
        let length = Double(span * side.rawValue)
        self.init(
            worldX: (Double(square.column) + 0.5) / count, worldY: (Double(square.row) + 0.5) / count,
            zoom: Double(square.z) - (side == .px256 ? 1 : 0), width: length, height: length)
        pixelRatio = Double(ratio)
    }
}
