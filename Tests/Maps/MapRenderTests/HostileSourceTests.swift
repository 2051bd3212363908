import Bytes
import Foundation
import JSON
import MapStyle
import Raster
import SeededRandom
import TestPlaces
import Testing
import Tiles

@testable import MapRender

/// The data beside the repository, or where `VEDUTA_SHARED` says; nil when it is absent.
private let sharedData = TestPlaces.shared(with: "maps/negative")

/// Data that is broken by chance or on purpose: it may draw nothing or in part, and never traps.
@Suite(.timeLimit(.minutes(5))) struct HostileSourceTests {
    /// A layer with a point, a line and a polygon, with properties of all kinds.
    private static let tile: [UInt8] = {
        func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
            [number << 3 | 2, UInt8(content.count)] + content
        }
        func text(_ text: String) -> [UInt8] { Array(text.utf8) }
        let point: [UInt8] = [8, 1] + field(2, [0, 0, 1, 1]) + [24, 1] + field(4, [9, 50, 34])
        let line: [UInt8] = field(2, [0, 2]) + [24, 2] + field(4, [9, 4, 4, 18, 0, 16, 16, 0])
        let ring: [UInt8] = [24, 3] + field(4, [9, 6, 12, 18, 10, 12, 24, 44, 15])
        let layer =
            field(1, text("a")) + field(2, point) + field(2, line) + field(2, ring) + field(3, text("k"))
            + field(3, text("l")) + field(4, field(1, text("v"))) + field(4, [40, 200, 1]) + field(4, [56, 1])
            + [40, 128, 32, 120, 2]
        return field(3, layer)
    }()

    /// Reads all that a layer says, as painters do.
    private func visit(_ layer: FeatureLayer) {
        let cursor = FeatureCursor(layer, propertyNames: ["k"])
        for index in layer.features.indices {
            cursor.index = index
            _ = cursor.properties
            _ = cursor.geometry
            _ = cursor.id
        }
    }

    @Test func aSoundTile_isRead() throws {
        let content = try #require(VectorTileContent.read(SharedBytes(Self.tile)))
        let layer = try #require(content.layers["a"])
        #expect(layer.features.map(\.kind) == [.point, .lineString, .polygon])
        #expect(layer.vertices[0] == TileVertex(x: 50, y: 34))
        let cursor = FeatureCursor(layer, propertyNames: [])
        #expect(cursor.id == .number(1) && cursor.property(named: "l") == .number(200))
    }

    @Test func mutatedTiles_neverTrap() {
        var random = SeededGenerator(state: 11)
        for _ in 0..<20_000 {
            var input = Self.tile
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<input.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: input[place] = UInt8.random(in: 0...255, using: &random)
                case 1: input.remove(at: place)
                default: input.insert(UInt8.random(in: 0...255, using: &random), at: place)
                }
            }
            for layer in (VectorTileContent.read(SharedBytes(input))?.layers ?? [:]).values { visit(layer) }
        }
    }

    @Test func mutatedGeoJSON_neverTraps() throws {
        let data = """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","id":1,"properties":{"a":1},"geometry":{"type":"Point","coordinates":[12,-34]}},
            {"type":"Feature","geometry":{"type":"LineString","coordinates":[[-1e2,8e1],[9.9,1],[179,0],[200,5]]}},
            {"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[[[0,0],[9,0],[9,9],[0,0]]],[]]}},
            {"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[null,{"type":"Point"}]}}]}
            """
        let tokens = ["[", "]", "null", "1e308", "-1e308", "1e-320", "{}", "\"Polygon\"", "0", ",", "\"\"", "[[]]"]
        var random = SeededGenerator(state: 12)
        let tiles = [(0, 0, 0), (3, 4, 4), (22, 2_097_151, 2_097_152)].map { TileCoordinate(z: $0.0, x: $0.1, y: $0.2) }
        let style = try Style.read(
            JSONReader.read(
                #"{"version": 8, "layers": [], "sources": {"a": {"type": "geojson", "data": null}}}"#))
        guard case .geoJSON(let source)? = style.sources["a"] else {
            Issue.record("no source")
            return
        }
        for round in 0..<4000 {
            var input = Array(data.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<input.count, using: &random)
                let length = min(Int.random(in: 0...6, using: &random), input.count - place)
                input.replaceSubrange(
                    place..<place + length, with: Array((tokens.randomElement(using: &random) ?? "").utf8))
            }
            guard let json = try? JSONReader.read(input) else { continue }
            var source = source
            source.isClustered = round.isMultiple(of: 3)
            source.hasLineMetrics = round.isMultiple(of: 2)
            source.maxZoom = round.isMultiple(of: 5) ? 1e300 : 22
            source.buffer = round.isMultiple(of: 7) ? -1e300 : 128
            guard let content = try? GeoJSONContent(json, source, shouldStop: { false }) else { continue }
            for layer in try content.tiles(tiles, shouldStop: { false }) { layer.map(visit) }
        }
    }

    @Test(.enabled(if: sharedData != nil, "no data beside the repository"))
    func sharedTiles_areReadOrRefused() throws {
        let folder = try #require(sharedData).appending(path: "conformance/mvt/fixtures")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        var readCount = 0
        for name in names {
            guard let data = try? Data(contentsOf: folder.appendingPathComponent("\(name)/tile.mvt")),
                let content = VectorTileContent.read(SharedBytes([UInt8](data)))
            else { continue }
            readCount += 1
            for layer in content.layers.values { visit(layer) }
        }
        #expect(readCount > names.count / 3)
    }

    @Test(.enabled(if: sharedData != nil, "no data beside the repository"))
    func sharedBrokenArchives_drawNothing() throws {
        let folder = try #require(sharedData).appending(path: "maps/negative")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let style = try Style.read(
            JSONReader.read(
                """
                {"version": 8, "sources": {"a": {"type": "vector", "url": "a"}},
                 "layers": [{"id": "a", "type": "fill", "source": "a", "source-layer": "water"}]}
                """))
        for name in names {
            let resources = ArchiveResources(path: folder.appendingPathComponent(name).path)
            let engine = MapEngine(resources: resources)
            for zoom in [0.0, 5, 14] {
                let camera = Camera(longitude: 121.5, latitude: 25, zoom: zoom, width: 64, height: 64)
                #expect(try engine.render(style, camera).widthPx == 64)
            }
        }
    }
}

/// One archive for whatever is asked for.
private struct ArchiveResources: MapResources {
    let path: String

    func archive(at address: String) throws(ResourceError) -> (any TileArchive)? {
        do throws(TileError) { return PMTilesTiles(try PMTilesArchive(path: path)) } catch { throw .failed("\(error)") }
    }
}
