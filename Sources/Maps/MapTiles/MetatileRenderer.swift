// A web map asks for a dozen tiles at a time, and each alone would cost nearly as much as all of them: reading and decoding
// what is around it, and placing labels that reach into it. So they are drawn by the square, and the square is kept for a
// while: the first to ask draws it, the others wait for that and cut theirs out.

package import Bytes
package import MapRender
package import MapStyle

/// Draws tiles of web maps that fit each other, labels and all. Shared by threads; what it draws is kept in bounded memory.
package final class MetatileRenderer: Sendable {
    /// Bytes of pictures that are kept unless said otherwise: sixteen squares of 4 × 4 tiles.
    package static let standardByteCapacity = 64 << 20

    private struct Key: Hashable, Sendable {
        let metatile: Metatile
        let variant: String
    }

    private let engine: MapEngine
    private let kept: SharedCache<Key, RenderedMap>

    /// A renderer that keeps at most `byteCapacity` bytes of pictures.
    package init(engine: MapEngine, byteCapacity: Int = standardByteCapacity) {
        self.engine = engine
        kept = SharedCache(byteCapacity: byteCapacity)
    }

    package var byteCount: Int { kept.byteCount }

    /// The picture of a tile in `style`. `variant` names the style, the state of its sources and whatever else changes
    /// pictures: tiles are cut from one square only where it is equal.
    ///
    /// `stated`: what the sources say to have of the tile; what could not be had is taken from it.
    /// `resources` stand in for the engine's own. Blocks while the square is drawn, here or by another thread. When `shouldStop` says so here, the others go on.
    /// Throws `cancelled`.
    package func tile(
        _ tile: MapTile, in style: Style, variant: String, stated: MapCoverage = .full,
        resources: (any MapResources)? = nil,
        shouldStop: @escaping () -> Bool = { false }
    ) throws(MapError) -> TilePicture {
        let metatile = Metatile(of: tile)
        var drawn: RenderedMap?
        let map = try kept.value(for: Key(metatile: metatile, variant: variant)) { () throws(MapError) in
            if shouldStop() { throw .cancelled }
            var additions = MapAdditions()
            additions.grid = metatile.grid
            let map = try engine.render(
                style, metatile.camera, additions: additions, resources: resources, shouldStop: shouldStop)
            drawn = map
            // One that may soon be made of more stays with who waits for it: no cache takes so much. Which glyphs there are
            // hangs on the variant.
            return .init(map, byteCount: map.hasPassingFaults ? .max : map.pixels.count + 512)
        }
        return TilePicture(
            pixels: Self.cut(tile, from: map, metatile), sidePx: tile.sidePx, timings: drawn?.timings,
            faults: drawn?.faults ?? [], missingGlyphs: map.missingGlyphs, isNew: drawn != nil,
            isIncomplete: map.isIncomplete, hasPassingFaults: map.hasPassingFaults,
            coverage: map.coverage(of: stated, seenFrom: tile.camera))
    }

    private static func cut(_ tile: MapTile, from map: RenderedMap, _ metatile: Metatile) -> SharedBytes {
        let place = metatile.place(of: tile)
        let side = tile.sidePx
        guard place.leftPx + side <= map.widthPx, place.topPx + side <= map.heightPx else { return map.pixels }
        if map.widthPx == side { return map.pixels }
        return map.pixels.withUnsafeBytes { pixels in
            SharedBytes(
                [UInt8](unsafeUninitializedCapacity: side * side * 4) { buffer, count in
                    for row in 0..<side {
                        let start = ((place.topPx + row) * map.widthPx + place.leftPx) * 4
                        let target = UnsafeMutableRawBufferPointer(buffer)[(row * side * 4)..<((row + 1) * side * 4)]
                        UnsafeMutableRawBufferPointer(rebasing: target).copyMemory(
                            from: UnsafeRawBufferPointer(rebasing: pixels[start..<(start + side * 4)]))
                    }
                    count = side * side * 4
                })
        }
    }
}

package struct TilePicture: Sendable {
    /// RGBA8, premultiplied, row by row from the north-west.
    package let pixels: SharedBytes
    package let sidePx: Int
    /// How long the square took; nil where it was there.
    package let timings: MapTimings?
    /// What could not be had while the square was drawn; told once, to who drew it.
    package let faults: [MapFault]
    /// What the texts in the square or beside it lack.
    package let missingGlyphs: [MissingGlyph]
    package let isNew: Bool
    /// Whether something is missing in the square that may be there later.
    package let isIncomplete: Bool
    /// Whether something could not be had that may be there soon.
    package let hasPassingFaults: Bool
    /// How much of the tile the sources have, without what is drawn around them.
    package let coverage: MapCoverage
}
