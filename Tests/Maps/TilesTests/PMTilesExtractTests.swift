import Bytes
import MapTestKit
import Testing

@testable import Tiles

/// A part of an archive as an archive of its own.
@Suite(.timeLimit(.minutes(5))) struct PMTilesExtractTests {
    private func tiles(_ zooms: ClosedRange<Int>) -> [TileID] {
        zooms.flatMap { z in (0..<(1 << (2 * z))).compactMap { TileID(z: z, x: $0 >> z, y: $0 & ((1 << z) - 1)) } }
    }

    /// The archive of what `area` has of the archive `bytes`.
    private func extract(_ bytes: [UInt8], _ area: TileArea) throws -> [UInt8] {
        let archive = try PMTilesArchive(bytes: SharedBytes(bytes))
        var pieces: [PMTilesPiece] = []
        var open = [(archive.index.root, area.pmtilesIDs[...])]
        while let (directory, wanted) = open.popLast() {
            let found = try archive.index.selection(of: wanted, in: directory)
            pieces += found.pieces
            for (range, wanted) in found.leaves { open.append((try archive.leaf(at: range), wanted)) }
        }
        pieces.sort { $0.id < $1.id }
        let layout = PMTilesLayout(pieces, of: archive.index, area: area, metadata: try archive.readMetadata())
        var result = [UInt8](repeating: 0, count: Int(layout.byteCount))
        result.replaceSubrange(0..<layout.beginning.count, with: layout.beginning)
        for piece in pieces {
            let place = Int(try #require(layout.places[piece.range.lowerBound]))
            let content = bytes[Int(piece.range.lowerBound)..<Int(piece.range.upperBound)]
            result.replaceSubrange(place..<(place + content.count), with: content)
        }
        return result
    }

    @Test(arguments: [0, 1, 7])
    func everyTileOfTheArea_andNoOther_isThere(leafEntryCount: Int) throws {
        var writer = ArchiveWriter(leafEntryCount: leafEntryCount, compresses: true)
        for tile in tiles(0...5) where tile.pmtilesID % 7 != 3 {
            writer.tiles[tile] = tile.pmtilesID % 3 == 0 ? [7, 7, 7] : Array("tile \(tile)".utf8)
        }
        writer.metadata = #"{"name":"test"}"#
        let area = try #require(TileArea(west: -100, south: -40, east: 30, north: 60, zooms: 1...4))
        let wanted = Set(area.pmtilesIDs)
        #expect(wanted.count == area.tileCount)
        let archive = try PMTilesArchive(bytes: SharedBytes(try extract(writer.archive(), area)))
        for tile in tiles(0...6) {
            let expected = wanted.contains(tile.pmtilesID) ? writer.tiles[tile] : nil
            #expect(try archive.tile(tile).map(byteArray) == expected, "\(tile)")
        }
        #expect(try archive.readMetadata() == #"{"name":"test"}"#)
        #expect(archive.minZoom == 1 && archive.maxZoom == 4 && archive.tileType == .vector)
        #expect(archive.bounds == PMTilesArchive.Bounds(west: -100, south: -40, east: 30, north: 60))
    }

    /// Its root directory has room for some thousand tiles; more are in leaves.
    @Test func manyTiles_haveLeafDirectories() throws {
        var writer = ArchiveWriter(leafEntryCount: 1000, compresses: true)
        for tile in tiles(7...7) {
            // Lengths that do not compress well.
            let spread = tile.pmtilesID &* 0x9e37_79b9_7f4a_7c15
            let mixed = ((spread ^ (spread >> 31)) &* 0xbf58_476d_1ce4_e5b9) >> 33
            writer.tiles[tile] = [UInt8](repeating: UInt8(mixed & 255), count: 1 + Int(mixed % 1000))
        }
        let area = try #require(TileArea(west: -180, south: -85, east: 180, north: 85, zooms: 7...7))
        let bytes = try extract(writer.archive(), area)
        let archive = try PMTilesArchive(bytes: SharedBytes(bytes))
        #expect(archive.index.header.leafDirectories.byteCount > 0)
        for tile in tiles(7...7) { #expect(try archive.tile(tile).map(byteArray) == writer.tiles[tile]) }
    }

    @Test func area_isABoxOfTheGlobe() throws {
        let zooms = 0...2
        #expect(TileArea(west: 10, south: 0, east: 5, north: 1, zooms: zooms) == nil)
        #expect(TileArea(west: 0, south: 1, east: 5, north: 1, zooms: zooms) == nil)
        #expect(TileArea(west: -181, south: 0, east: 5, north: 1, zooms: zooms) == nil)
        #expect(TileArea(west: .nan, south: 0, east: 5, north: 1, zooms: zooms) == nil)
        #expect(TileArea(west: 0, south: 0, east: 1, north: 1, zooms: 0...31) == nil)
        #expect(try #require(TileArea(west: -180, south: -90, east: 180, north: 90, zooms: zooms)).tileCount == 21)
        #expect(try #require(TileArea(west: 1, south: 1, east: 2, north: 2, zooms: 2...2)).pmtilesIDs.count == 1)
    }
}
