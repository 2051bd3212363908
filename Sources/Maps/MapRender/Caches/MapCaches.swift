import Raster

/// What an engine keeps between pictures, each kind in bounded memory.
package final class MapCaches: Sendable {
    /// Bytes that each kind may take.
    package struct Capacities: Sendable {
        /// Decoded vector tiles.
        package var tiles = 24 << 20
        /// Decoded pictures of tiles and sources.
        package var pictures = 16 << 20
        /// GeoJSON that was read.
        package var geoJSON = 16 << 20
        /// The images of sprites.
        package var sprites = 16 << 20
        /// Ranges of SDF glyphs.
        package var glyphs = 8 << 20
        /// Glyphs of local fonts.
        package var localGlyphs = 4 << 20
        /// Texts as lines of glyphs.
        package var shapedTexts = 6 << 20

        package init() {}
    }

    let tiles: SharedCache<ContentKey, VectorTileContent?>
    let pictures: SharedCache<ContentKey, Texture?>
    let geoJSON: SharedCache<GeoJSONKey, GeoJSONContent>
    let sprites: SharedCache<SpriteKey, SpriteSheet>
    let glyphs: SharedCache<ContentKey, GlyphRange?>
    let localGlyphs: SharedCache<FontGlyphKey, GlyphImage>
    let shapedTexts: SharedCache<ShapedTextKey, KeptText>

    package init(_ capacities: Capacities = Capacities()) {
        tiles = SharedCache(byteCapacity: capacities.tiles)
        pictures = SharedCache(byteCapacity: capacities.pictures)
        geoJSON = SharedCache(byteCapacity: capacities.geoJSON)
        sprites = SharedCache(byteCapacity: capacities.sprites)
        glyphs = SharedCache(byteCapacity: capacities.glyphs)
        localGlyphs = SharedCache(byteCapacity: capacities.localGlyphs)
        shapedTexts = SharedCache(byteCapacity: capacities.shapedTexts)
    }
}
