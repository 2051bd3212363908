import MapStyle
import Raster

/// How a symbol is painted: the text's or the icon's paint properties for a feature.
struct SymbolPaint: Equatable, Sendable {
    /// The color of glyphs and of SDF icons.
    var color: StyleColor
    var haloColor: StyleColor
    /// CSS pixels.
    var haloWidth: Double, haloBlur: Double
    /// `0...1`.
    var opacity: Double
}

/// The symbols of one layer in one tile, laid out and ready to be placed.
struct SymbolTile: Sendable {
    /// Where the tile is shown.
    var tile: PlacedTile
    /// Where the tile is shown; what does not reach into it is not. nil: anywhere.
    var windows: [WorldBounds]?
    /// What other tiles cover, where nothing of this one is shown; nil where it is drawn around no others.
    var kept: [WorldBounds]?
    /// The layer's properties that hold for all its features.
    var settings: SymbolSettings
    /// The instances in the order of features, or of their sort keys where ``SymbolSettings/sortsByKey``.
    var instances: [SymbolInstance] = []
    /// The texts and icons of the instances.
    var symbols: [PlacedSymbol] = []
    var quads: [SymbolQuad] = []
    /// The vertices of the lines that symbols stand on.
    var lineVertices: [TileVertex] = []
    var anchorOffsets: [TextAnchorOffset] = []
    /// The paints of symbols; features of the same look share one.
    var paints: [SymbolPaint] = []
    /// The colors of sections of texts.
    var sectionColors: [StyleColor] = []
    /// The texts by which the same symbol is known in other tiles, by ``SymbolInstance/key``.
    var keys: [String] = []
    /// The glyphs that the texts of instances lack, by the number of the instance.
    var missing: [Int: [MissingGlyph]] = [:]
    /// The glyphs' and icons' pictures.
    var textures: [Texture] = []
    /// Whether an icon is not drawn pixel by pixel, so that it is interpolated: turned, or made for another pixel ratio.
    var iconsNeedLinear = false
    /// Whether icons are signed distances.
    var hasSDFIcons = false

    /// The places that the text of an instance may be moved to.
    func anchorOffsets(of instance: SymbolInstance) -> ArraySlice<TextAnchorOffset> {
        anchorOffsets[Int(instance.anchorOffsets.lowerBound)..<Int(instance.anchorOffsets.upperBound)]
    }

    /// Units of a tile in a CSS pixel, at the level that the tile stands for.
    var tilePixelRatio: Double { Double(FeatureLayer.extent) / (512 * tile.overscaleFactor) }
}
