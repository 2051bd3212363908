import MapTestKit
import Bytes
import Glibc
import Testing

@testable import Tiles

@Suite(.timeLimit(.minutes(5))) struct PMTilesArchiveTests {
    /// The tiles of the first levels in the order of their ids, which begin at 0.
    private let firstTiles = (0...4).flatMap { z in
        (0..<(1 << (2 * z))).compactMap { TileID(z: z, x: $0 >> z, y: $0 & ((1 << z) - 1)) }
    }.sorted { $0.pmtilesID < $1.pmtilesID }

    @Test(arguments: [false, true], [0, 1, 7])
    func everyWrittenTile_isReadBack(compresses: Bool, leafEntryCount: Int) throws {
        var writer = ArchiveWriter(leafEntryCount: leafEntryCount, compresses: compresses)
        for id in 0..<85 as Range<UInt64> where id % 5 != 3 {
            let tile = firstTiles[Int(id)]
            writer.tiles[tile] = id < 40 ? [7, 7, 7] : Array("tile \(id)".utf8)
        }
        writer.metadata = #"{"name":"test"}"#
        let archive = try PMTilesArchive(bytes: SharedBytes(writer.archive()))
        for id in 0..<341 as Range<UInt64> {
            let tile = firstTiles[Int(id)]
            #expect(try archive.tile(tile).map(byteArray) == writer.tiles[tile])
        }
        #expect(try archive.readMetadata() == #"{"name":"test"}"#)
        #expect(archive.minZoom == 0 && archive.maxZoom == 14)
        #expect(archive.tileType == .vector)
        #expect(archive.bounds == PMTilesArchive.Bounds(west: -180, south: -85, east: 180, north: 85))
        #expect(archive.centre == PMTilesArchive.Centre(longitude: 11, latitude: 43, zoom: 0))
    }

    @Test func runLength_coversItsTilesAndNoMore() throws {
        var writer = ArchiveWriter()
        for id in 10...19 as ClosedRange<UInt64> {
            let tile = firstTiles[Int(id)]
            writer.tiles[tile] = [1]
        }
        let archive = try PMTilesArchive(bytes: SharedBytes(writer.archive()))
        for id in 8...22 as ClosedRange<UInt64> {
            let tile = firstTiles[Int(id)]
            let isFound = try archive.tile(tile) != nil
            #expect(isFound == (10...19).contains(id))
        }
    }

    @Test func otherVersionsAndRubbish_areToldApart() {
        #expect(throws: TileError.notPMTiles) { try opened([]) }
        #expect(throws: TileError.notPMTiles) { try opened(Array("This is no archive, it is a sentence.".utf8)) }
        #expect(throws: TileError.unsupportedVersion(1)) { try opened(Array("PM".utf8) + [1, 0, 0, 0, 0, 0, 0]) }
        #expect(throws: TileError.unsupportedVersion(2)) { try opened(Array("PM".utf8) + [2, 0, 0, 0, 0, 0, 0]) }
        #expect(throws: TileError.unsupportedVersion(4)) { try opened(Array("PMTiles".utf8) + [4]) }
        #expect(throws: TileError.malformedHeader(.length)) { try opened(Array("PMTiles".utf8) + [3]) }
    }

    /// One byte of the header changed, and what the reader says to it; nil: still readable.
    struct HeaderChange: Sendable {
        let offset: Int
        let value: UInt8
        let error: TileError?

        init(_ offset: Int, _ value: UInt8, _ error: TileError?) {
            self.offset = offset
            self.value = value
            self.error = error
        }

        static let all: [HeaderChange] = [
            HeaderChange(97, 3, .unsupportedCompression(code: 3)),
            HeaderChange(98, 4, .unsupportedCompression(code: 4)),
            HeaderChange(99, 6, .unsupportedTileType(code: 6)), HeaderChange(15, 1, .malformedHeader(.rootDirectory)),
            HeaderChange(31, 1, .malformedHeader(.metadata)), HeaderChange(47, 255, nil),
            HeaderChange(55, 1, .malformedHeader(.leafDirectories)), HeaderChange(101, 31, .malformedHeader(.zoom)),
            HeaderChange(100, 15, .malformedHeader(.zoom)), HeaderChange(105, 0x7f, .malformedHeader(.bounds)),
        ]
    }

    @Test(arguments: HeaderChange.all)
    func aWrongHeaderField_isNamed(change: HeaderChange) throws {
        var bytes = ArchiveWriter().archive()
        bytes[change.offset] = change.value
        if let error = change.error {
            #expect(throws: error) { try opened(bytes) }
        } else {
            try opened(bytes)
        }
    }

    @Test func truncatedArchive_failsWhereItIsCut() throws {
        var writer = ArchiveWriter()
        let tile = try #require(TileID(z: 0, x: 0, y: 0))
        writer.tiles[tile] = [1, 2, 3, 4]
        let bytes = Array(writer.archive().dropLast(2))
        let archive = try PMTilesArchive(bytes: SharedBytes(bytes))
        #expect(throws: TileError.truncatedArchive(offset: UInt64(bytes.count - 2), byteCount: 4)) {
            _ = try archive.tile(tile)
        }
    }

    @Test func aLeafThatLeadsToItself_isRefused() throws {
        let pointer = ArchiveWriter.directory([ArchiveWriter.Entry(id: 0, offset: 0, byteCount: 5, runLength: 0)])
        let bytes = ArchiveWriter().assemble(root: pointer, leaves: pointer, data: [])
        let archive = try PMTilesArchive(bytes: SharedBytes(bytes))
        let tile = try #require(TileID(z: 3, x: 1, y: 1))
        #expect(throws: TileError.directoriesTooDeep) { _ = try archive.tile(tile) }
    }

    @Test func aDirectoryThatStatesMoreThanItHolds_isRefused() {
        let bytes = ArchiveWriter().assemble(root: varint(1 << 40) + [0, 0, 0, 0], leaves: [], data: [])
        #expect(throws: TileError.malformedDirectory(offset: 127)) { try opened(bytes) }
    }

    @Test func fileThatShrinksWhileOpen_isAnErrorNotATrap() throws {
        var writer = ArchiveWriter()
        let tile = try #require(TileID(z: 0, x: 0, y: 0))
        writer.tiles[tile] = [1, 2, 3, 4]
        let bytes = writer.archive()
        let path = try temporaryFile(bytes)
        defer { unlink(path) }
        let archive = try PMTilesArchive(path: path)
        #expect(try archive.tile(tile).map(byteArray) == [1, 2, 3, 4])
        #expect(truncate(path, off_t(bytes.count - 3)) == 0)
        #expect(throws: TileError.truncatedArchive(offset: UInt64(bytes.count - 4), byteCount: 4)) {
            _ = try archive.tile(tile)
        }
        let reopened = try PMTilesArchive(path: path)
        #expect(reopened.validator != archive.validator)
    }

    @Test func pathsThatAreNoFiles_areRefused() {
        #expect(throws: TileError.cannotOpen(code: ENOENT)) { _ = try PMTilesArchive(path: "/no/such/archive") }
        #expect(throws: TileError.notRegularFile) { _ = try PMTilesArchive(path: "/") }
    }

    @Test func validator_dependsOnContentAndNotOnTheObject() throws {
        var writer = ArchiveWriter()
        let tile = try #require(TileID(z: 0, x: 0, y: 0))
        writer.tiles[tile] = [1, 2, 3, 4]
        let first = try PMTilesArchive(bytes: SharedBytes(writer.archive()))
        let same = try PMTilesArchive(bytes: SharedBytes(writer.archive()))
        writer.tiles[tile] = [1, 2, 3, 5]
        let other = try PMTilesArchive(bytes: SharedBytes(writer.archive()))
        #expect(first.validator == same.validator)
        #expect(first.validator != other.validator)
    }

    private func opened(_ bytes: [UInt8]) throws { _ = try PMTilesArchive(bytes: SharedBytes(bytes)) }

    private func temporaryFile(_ bytes: [UInt8]) throws -> String {
        var template = Array("/tmp/veduta-tiles-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        #expect(write(descriptor, bytes, bytes.count) == bytes.count)
        close(descriptor)
        return template.withUnsafeBufferPointer { buffer in
            String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct InventoryTests {
    private func archive(leaves: Int = 0, compresses: Bool = false) throws -> ArchiveWriter {
        var writer = ArchiveWriter()
        for x in 0..<200 {
            let id = try #require(TileID(z: 9, x: x, y: 3))
            writer.tiles[id] = [UInt8(x), 1, 2, 3]
        }
        writer.leafEntryCount = leaves
        writer.compresses = compresses
        return writer
    }

    @Test(arguments: [0, 7])
    func samples_areSpreadAndThere(_ leaves: Int) throws {
        let archive = try PMTilesArchive(bytes: SharedBytes(try archive(leaves: leaves).archive()))
        for count in [0, 1, 10, 150, 5000] {
            let tiles = try archive.sampleTiles(count)
            #expect(tiles.count <= count && tiles.count >= min(count, 200) / 2 && Set(tiles).count == tiles.count)
            for tile in tiles { #expect(try archive.tile(tile) != nil) }
        }
        #expect(archive.tileCount == 200)
    }

    @Test func storedTiles_areAsTheyAreKept() throws {
        let archive = try PMTilesArchive(bytes: SharedBytes(try archive(compresses: true).archive()))
        let id = try #require(TileID(z: 9, x: 5, y: 3))
        let stored = try #require(try archive.storedTile(id))
        #expect(archive.storesGzip && byteArray(stored) == gzipStored([5, 1, 2, 3]))
        #expect(byteArray(try VectorTile.decompressed(stored)) == [5, 1, 2, 3])
        #expect(try archive.storedTile(try #require(TileID(z: 8, x: 5, y: 3))) == nil)
    }

    @Test func anArchiveWithoutItsLastByte_isNotWhole() throws {
        let whole = try archive().archive()
        try PMTilesArchive(bytes: SharedBytes(whole)).checkIsWhole()
        let cut = try PMTilesArchive(bytes: SharedBytes(Array(whole.dropLast())))
        #expect(throws: TileError.self) { try cut.checkIsWhole() }
    }
}

@Suite(.timeLimit(.minutes(5))) struct GunzipTests {
    @Test func zlibStreams_comeBackAsFarAsTheLimit() throws {
        // A stored block (RFC 1951 §3.2.4) with the checksum of 5000 times 9 (RFC 1950 §8.2).
        let content = [UInt8](repeating: 9, count: 5000)
        let (low, high) = content.reduce((1, 0)) { sums, byte in
            let low = (sums.0 + Int(byte)) % 65521
            return (low, (sums.1 + low) % 65521)
        }
        let length = littleEndian(UInt16(5000))
        let stream: [UInt8] =
            [0x78, 1, 1] + length + length.map { ~$0 } + content
            + [UInt8(high >> 8), UInt8(high & 255), UInt8(low >> 8), UInt8(low & 255)]
        #expect(byteArray(try VectorTile.decompressed(SharedBytes(stream))) == content)
        #expect(byteArray(try Gunzip.decompressZlib(SharedBytes(stream).span, limit: 5000)) == content)
        #expect(throws: TileError.tooLarge(limit: 4999)) {
            _ = try Gunzip.decompressZlib(SharedBytes(stream).span, limit: 4999)
        }
        #expect(throws: TileError.corruptCompression) {
            _ = try Gunzip.decompressZlib(SharedBytes(Array(stream.dropLast())).span, limit: 1 << 20)
        }
        #expect(throws: TileError.corruptCompression) {
            _ = try Gunzip.decompressZlib(SharedBytes([0x78]).span, limit: 9)
        }
    }

    @Test func storedContent_comesBack() throws {
        for count in [0, 1, 5000] {
            let content = [UInt8](repeating: 9, count: count)
            let compressed = SharedBytes(gzipStored(content))
            #expect(byteArray(try Gunzip.decompress(compressed.span, limit: 5000)) == content)
        }
    }

    @Test func aTrailerThatUnderstates_isOnlyAHint() {
        // libdeflate checks the trailer too: the right content with the wrong size is corrupt, after bounded attempts.
        let compressed = SharedBytes(gzipStored([UInt8](repeating: 9, count: 5000), stating: 3))
        #expect(throws: TileError.corruptCompression) { _ = try Gunzip.decompress(compressed.span, limit: 1 << 20) }
    }

    @Test func aTrailerThatOverstates_allocatesNoMoreThanReachable() {
        let compressed = SharedBytes(gzipStored([1, 2, 3], stating: .max))
        #expect(throws: TileError.corruptCompression) { _ = try Gunzip.decompress(compressed.span, limit: 1 << 30) }
    }

    @Test func contentOverTheLimit_isTooLarge() {
        let compressed = SharedBytes(gzipStored([UInt8](repeating: 9, count: 5000)))
        #expect(throws: TileError.tooLarge(limit: 4999)) { _ = try Gunzip.decompress(compressed.span, limit: 4999) }
    }

    @Test func rubbish_isCorrupt() {
        let compressed = SharedBytes([UInt8](repeating: 0x1f, count: 40))
        #expect(throws: TileError.corruptCompression) { _ = try Gunzip.decompress(compressed.span, limit: 4999) }
        let short = SharedBytes([0x1f, 0x8b])
        #expect(throws: TileError.corruptCompression) { _ = try Gunzip.decompress(short.span, limit: 4999) }
    }
}

func byteArray(_ bytes: SharedBytes) -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }
