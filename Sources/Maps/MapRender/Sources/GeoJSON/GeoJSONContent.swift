import JSON
import MapStyle

enum GeoJSONContent: Sendable {
    case features(GeoJSONIndex)
    case clusters(ClusterIndex)

    init(_ data: JSONValue, _ source: GeoJSONSource, shouldStop: @escaping () -> Bool) throws(GeoJSONError) {
        var data = data
        if let filter = source.filter { data = try GeoJSONFilter(filter).filtered(data, shouldStop: shouldStop) }
        if source.isClustered {
            self = .clusters(try ClusterIndex(data, source, shouldStop: shouldStop))
        } else {
            self = .features(try GeoJSONIndex(data, GeoJSONOptions(source), shouldStop: shouldStop))
        }
    }

    var byteCount: Int {
        switch self {
        case .features(let index): index.byteCount
        case .clusters(let index): index.byteCount
        }
    }

    func tiles(_ tiles: [TileCoordinate], shouldStop: () -> Bool) throws(GeoJSONError) -> [FeatureLayer?] {
        switch self {
        case .features(let index): return try index.tiles(tiles, shouldStop: shouldStop)
        case .clusters(let index):
            var known: [TileCoordinate: FeatureLayer?] = [:]
            var count = PropertyCount(limit: GeoLimits().inTiles)
            for tile in tiles where known[tile] == nil {
                if shouldStop() { throw .cancelled }
                known[tile] = .some(try index.layer(tile, counting: &count))
            }
            return tiles.map { known[$0] ?? nil }
        }
    }
}

extension ClusterIndex {
    /// Clusters the points of a FeatureCollection; skips anything else in it.
    convenience init(
        _ data: JSONValue, _ source: GeoJSONSource, shouldStop: @escaping () -> Bool
    ) throws(GeoJSONError) {
        guard let features = data["features"]?.elements else { throw .malformed }
        var points: [GeoPoint] = []
        var budget = GeoBudget(shouldStop: shouldStop)
        for (index, feature) in features.enumerated() {
            try budget.step()
            guard let geometry = feature["geometry"], geometry["type"] == .string("Point") else { continue }
            let vertex = try GeoJSONReader.vertex(geometry["coordinates"] ?? .null)
            points.append(
                GeoPoint(
                    place: SIMD2(vertex.x, vertex.y),
                    properties: try budget.properties(of: feature) ?? OrderedObject(),
                    id: source.generatesIDs ? .number(Double(index)) : GeoJSONReader.id(feature["id"])))
        }
        try self.init(
            points, of: features.count, ClusterOptions(source), ClusterRules(source.clusterProperties),
            shouldStop: shouldStop)
    }
}

struct GeoJSONKey: Hashable, Sendable {
    private let data: ContentKey
    private let options: GeoJSONOptions
    private let clusters: ClusterOptions?
    private let expressions: ContentKey

    init(data: ContentKey, _ source: GeoJSONSource) {
        self.data = data
        options = GeoJSONOptions(source)
        clusters = source.isClustered ? ClusterOptions(source) : nil
        expressions = ContentKey(.array([source.filter ?? .null, .object(source.clusterProperties)]))
    }
}
