import MapStyle
import Raster

struct SymbolPaint: Equatable, Sendable {
    var color, haloColor: StyleColor
    var haloWidth: Double, haloBlur: Double
    var opacity: Double
}

struct SymbolTile: Sendable {
    var tile: PlacedTile
    /// Where the tile is shown; what does not reach into it is not. nil for anywhere.
    var windows: [WorldBounds]?
    /// What other tiles cover, where nothing of this one is shown; nil when it is drawn around no others.
    var kept: [WorldBounds]?
    var settings: SymbolSettings
    var instances: [SymbolInstance] = []
    var symbols: [PlacedSymbol] = []
    var quads: [SymbolQuad] = []
    var lineVertices: [TileVertex] = []
    var anchorOffsets: [TextAnchorOffset] = []
    var paints: [SymbolPaint] = []
    var sectionColors: [StyleColor] = []
    /// Texts by which other tiles know the same symbol, by ``SymbolInstance/key``.
    var keys: [String] = []
    /// What texts lack, by the number of the instance.
    var missing: [Int: [MissingGlyph]] = [:]
    var textures: [Texture] = []
    /// An icon is turned, or made for another pixel ratio.
    var iconsNeedLinear = false
    var hasSDFIcons = false

    func anchorOffsets(of instance: SymbolInstance) -> ArraySlice<TextAnchorOffset> {
        anchorOffsets[Int(instance.anchorOffsets.lowerBound)..<Int(instance.anchorOffsets.upperBound)]
    }

    /// Units of a tile per CSS pixel, at the level that the tile stands for.
    var tilePixelRatio: Double { Double(FeatureLayer.extent) / (512 * tile.overscaleFactor) }
}
