import Raster

/// What a picture shows of a source: its tiles, found and decoded.
enum SourceContent: Sendable {
    /// Vector tiles or GeoJSON, in the order in which they are drawn.
    case features([FeatureTile])
    /// Tiles of pictures.
    case raster([RasterTile])
    case heights([HeightTile])
    case image(PlacedImage)
    /// Nothing: the source is missing, empty or of a kind that stays blank.
    case none
}

struct FeatureTile: Sendable {
    var tile: PlacedTile
    /// Its layers by name; GeoJSON has one with an empty name.
    var layers: [String: FeatureLayer]
    /// Where areas and lines of it are shown, as rectangles of the Mercator plane; nil: in the whole square of the tile.
    var windows: [WorldBounds]?
    /// What other tiles cover, where nothing of this one may show: it is drawn around them. nil: it is not drawn around any.
    var kept: [WorldBounds]?

    /// The tile, shown in some rectangles alone.
    func shown(in windows: [WorldBounds]) -> FeatureTile {
        var tile = self
        tile.windows = windows
        return tile
    }
}

/// A tile of a picture.
struct RasterTile: Sendable {
    var tile: PlacedTile
    var texture: Texture
    /// The squares of the view that show it, where deeper tiles do not: it is drawn only inside of these; itself when it is
    /// no stand-in.
    var shownAs: [PlacedTile]
}

struct HeightTile: Sendable {
    var tile: PlacedTile
    var heights: HeightGrid
    /// The squares of the view that show it, as for pictures.
    var shownAs: [PlacedTile]
}

/// Heights in metres on a square grid, with one more row and column around it, which come from the neighbours where there are
/// some.
struct HeightGrid: Sendable {
    /// Heights along a side, without those around it.
    let side: Int
    /// `(side + 2)²` heights, row by row from the north-west.
    let metres: [Float]
}

/// A picture between four corners.
struct PlacedImage: Sendable {
    /// The corners as longitude and latitude, from the top left clockwise.
    var corners: [[Double]]
    var texture: Texture
}
