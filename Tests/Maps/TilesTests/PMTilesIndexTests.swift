import Bytes
import MapTestKit
import Testing

@testable import Tiles

@Suite(.timeLimit(.minutes(5))) struct PMTilesIndexTests {
    private static func archive(_ count: Int = 40) -> [UInt8] {
        var writer = ArchiveWriter(leafEntryCount: 8)
        writer.metadata = #"{"name": "trial"}"#
        for x in 0..<count {
            if let id = TileID(z: 6, x: x, y: 0) { writer.tiles[id] = [UInt8(x), 1, 2] }
        }
        return writer.archive()
    }

    /// Follows the way to a tile, with the bytes that are asked for.
    private static func tile(_ id: TileID, of index: PMTilesIndex, _ bytes: SharedBytes) throws -> [UInt8]? {
        var directory = index.root
        while true {
            switch try index.place(of: id, in: directory) {
            case .absent: return nil
            case .tile(let range):
                let stored = bytes.slice(Int(range.lowerBound)..<Int(range.upperBound))
                return try index.tile(stored).withUnsafeBytes(Array.init)
            case .leaf(let range):
                let stored = bytes.slice(Int(range.lowerBound)..<Int(range.upperBound))
                directory = try index.leaf(at: range) ?? index.readLeaf(stored, at: range)
                #expect(index.leaf(at: range) === directory)
            }
        }
    }

    @Test func way_leadsToEachTile() throws {
        let bytes = SharedBytes(Self.archive())
        let index = try PMTilesIndex(
            beginning: bytes.slice(0..<PMTilesIndex.beginningByteCount), archiveByteCount: UInt64(bytes.count))
        for x in 0..<64 {
            let id = try #require(TileID(z: 6, x: x, y: 0))
            #expect(try Self.tile(id, of: index, bytes) == (x < 40 ? [UInt8(x), 1, 2] : nil))
        }
        let metadata = bytes.slice(Int(index.metadata.lowerBound)..<Int(index.metadata.upperBound))
        #expect(try index.metadataText(metadata) == #"{"name": "trial"}"#)
    }

    @Test func beginningWithoutTheRoot_isRefused() throws {
        let bytes = SharedBytes(Self.archive())
        for count in 0..<140 {
            #expect(throws: TileError.self) {
                try PMTilesIndex(beginning: bytes.slice(0..<count), archiveByteCount: UInt64(bytes.count))
            }
        }
    }

    @Test func placesOutsideTheArchive_areRefused() throws {
        let bytes = Self.archive()
        // All but the tile data.
        let index = try PMTilesIndex(beginning: SharedBytes(bytes), archiveByteCount: UInt64(bytes.count - 60))
        let last = try #require((0..<40).compactMap { TileID(z: 6, x: $0, y: 0) }.max { $0.pmtilesID < $1.pmtilesID })
        #expect(throws: TileError.self) { try Self.tile(last, of: index, SharedBytes(bytes)) }
    }

    @Test func slices_shareMemory_andAreCutAtTheEnd() {
        let whole = SharedBytes([1, 2, 3, 4])
        #expect(whole.slice(1..<3).withUnsafeBytes(Array.init) == [2, 3])
        #expect(whole.slice(3..<9).withUnsafeBytes(Array.init) == [4])
        #expect(whole.slice(4..<9).count == 0)
        #expect(SharedBytes([]).slice(0..<9).count == 0)
    }
}
