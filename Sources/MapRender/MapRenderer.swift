package import Bytes
import Raster
package import Tiles

/// A tile that could not be used, or not in full.
package struct CorruptTile: Equatable, Sendable {
    package let id: TileID
    package let error: TileError
}

/// A finished map.
package struct RenderedMap: Sendable {
    /// RGBA8, premultiplied, row-major without padding, origin at the top left; always opaque.
    package let pixels: SharedBytes
    /// Device pixels.
    package let widthPx: Int
    /// Device pixels.
    package let heightPx: Int
    /// How many tiles the archive does not have, or were left out because those before had too many octets; there the
    /// background shows.
    package let missingTiles: Int
    /// Tiles that broke their format, each once; there the background shows, or single features are left out. For the log.
    package let corruptTiles: [CorruptTile]
    /// Reading, decompressing and decoding tiles.
    package let decodeDuration: Duration
    /// Sorting, moving and cutting geometry.
    package let prepareDuration: Duration
    /// Rasterising.
    package let drawDuration: Duration
}

/// Draws maps of one archive in one style. Holds no state between pictures; any number of threads may call it.
///
/// The same viewport gives the same octets, every time. On another CPU too, if the C library agrees on where the map lies:
/// that takes a sine and a logarithm, and at fractional zooms a power of two. Another library may move or stretch the map
/// by its last bit, which shows only where a place happens to be rounded (to 1/256 pixel) the other way.
package final class MapRenderer: Sendable {
    /// The archive it draws from.
    package let archive: PMTilesArchive
    /// Changes whenever the style or this module changes what a picture looks like; belongs into entity tags, beside the
    /// archive's validator.
    package let styleVersion = LightStyle.version

    /// Decompressed octets of tiles that one picture may use; decoded they take a few times as much. Real pictures use a few
    /// megabytes, but an archive may hold 16 MB in each of a thousand tiles.
    private let tileByteBudget: Int

    /// A renderer for `archive` in the style `light`, the only one there is so far. Tiles are read until they have
    /// `tileByteBudget` octets, decompressed; the last of them may go beyond it.
    ///
    /// Throws `notVectorTiles` for an archive of pictures.
    package init(archive: PMTilesArchive, tileByteBudget: Int = 256 << 20) throws(MapError) {
        guard archive.tileType == .vector || archive.tileType == .unknown else {
            throw .notVectorTiles(archive.tileType)
        }
        self.archive = archive
        self.tileByteBudget = tileByteBudget
    }

    /// The picture of `viewport`.
    ///
    /// Blocks for I/O and tens of milliseconds of work. `shouldStop` is asked between tiles, style layers and each thousand
    /// features.
    /// Throws `cancelled`; missing and corrupt tiles are reported in the result and drawn as background.
    package func render(_ viewport: Viewport, shouldStop: () -> Bool = { false }) throws(MapError) -> RenderedMap {
        let clock = ContinuousClock()
        let start = clock.now
        let view = ViewTransform(viewport)
        let levels = max(0, archive.minZoom)...max(0, archive.minZoom, archive.maxZoom)
        let tiles = try read(TileCover.tiles(for: viewport, view, levels: levels), shouldStop: shouldStop)
        let decoded = clock.now
        var assembler = MapAssembler(viewport, view)
        assembler.add(tiles.loaded, layers: LightStyle.layers, shouldStop: shouldStop)
        if shouldStop() { throw .cancelled }
        let prepared = clock.now
        let picture = try draw(assembler.list, viewport, shouldStop: shouldStop)
        return RenderedMap(
            pixels: picture.pixels, widthPx: picture.widthPx, heightPx: picture.heightPx,
            missingTiles: tiles.missingCount,
            corruptTiles: tiles.corrupt + assembler.faults, decodeDuration: start.duration(to: decoded),
            prepareDuration: decoded.duration(to: prepared), drawDuration: prepared.duration(to: clock.now))
    }

    /// The closest zoom, at most 14, that the archive still fills with detail at `place` (DESIGN §2.3): where the tiles of
    /// its last level with one there have their own size. Reads at most a tile a level.
    package func defaultZoom(at place: LonLat) -> Double {
        let point = WebMercator.project(place)
        var level = min(archive.maxZoom, 13)
        while level > archive.minZoom, level > 0 {
            let side = Double(1 << level)
            let column = max(0, min(Int(side) - 1, Int(point.x * side)))
            let row = max(0, min(Int(side) - 1, Int(point.y * side)))
            if let id = TileID(z: level, x: column, y: row), hasTile(id) { break }
            level -= 1
        }
        return Double(max(0, level) + 1)
    }

    /// A tile that cannot be read counts: it was meant to be there.
    private func hasTile(_ id: TileID) -> Bool {
        do throws(TileError) {
            return try archive.tile(id) != nil
        } catch {
            return true
        }
    }

    /// What the archive has of the tiles of a picture.
    private struct TileSet {
        var loaded: [MapAssembler.LoadedTile] = []
        var missingCount = 0
        var corrupt: [CorruptTile] = []
    }

    /// Reads and decodes tiles until they have as many octets as one picture may use; what comes later counts as missing. One
    /// read serves all copies of the world, also of a tile that is missing or corrupt.
    private func read(_ tiles: [PlacedTile], shouldStop: () -> Bool) throws(MapError) -> TileSet {
        var set = TileSet()
        var known: [TileID: VectorTile?] = [:]
        var byteCount = 0
        for placed in tiles {
            if shouldStop() { throw .cancelled }
            if known[placed.id] == nil, byteCount < tileByteBudget {
                do throws(TileError) {
                    let content = try archive.tile(placed.id)
                    byteCount += content?.count ?? 0
                    known[placed.id] = .some(
                        try content.map { bytes throws(TileError) in try VectorTile.decode(bytes) })
                } catch {
                    set.corrupt.append(CorruptTile(id: placed.id, error: error))
                    known[placed.id] = .some(nil)
                }
            }
            if let content = known[placed.id] ?? nil {
                set.loaded.append(MapAssembler.LoadedTile(placed: placed, content: content))
            } else if !set.corrupt.contains(where: { $0.id == placed.id }) {
                set.missingCount += 1
            }
        }
        return set
    }

    private func draw(
        _ list: DisplayList, _ viewport: Viewport, shouldStop: () -> Bool
    ) throws(MapError) -> PixelBuffer {
        do throws(RasterError) {
            return try Rasteriser().draw(
                list, widthPx: viewport.outputWidthPx, heightPx: viewport.outputHeightPx,
                background: LightStyle.background, shouldStop: shouldStop)
        } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .canvasOutOfRange: throw .viewportOutOfRange(.width)
            }
        }
    }
}
