package import Tiles

/// Why a map was not drawn. A tile that is missing or corrupt is no error: see ``RenderedMap``.
package enum MapError: Error, Equatable, Sendable {
    /// A value of the viewport is not finite or not within its limits.
    case viewportOutOfRange(ViewportField)
    /// The archive holds pictures, not vector tiles.
    case notVectorTiles(PMTilesArchive.TileType)
    /// `shouldStop` said so.
    case cancelled

    /// A value of ``Viewport``.
    package enum ViewportField: Equatable, Sendable {
        case latitude
        case longitude
        case zoom
        case width
        case height
        case scale
    }
}
