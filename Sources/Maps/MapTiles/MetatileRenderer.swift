// A web map asks for a dozen tiles at a time, and each alone would cost nearly as much as all of them. So the first to
// ask draws a whole square, which is kept for a while; the others wait and cut theirs out.

package import Bytes
package import MapRender
package import MapStyle

/// Draws tiles of web maps that fit each other, labels included. Shared by threads; keeps pictures in bounded memory.
package final class MetatileRenderer: Sendable {
    /// Bytes: sixteen squares of 4 × 4 tiles.
    package static let standardByteCapacity = 64 << 20

    private struct Key: Hashable, Sendable {
        let metatile: Metatile
        let variant: String
    }

    private let engine: MapEngine
    private let kept: SharedCache<Key, RenderedMap>

    package init(engine: MapEngine, byteCapacity: Int = standardByteCapacity) {
        self.engine = engine
        kept = SharedCache(byteCapacity: byteCapacity)
    }

    package var byteCount: Int { kept.byteCount }

    /// `variant` names the style, the state of its sources and whatever else changes pictures: tiles share a square only if
    /// it is equal. `stated`: the coverage that sources state, less unavailable tiles. Blocks while the square is drawn,
    /// here or by another thread; if `shouldStop` ends it or the wait here, the others go on. Throws `cancelled`.
    package func tile(
        _ tile: MapTile, in style: Style, variant: String, stated: MapCoverage = .full,
        resources: (any MapResources)? = nil, shouldStop: @escaping () -> Bool = { false }
    ) throws(MapError) -> TilePicture {
        let metatile = Metatile(of: tile)
        var drawn: RenderedMap?
        let leave = { () throws(MapError) -> Void in
            if shouldStop() { throw .cancelled }
        }
        let key = Key(metatile: metatile, variant: variant)
        let map = try kept.value(for: key, whileWaiting: leave) { () throws(MapError) in
            try leave()
            var additions = MapAdditions()
            additions.grid = metatile.grid
            let map = try engine.render(
                style, metatile.camera, additions: additions, resources: resources, shouldStop: shouldStop)
            drawn = map
            // One that may soon be complete is not kept: no cache takes its size. Glyphs depend on the variant.
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
    /// Of the square; nil when it was kept.
    package let timings: MapTimings?
    /// Only for the request that drew the square.
    package let faults: [MapFault]
    /// What texts in the square or beside it lack.
    package let missingGlyphs: [MissingGlyph]
    package let isNew: Bool
    /// Something that may be there later is missing in the square.
    package let isIncomplete: Bool
    package let hasPassingFaults: Bool
    /// How much of the tile the sources cover, without what is drawn around them.
    package let coverage: MapCoverage
}
