import SeededRandom
import Bytes
import Foundation
import TestPlaces
import Testing

@testable import Tiles

/// The test data beside the repository, or nil.
enum SharedData {
    static let root = TestPlaces.shared(with: "maps/firenze.pmtiles")?.path

    static func path(_ name: String) -> String { (root ?? "") + "/" + name }

    static func bytes(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(filePath: path(name)))) }
}

@Suite(.timeLimit(.minutes(5)), .enabled(if: SharedData.root != nil, "../shared is absent")) struct SharedDataTests {
    /// What info.json says about a case, and where this decoder knowingly differs from a plain "refused" or "read".
    private struct Case: Decodable {
        struct Validity: Decodable {
            let v1: Bool
            let v2: Bool
            let error: String?
        }
        let validity: Validity
    }

    private enum Outcome: Equatable { case read, leftOut, refused }

    @Test func conformanceCases_areReadLeftOutOrRefused() throws {
        let folder = "conformance/mvt/fixtures"
        let names = try FileManager.default.contentsOfDirectory(atPath: SharedData.path(folder)).sorted()
        #expect(names.count == 74)
        for name in names {
            let info = try JSONDecoder().decode(Case.self, from: Data(SharedData.bytes("\(folder)/\(name)/info.json")))
            let outcome = outcome(try SharedData.bytes("\(folder)/\(name)/tile.mvt"))
            // 057 counts as valid by its file, but states 2^29 points and holds one; 051 is the same and counts as fatal.
            let isInvalid = !info.validity.v2 || name == "057"
            switch (isInvalid, info.validity.error) {
            case (false, _): #expect(outcome == .read, "case \(name) is valid")
            case (true, "recoverable"): #expect(outcome != .refused, "case \(name) is recoverable")
            case (true, _): #expect(outcome == .refused, "case \(name) is fatal")
            }
        }
    }

    private func outcome(_ bytes: [UInt8]) -> Outcome {
        var geometry = TileGeometry()
        do throws(TileError) {
            let tile = try VectorTile.decode(SharedBytes(bytes))
            for layer in tile.layers {
                for feature in layer.features { try layer.geometry(of: feature, into: &geometry) }
            }
            let dropped = tile.layers.reduce(tile.droppedLayerCount) { $0 + $1.droppedFeatureCount }
            return dropped > 0 ? .leftOut : .read
        } catch {
            return .refused
        }
    }

    @Test func mutatedConformanceCases_neverTrap() throws {
        let folder = "conformance/mvt/fixtures"
        for name in try FileManager.default.contentsOfDirectory(atPath: SharedData.path(folder)) {
            exerciseMutations(
                of: try SharedData.bytes("\(folder)/\(name)/tile.mvt"), rounds: 200, seed: UInt64(name) ?? 0)
        }
    }

    @Test(arguments: [
        ("empty", TileError.notPMTiles), ("invalid", .notPMTiles), ("invalid_v4", .unsupportedVersion(4)),
        ("v1-tpe", .unsupportedVersion(1)), ("test_fixture_mlt", .unsupportedTileType(code: 6)),
    ])
    func archivesThatCannotBeRead_areRefusedWithTheReason(name: String, error: TileError) {
        #expect(throws: error) { _ = try PMTilesArchive(path: SharedData.path("maps/negative/\(name).pmtiles")) }
    }

    @Test(arguments: ["no-vector-layers", "test_fixture_1", "test_fixture_2"])
    func oddButReadableArchives_areRead(name: String) throws {
        let archive = try PMTilesArchive(path: SharedData.path("maps/negative/\(name).pmtiles"))
        let world = try #require(TileID(z: 0, x: 0, y: 0))
        let tile = try #require(try archive.tile(world))
        let layers = try VectorTile.decode(tile).layers
        #expect(!layers.isEmpty)
    }

    @Test func everyTileOfFlorence_decodes() throws {
        let archive = try PMTilesArchive(path: SharedData.path("maps/firenze.pmtiles"))
        #expect(archive.minZoom == 0 && archive.maxZoom == 14 && archive.tileType == .vector)
        #expect(try archive.readMetadata().contains("vector_layers"))
        var geometry = TileGeometry()
        var (tileCount, featureCount, pointCount) = (0, 0, 0)
        for zoom in 0...14 {
            for tile in tiles(of: archive, zoom: zoom) {
                guard let content = try archive.tile(tile) else { continue }
                tileCount += 1
                for layer in try VectorTile.decode(content).layers {
                    #expect(layer.droppedFeatureCount == 0)
                    featureCount += layer.features.count
                    for feature in layer.features {
                        try layer.geometry(of: feature, into: &geometry)
                        pointCount += geometry.points.count
                    }
                }
            }
        }
        // As a Python decoder counts them, closing points that repeat the first left out.
        #expect(tileCount == 108 && featureCount == 141_325 && pointCount == 1_057_963)
    }

    @Test func mutatedTileOfFlorence_neverTraps() throws {
        let archive = try PMTilesArchive(path: SharedData.path("maps/firenze.pmtiles"))
        let town = try #require(TileID(z: 10, x: 544, y: 373))
        let tile = try #require(try archive.tile(town))
        exerciseMutations(of: byteArray(tile), rounds: 20, seed: 14)
    }

    @Test func mutatedArchive_neverTraps() throws {
        let whole = try SharedData.bytes("maps/firenze.pmtiles")
        var numbers = SeededGenerator(state: 3)
        let head = Array(whole[..<1108])
        for _ in 0..<60 {
            let mutated = numbers.mutate(head) + whole[1108...].prefix(60_000)
            guard let archive = try? PMTilesArchive(bytes: SharedBytes(mutated)) else { continue }
            for zoom in 0...14 {
                for tile in tiles(of: archive, zoom: zoom).prefix(4) { _ = try? archive.tile(tile) }
            }
            _ = try? archive.readMetadata()
        }
    }

    /// The tiles that the archive's bounds cover, with one more at every side, at most 400.
    private func tiles(of archive: PMTilesArchive, zoom: Int) -> [TileID] {
        let side = Double(1 << zoom)
        func column(_ longitude: Double) -> Int { Int((longitude + 180) / 360 * side) }
        func row(_ latitude: Double) -> Int {
            let sine = sin(max(-85, min(85, latitude)) * .pi / 180)
            return Int((0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)) * side)
        }
        let columns =
            column(archive.bounds.west) - 1...max(column(archive.bounds.west), column(archive.bounds.east)) + 1
        let rows = row(archive.bounds.north) - 1...max(row(archive.bounds.north), row(archive.bounds.south)) + 1
        var found: [TileID] = []
        for x in columns {
            for y in rows where found.count < 400 {
                if let tile = TileID(z: zoom, x: x, y: y) { found.append(tile) }
            }
        }
        return found
    }
}
