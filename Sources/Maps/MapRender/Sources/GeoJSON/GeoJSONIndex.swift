import JSON
import MapStyle

/// GeoJSON ready to be cut into tiles. Tiles are cut level by level from the whole world, each from its parent, since
/// that decides where new vertices fall; only the way to the tiles that are asked for is cut.
final class GeoJSONIndex: Sendable {
    private let features: [GeoFeature]
    private let records: GeoRecords
    private let options: GeoJSONOptions
    let byteCount: Int

    /// O(vertices), more for simplifying long lines.
    init(_ data: JSONValue, _ options: GeoJSONOptions, shouldStop: @escaping () -> Bool) throws(GeoJSONError) {
        var reader = GeoJSONReader(options, shouldStop: shouldStop)
        try reader.read(data)
        self.options = options
        records = reader.records
        features = Self.wrapped(reader.features, options)
        byteCount = features.reduce(records.byteCount + 256) { $0 + $1.byteCount }
    }

    private static func wrapped(_ features: [GeoFeature], _ options: GeoJSONOptions) -> [GeoFeature] {
        func clip(from least: Double, to most: Double) -> [GeoFeature] {
            GeoClipper(.x, from: least, to: most, scale: 1, hasLineMetrics: options.hasLineMetrics).clip(features)
        }
        let buffer = options.buffer
        let west = clip(from: -1 - buffer, to: buffer)
        let east = clip(from: 1 - buffer, to: 2 + buffer)
        if west.isEmpty, east.isEmpty { return features }
        let middle = clip(from: -buffer, to: 1 + buffer)
        return west.map { $0.shifted(by: 1) } + middle + east.map { $0.shifted(by: -1) }
    }

    /// By the order of `tiles`; nil without features. Common ancestors are cut once.
    func tiles(_ tiles: [TileCoordinate], shouldStop: () -> Bool) throws(GeoJSONError) -> [FeatureLayer?] {
        var known = [TileCoordinate(z: 0, x: 0, y: 0): features]
        var layers: [TileCoordinate: FeatureLayer?] = [:]
        for tile in tiles where layers[tile] == nil {
            for level in stride(from: 0, through: tile.z, by: 1) {
                let place = tile.ancestor(at: level)
                guard known[place] == nil else { continue }
                if shouldStop() { throw .cancelled }
                known[place] = cut(place, from: known[tile.ancestor(at: level - 1)] ?? [])
            }
            layers[tile] = .some(GeoTileMaker(tile, records, options).layer(known[tile] ?? []))
        }
        return tiles.map { layers[$0] ?? nil }
    }

    private func cut(_ tile: TileCoordinate, from features: [GeoFeature]) -> [GeoFeature] {
        guard !features.isEmpty else { return [] }
        let scale = Trigonometry.powerOfTwo(Double(tile.z - 1))
        func clip(_ axis: GeoClipper.Axis, _ parent: Int, isSecond: Bool, _ features: [GeoFeature]) -> [GeoFeature] {
            let reach = 0.5 * options.buffer
            let place = Double(parent)
            let range = isSecond ? (place + (0.5 - reach), place + (1 + reach)) : (place - reach, place + (0.5 + reach))
            let clipper = GeoClipper(
                axis, from: range.0, to: range.1, scale: scale, hasLineMetrics: options.hasLineMetrics)
            return clipper.clip(features)
        }
        let column = clip(.x, tile.x >> 1, isSecond: tile.x & 1 == 1, features)
        return clip(.y, tile.y >> 1, isSecond: tile.y & 1 == 1, column)
    }
}
