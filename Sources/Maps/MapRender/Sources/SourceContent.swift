package import Raster

/// What a picture shows of a source: its tiles, found and decoded.
package enum SourceContent: Sendable {
    /// Vector tiles or GeoJSON, in the order in which they are drawn.
    case features([FeatureTile])
    /// Tiles of pictures.
    case raster([RasterTile])
    /// Tiles of heights.
    case heights([HeightTile])
    case image(PlacedImage)
    /// Nothing: the source is missing, empty or of a kind that stays blank.
    case none
}

/// A tile of features.
package struct FeatureTile: Sendable {
    /// Where it is shown.
    package var tile: PlacedTile
    /// Its layers by name; GeoJSON has one with an empty name.
    package var layers: [String: FeatureLayer]
    /// Where areas and lines of it are shown, as rectangles of the Mercator plane; nil: in the whole square of the tile.
    package var windows: [WorldBounds]?
    /// What other tiles cover, where nothing of this one may show: it is drawn around them. nil: it is not drawn around any.
    package var kept: [WorldBounds]?

    /// A tile.
    package init(tile: PlacedTile, layers: [String: FeatureLayer]) {
        self.tile = tile
        self.layers = layers
    }

    /// The tile, shown in some rectangles alone.
    func shown(in windows: [WorldBounds]) -> FeatureTile {
        var tile = self
        tile.windows = windows
        return tile
    }
}

/// A tile of a picture.
package struct RasterTile: Sendable {
    /// Where it is shown.
    package var tile: PlacedTile
    /// Its pixels.
    package var texture: Texture
    /// The squares of the view that show it, where deeper tiles do not: it is drawn only inside of these; itself when it is
    /// no stand-in.
    package var shownAs: [PlacedTile]

    /// A tile.
    package init(tile: PlacedTile, texture: Texture, shownAs: [PlacedTile]) {
        self.tile = tile
        self.texture = texture
        self.shownAs = shownAs
    }
}

/// A tile of heights.
package struct HeightTile: Sendable {
    /// Where it is shown.
    package var tile: PlacedTile
    /// Its heights.
    package var heights: HeightGrid
    /// The squares of the view that show it, as for pictures.
    package var shownAs: [PlacedTile]

    /// A tile.
    package init(tile: PlacedTile, heights: HeightGrid, shownAs: [PlacedTile]) {
        self.tile = tile
        self.heights = heights
        self.shownAs = shownAs
    }
}

/// Heights in metres on a square grid, with one more row and column around it, which come from the neighbours where there are
/// some.
package final class HeightGrid: Sendable {
    /// Heights along a side, without those around it.
    package let side: Int
    /// `(side + 2)²` heights, row by row from the north-west.
    package let metres: [Float]

    /// A grid of `(side + 2)²` heights.
    package init(side: Int, metres: [Float]) {
        self.side = side
        self.metres = metres
    }
}

/// A picture between four corners.
package struct PlacedImage: Sendable {
    /// The corners as longitude and latitude, from the top left clockwise.
    package var corners: [[Double]]
    /// Its pixels.
    package var texture: Texture

    package init(corners: [[Double]], texture: Texture) {
        self.corners = corners
        self.texture = texture
    }
}
