import Bytes
import Foundation
import JSON
import MapRender
import MapStyle
import SQLite
import TestThreads
import Testing
import Tiles

@testable import MapSources

/// A vector tile with one empty layer: its name and its version.
let smallVectorTile: [UInt8] = [0x1a, 5, 10, 1, 0x61, 0x78, 2]

@Suite(.timeLimit(.minutes(5))) struct MBTilesTests {
    private let folder: TrialFolder

    init() throws { folder = try TrialFolder() }

    private func data(_ bytes: SharedBytes?) -> [UInt8]? { bytes.map { $0.withUnsafeBytes { [UInt8]($0) } } }

    @Test(.enabled(if: SharedData.root != nil, "../shared is absent"))
    func florence_hasTheTilesOfItsPMTiles() throws {
        let archive = try MBTiles(path: SharedData.map("firenze.mbtiles"))
        let other = PMTilesSource(try PMTilesArchive(path: SharedData.map("firenze.pmtiles")))
        #expect(archive.zooms == other.zooms && archive.zooms == 0...14)
        var count = 0
        for level in archive.zooms {
            let middle = TileCoordinate(latitude: 43.78, longitude: 11.24, z: level)
            for x in max(0, middle.x - 8)...middle.x + 8 {
                for y in max(0, middle.y - 8)...middle.y + 8 {
                    let id = TileCoordinate(z: level, x: x, y: y)
                    let (left, right) = (try archive.tile(id), try other.tile(id))
                    #expect(data(left) == data(right))
                    count += left == nil ? 0 : 1
                }
            }
        }
        #expect(count == 108)
        let details = archive.details()
        #expect(details.format == .vector && details.vectorLayers.count == 13)
        #expect(details.bounds == [11.154026, 43.7270125, 11.3289395, 43.8325455])
        #expect(details.attribution?.contains("OpenStreetMap") == true)
        #expect(try archive.storedTile(TileCoordinate(z: 0, x: 0, y: 0))?.encoding == .gzip)
    }

    @Test(.enabled(if: SharedData.root != nil, "../shared is absent"))
    func sanFrancisco_isOpenMapTiles() throws {
        let archive = try MBTiles(path: SharedData.map("sf-downtown-omt.mbtiles"))
        let details = archive.details()
        #expect(details.title == "SF downtown OMT" && details.centre?.zoom == 7)
        #expect(details.vectorLayers.first?["id"] == .string("place"))
        let tile = TileCoordinate(latitude: 37.784, longitude: -122.4, z: 14)
        let content = try #require(try archive.tile(tile))
        #expect(try VectorTile.decode(content).layers.contains { $0.name == "building" })
    }

    @Test func rows_areCountedFromTheSouth() throws {
        try TrialMBTiles.make(folder.file("a.mbtiles"), tiles: [(2, 1, 3, smallVectorTile)])
        let archive = try MBTiles(path: folder.file("a.mbtiles"))
        #expect(data(try archive.tile(TileCoordinate(z: 2, x: 1, y: 0))) == smallVectorTile)
        #expect(try archive.tile(TileCoordinate(z: 2, x: 1, y: 3)) == nil)
        for outside in [(2, 4, 0), (2, -1, 0), (31, 0, 0), (-1, 0, 0), (2, 0, 4), (60, 1, 1)] {
            let id = TileCoordinate(z: outside.0, x: outside.1, y: outside.2)
            #expect(try archive.tile(id) == nil)
        }
        #expect(archive.zooms == 2...2)
    }

    @Test func tilesOfAllEncodings_areTheSame() throws {
        let gzip: [UInt8] = Array(Data(base64Encoded: "H4sIAAAAAAACA5Ni5WJMrGACAEzB/rwHAAAA") ?? Data())
        let zlib: [UInt8] = Array(Data(base64Encoded: "eJyTYuViTKxgAgADJgEG") ?? Data())
        let tiles: [[UInt8]] = [smallVectorTile, gzip, zlib]
        try TrialMBTiles.make(folder.file("a.mbtiles"), tiles: tiles.enumerated().map { (3, $0, 0, $1) })
        let archive = try MBTiles(path: folder.file("a.mbtiles"))
        #expect(archive.details().format == .vector)
        let encodings = try (0..<3).map { try archive.storedTile(TileCoordinate(z: 3, x: $0, y: 7))?.encoding }
        #expect(try (0..<3).allSatisfy { data(try archive.tile(TileCoordinate(z: 3, x: $0, y: 7))) == smallVectorTile })
        #expect(encodings == [.identity, .gzip, .deflate])
    }

    @Test func views_areRead() throws {
        try TrialMBTiles.make(
            folder.file("a.mbtiles"),
            schema: """
                CREATE TABLE metadata (name text, value text, extra int);
                CREATE TABLE map (zoom_level int, tile_column int, tile_row int, tile_id text);
                CREATE TABLE images (tile_id text, tile_data blob);
                CREATE VIEW tiles AS SELECT map.zoom_level, map.tile_column, map.tile_row, images.tile_data
                FROM map JOIN images ON images.tile_id = map.tile_id;
                INSERT INTO map VALUES (0, 0, 0, 'a');
                INSERT INTO images VALUES ('a', x'1a050a01617802');
                INSERT INTO metadata VALUES ('name', NULL, 1), ('name', 'World', 2), ('bounds', 'everywhere', 3),
                ('center', '1,2', 4), ('json', '{broken', 5);
                """)
        let archive = try MBTiles(path: folder.file("a.mbtiles"))
        #expect(data(try archive.tile(TileCoordinate(z: 0, x: 0, y: 0))) == smallVectorTile)
        let details = archive.details()
        #expect(details.title == "World" && details.bounds == nil && details.vectorLayers.isEmpty)
        #expect(details.centre == .init(longitude: 1, latitude: 2, zoom: 0))
    }

    @Test func metadataThatAreTooLong_areLeftOut() throws {
        try TrialMBTiles.make(
            folder.file("a.mbtiles"),
            schema: """
                CREATE TABLE tiles (zoom_level int, tile_column int, tile_row int, tile_data blob);
                CREATE VIEW metadata AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
                SELECT 'description' AS name, hex(zeroblob(600000)) AS value
                UNION ALL SELECT 'more', hex(zeroblob(400000)) FROM n UNION ALL SELECT 'name', 'World';
                """,
            tiles: [(0, 0, 0, smallVectorTile)])
        let archive = try MBTiles(path: folder.file("a.mbtiles"))
        #expect(archive.details().title == "World" && archive.details().description == nil)
        // Ten of 800 000 bytes are 8 MiB nearly.
        #expect(archive.metadata.rows.map(\.name) == [String](repeating: "more", count: 10) + ["name"])
    }

    @Test func whatTheConfigurationSays_isPartOfTheValidator() throws {
        try TrialMBTiles.make(folder.file("a.mbtiles"), tiles: [(0, 0, 0, smallVectorTile)])
        let base = try MBTiles(path: folder.file("a.mbtiles"))
        func validator(_ adjust: (inout SourceSettings) -> Void = { _ in }) -> String {
            var settings = SourceSettings(name: "a", label: "a", location: .file(path: base.path))
            adjust(&settings)
            return NamedArchive(base, settings, kind: .vector).validator
        }
        let all = [
            validator(), validator { $0.attribution = "" }, validator { $0.attribution = "somebody" },
            validator { $0.bounds = [0, 0, 1, 1] }, validator { $0.bounds = [0, 0, 1, 2] },
            validator { $0.minZoom = 1 }, validator { $0.maxZoom = 1 }, validator { $0.tileSize = 256 },
            validator { $0.missing = .error },
        ]
        #expect(Set(all).count == all.count)
        // Nothing that a picture shows.
        #expect(validator { ($0.title, $0.description) = ("A", "B") } == all[0])
    }

    @Test func withoutMetadata_theTilesTell() throws {
        let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]
        try TrialMBTiles.make(
            folder.file("a b%?#é.mbtiles"),
            schema: "CREATE TABLE tiles (zoom_level int, tile_column int, tile_row int, tile_data blob)",
            tiles: [(1, 0, 0, png), (4, 0, 0, png)])
        let archive = try MBTiles(path: folder.file("a b%?#é.mbtiles"))
        #expect(archive.details().format == .png && archive.zooms == 1...4)
        #expect(try archive.storedTile(TileCoordinate(z: 1, x: 0, y: 1))?.encoding == .identity)
        #expect(try folder.names == ["a b%?#é.mbtiles"])
    }

    @Test func whatIsNoUsableDatabase_saysWhy() throws {
        func words(_ name: String) -> String {
            do throws(MBTilesError) {
                _ = try MBTiles(path: folder.file(name))
                return "opened"
            } catch {
                return error.words
            }
        }
        try TrialMBTiles.make(folder.file("none.mbtiles"), schema: "CREATE TABLE metadata (name text, value text)")
        #expect(words("none.mbtiles").contains("no table or view `tiles`"))
        try TrialMBTiles.make(folder.file("empty.mbtiles"))
        #expect(words("empty.mbtiles").contains("no tiles"))
        for (name, level, cause) in [("text", "'x'", "not numbers"), ("deep", "31", "beyond zoom level 30")] {
            let rows = "INSERT INTO tiles VALUES (3, 0, 0, x'1a'), (\(level), 0, 0, x'1a');"
            try TrialMBTiles.make(folder.file("\(name).mbtiles"), schema: TrialMBTiles.schema + rows)
            #expect(words("\(name).mbtiles").contains(cause))
        }
        try TrialMBTiles.make(
            folder.file("big.mbtiles"), tiles: (0..<200).map { (9, $0, 0, [UInt8](repeating: 7, count: 3000)) })
        let data = [UInt8](try Data(contentsOf: URL(filePath: folder.file("big.mbtiles"))))
        try folder.write("cut.mbtiles", Array(data.prefix(data.count / 2)))
        #expect(words("cut.mbtiles").contains("truncated"))
        try folder.write("short.mbtiles", Array(data.prefix(60)))
        #expect(words("short.mbtiles").contains("truncated"))
        var damaged = data
        for index in 100..<6000 { damaged[index] = UInt8(truncatingIfNeeded: index &* 31) }
        try folder.write("damaged.mbtiles", damaged)
        #expect(words("damaged.mbtiles").contains("damaged"))
        #expect(words("absent.mbtiles").contains("No such file"))
        try folder.write("big.mbtiles-wal", "changes")
        #expect(words("big.mbtiles").contains("-wal"))
    }

    @Test func damageAmongTheTiles_isAFaultOfThese() throws {
        try TrialMBTiles.make(
            folder.file("big.mbtiles"),
            tiles: (0..<400).map { (9, $0, 0, [UInt8](repeating: UInt8($0 & 255), count: 3000)) })
        var data = [UInt8](try Data(contentsOf: URL(filePath: folder.file("big.mbtiles"))))
        for index in data.count / 2..<data.count / 2 + 200_000 { data[index] = 0xee }
        try folder.write("hurt.mbtiles", data)
        let archive = try MBTiles(path: folder.file("hurt.mbtiles"))
        var (good, bad) = (0, 0)
        for x in 0..<400 {
            do throws(ResourceError) {
                good += try archive.storedTile(TileCoordinate(z: 9, x: x, y: 511)) == nil ? 0 : 1
            } catch {
                bad += 1
            }
        }
        #expect(good > 100 && good + bad <= 400)
    }

    @Test func anEndlessView_isGivenUp() throws {
        try TrialMBTiles.make(
            folder.file("a.mbtiles"),
            schema: """
                CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)
                SELECT 1 AS zoom_level, i AS tile_column, -1 AS tile_row, x'00' AS tile_data FROM n
                """)
        #expect(throws: MBTilesError.self) { _ = try MBTiles(path: folder.file("a.mbtiles")) }
    }

    @Test func aTileOverTheLimit_isRefused() throws {
        try TrialMBTiles.make(
            folder.file("a.mbtiles"),
            tiles: [
                (0, 0, 0, [UInt8](repeating: 1, count: MBTiles.tileByteLimit + 1)), (1, 0, 0, smallVectorTile),
            ])
        let archive = try MBTiles(path: folder.file("a.mbtiles"))
        #expect(throws: ResourceError.self) { _ = try archive.tile(TileCoordinate(z: 0, x: 0, y: 0)) }
        #expect(data(try archive.tile(TileCoordinate(z: 1, x: 0, y: 1))) == smallVectorTile)
    }

    @Test func manyThreads_readTheSame() throws {
        try TrialMBTiles.make(
            folder.file("a.mbtiles"), tiles: (0..<256).map { (8, $0, 0, smallVectorTile + [UInt8($0)]) })
        let archive = try MBTiles(path: folder.file("a.mbtiles"))
        onThreads(16) { _ in
            #expect(throws: Never.self) {
                let sum = try (0..<256).reduce(0) { sum, x in
                    let tile = try archive.storedTile(TileCoordinate(z: 8, x: x, y: 255))
                    return sum + (tile?.content.withUnsafeBytes { Int($0.last ?? 0) } ?? -1000)
                }
                #expect(sum == 255 * 128)
            }
        }
    }
}
