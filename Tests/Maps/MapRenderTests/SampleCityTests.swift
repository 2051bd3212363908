import Bytes
import Foundation
import MapStyle
import Resources
import Testing
import Tiles

@testable import MapRender

/// What `scripts/generate/city/run` put into the archive that is linked into the program.
@Suite(.timeLimit(.minutes(5))) struct SampleCityTests {
    private let archive: PMTilesArchive

    init() throws { archive = try PMTilesArchive(bytes: Resources.cityArchive) }

    /// Calls `body` with every tile of a zoom level within the archive's bounds; there is one in each place.
    private func visit(zoom: Int, _ body: (SharedBytes) throws -> Void) throws {
        let bounds = archive.bounds
        // Half a tile inwards: the edges of the bounds are edges of tiles at the last zoom.
        let inset = 0.1 * (bounds.east - bounds.west) / 6
        let first = TileCoordinate(latitude: bounds.north - inset, longitude: bounds.west + inset, z: zoom)
        let last = TileCoordinate(latitude: bounds.south + inset, longitude: bounds.east - inset, z: zoom)
        for x in first.x...last.x {
            for y in first.y...last.y {
                let id = try #require(TileID(z: zoom, x: x, y: y))
                try body(try #require(try archive.tile(id), "\(zoom)/\(x)/\(y)"))
            }
        }
    }

    /// The fields that the metadata promise, by layer.
    private func promised() throws -> [String: Set<String>] {
        let metadata = try JSONSerialization.jsonObject(with: Data(try archive.readMetadata().utf8)) as? [String: Any]
        let layers = try #require(metadata?["vector_layers"] as? [[String: Any]])
        return try Dictionary(
            uniqueKeysWithValues: layers.map { layer in
                let fields = try #require(layer["fields"] as? [String: String])
                return (try #require(layer["id"] as? String), Set(fields.keys))
            })
    }

    /// How many features of each `layer kind kind_detail` a zoom level has.
    private func counts(zoom: Int) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        try visit(zoom: zoom) { bytes in
            for (name, layer) in try #require(VectorTileContent.read(bytes)).layers {
                let cursor = FeatureCursor(layer, propertyNames: [])
                for index in layer.features.indices {
                    cursor.index = index
                    let words = ["kind", "kind_detail", "is_bridge", "is_tunnel"].compactMap { key -> String? in
                        switch cursor.property(named: key) {
                        case .string(let text)?: text
                        case .boolean(true)?: key
                        default: nil
                        }
                    }
                    counts[([name] + words).joined(separator: " "), default: 0] += 1
                }
            }
        }
        return counts
    }

    @Test func archive_isSmall_andLiesAroundTheOrigin() throws {
        #expect(archive.minZoom == 6 && archive.maxZoom == 15)
        #expect(Resources.cityArchive.count < 450_000)
        #expect(archive.bounds.west == -archive.bounds.east && archive.bounds.south == -archive.bounds.north)
        #expect((0.03...0.04).contains(archive.bounds.north))
        #expect(archive.centre.latitude == 0 && archive.centre.longitude == 0)
        #expect(try archive.readMetadata().contains("invented"))
    }

    @Test func everyTile_decodesWhole_withTheLayersAndFieldsOfTheMetadata() throws {
        let promised = try promised()
        var seen: [String: Set<String>] = [:]
        for zoom in archive.minZoom...archive.maxZoom {
            try visit(zoom: zoom) { bytes in
                let tile = try VectorTile.decode(VectorTile.decompressed(bytes))
                #expect(tile.droppedLayerCount == 0)
                var geometry = TileGeometry()
                for layer in tile.layers {
                    seen[layer.name, default: []].formUnion(layer.keys)
                    for feature in layer.features {
                        try layer.geometry(of: feature, into: &geometry)
                        #expect(geometry.partCount > 0)
                    }
                }
            }
        }
        #expect(Set(seen.keys) == Set(promised.keys))
        for (layer, fields) in seen { #expect(fields.isSubset(of: try #require(promised[layer])), "\(layer)") }
    }

    @Test func theLastZoom_hasAllThatTheStylesDraw() throws {
        let counts = try counts(zoom: 15)
        for wanted in [
            "earth earth", "water ocean", "water river", "water lake", "water stream", "landuse residential",
            "landuse industrial", "landuse park", "landuse wood", "landuse beach", "landuse farmland",
            "landuse hospital",
            "landuse school", "landuse university", "landuse cemetery", "landuse stadium", "landuse pitch",
            "landuse aerodrome", "landuse railway", "landuse pedestrian", "landuse golf_course",
            "roads highway motorway", "roads highway motorway is_tunnel", "roads highway motorway is_bridge",
            "roads highway motorway_link", "roads major_road primary", "roads major_road primary is_bridge",
            "roads major_road secondary", "roads major_road tertiary", "roads minor_road residential",
            "roads minor_road living_street", "roads path pedestrian", "roads path footway", "roads rail rail",
            "roads rail rail is_bridge", "roads ferry ferry", "roads aeroway runway", "roads aeroway taxiway",
            "buildings building", "buildings address", "pois station", "pois aerodrome", "pois museum museum",
            "pois peak", "places locality city", "places neighbourhood suburb",
        ] {
            #expect(counts[wanted] ?? 0 > 0, "\(wanted)")
        }
    }

    @Test func lowerZooms_haveLess() throws {
        let (far, middle, near) = (try counts(zoom: 9), try counts(zoom: 12), try counts(zoom: 14))
        #expect(far["roads highway motorway"] ?? 0 > 0 && far["roads minor_road residential"] == nil)
        #expect(middle["roads minor_road residential"] ?? 0 > 0 && middle["buildings building"] == nil)
        #expect(near["buildings building"] ?? 0 > 0 && near["buildings address"] == nil)
        #expect(try counts(zoom: 6)["places locality city"] == 1)
    }
}
