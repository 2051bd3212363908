import Raster

enum SourceContent: Sendable {
    case features([FeatureTile])
    case raster([RasterTile])
    case heights([HeightTile])
    case image(PlacedImage)
    case none
}

struct FeatureTile: Sendable {
    var tile: PlacedTile
    /// By name; GeoJSON has one with an empty name.
    var layers: [String: FeatureLayer]
    var windows: [WorldBounds]?
    /// What other tiles cover, around which this one is drawn: nothing of it shows there. nil if it is around none.
    var kept: [WorldBounds]?

    func shown(in windows: [WorldBounds]) -> FeatureTile {
        var tile = self
        tile.windows = windows
        return tile
    }
}

struct RasterTile: Sendable {
    var tile: PlacedTile
    var texture: Texture
    /// The squares of the view that show it instead of deeper tiles; itself when it is no stand-in.
    var shownAs: [PlacedTile]
}

struct HeightTile: Sendable {
    var tile: PlacedTile
    var heights: HeightGrid
    var shownAs: [PlacedTile]
}

/// Heights on a square grid, with one more row and column around it, from neighbours if there are some.
struct HeightGrid: Sendable {
    let side: Int
    /// `(side + 2)²` heights, row by row from the north-west.
    let metres: [Float]
}

struct PlacedImage: Sendable {
    /// Longitude and latitude, clockwise from the top left.
    var corners: [[Double]]
    var texture: Texture
}
