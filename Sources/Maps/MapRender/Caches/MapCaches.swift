import Raster

package final class MapCaches: Sendable {
    /// Bytes of decoded vector tiles, their symbols, decoded pictures, GeoJSON, sprites, glyph ranges, local glyphs, lines
    /// of glyphs, and TileJSON documents.
    package struct Capacities: Sendable {
        package var tiles = 24 << 20
        package var symbols = 16 << 20
        package var pictures = 16 << 20
        package var geoJSON = 16 << 20
        package var sprites = 16 << 20
        package var glyphs = 8 << 20
        package var localGlyphs = 4 << 20
        package var shapedTexts = 6 << 20
        package var documents = 2 << 20

        package init() {}
    }

    let tiles: SharedCache<ContentKey, VectorTileContent?>
    let symbols: SharedCache<SymbolKey, KeptSymbols>
    let pictures: SharedCache<ContentKey, Texture?>
    let geoJSON: SharedCache<GeoJSONKey, GeoJSONContent>
    let sprites: SharedCache<SpriteKey, SpriteSheet>
    let glyphs: SharedCache<ContentKey, GlyphRange?>
    let localGlyphs: SharedCache<FontGlyphKey, GlyphImage>
    let shapedTexts: SharedCache<ShapedTextKey, KeptText>
    /// nil for what is no document.
    let documents: SharedCache<ContentKey, TileDocument?>

    package init(_ capacities: Capacities = Capacities()) {
        tiles = SharedCache(byteCapacity: capacities.tiles)
        symbols = SharedCache(byteCapacity: capacities.symbols)
        pictures = SharedCache(byteCapacity: capacities.pictures)
        geoJSON = SharedCache(byteCapacity: capacities.geoJSON)
        sprites = SharedCache(byteCapacity: capacities.sprites)
        glyphs = SharedCache(byteCapacity: capacities.glyphs)
        localGlyphs = SharedCache(byteCapacity: capacities.localGlyphs)
        shapedTexts = SharedCache(byteCapacity: capacities.shapedTexts)
        documents = SharedCache(byteCapacity: capacities.documents)
    }
}
