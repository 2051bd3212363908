import JSON
import MapGrammar
import Parameters

@testable import MapRender
@testable import MapStyle

// The first byte of an input says what the GeoJSON of the rest is for: overlays, or a source of a style.

/// What `scripts/fuzz geojson` runs: overlays of requests, and sources that are cut into tiles.
enum GeoJSONInput {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var input = FuzzInput(bytes)
        let selector = input.next()
        let text = String(decoding: input.rest(), as: UTF8.self)
        if selector & 1 == 0 {
            let items = [QueryItem(name: "geojson", value: text), QueryItem(name: "fit", value: "overlays")]
            return try CanonicalInput.checkMap(items, .picture)
        }
        guard let json = try? JSONReader.read(text) else { return }
        try checkSource(json, selector)
    }

    private static let tiles = [
        TileCoordinate(z: 0, x: 0, y: 0), TileCoordinate(z: 1, x: 1, y: 0), TileCoordinate(z: 5, x: 16, y: 15),
        TileCoordinate(z: 12, x: 4095, y: 0), TileCoordinate(z: 12, x: 2048, y: 2047),
    ]

    private static func checkSource(_ json: JSONValue, _ selector: UInt8) throws(BrokenInvariant) {
        let source = GeoJSONSource(
            data: json, maxZoom: 14, buffer: selector & 2 == 0 ? 128 : 0, tolerance: selector & 4 == 0 ? 0.375 : 0,
            isClustered: selector & 8 != 0, clusterRadius: 50, clusterMinPoints: 2, clusterProperties: OrderedObject(),
            hasLineMetrics: selector & 16 != 0, generatesIDs: selector & 32 != 0)
        guard let content = try? GeoJSONContent(json, source, shouldStop: { false }) else { return }
        try BrokenInvariant.require(content.byteCount > 0, "\(content.byteCount) bytes")
        guard let layers = try? content.tiles(tiles, shouldStop: { false }) else {
            throw BrokenInvariant("what was read cannot be cut")
        }
        try BrokenInvariant.require(layers.count == tiles.count, "\(layers.count) layers")
        // A tile is the same, whichever others are cut with it.
        for (tile, layer) in zip(tiles, layers) {
            guard let alone = try? content.tiles([tile], shouldStop: { false }) else { continue }
            try BrokenInvariant.require(alone.count == 1, "\(alone.count) layers")
            try BrokenInvariant.require(
                (alone[0] == nil) == (layer == nil) && alone[0]?.vertices == layer?.vertices
                    && alone[0]?.partEnds == layer?.partEnds, "\(tile) is another tile alone")
        }
    }
}
