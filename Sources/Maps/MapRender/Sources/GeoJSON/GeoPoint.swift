import JSON
import MapStyle

/// A point of GeoJSON that may become part of a cluster.
struct GeoPoint {
    /// On a world of side 1.
    var place: SIMD2<Double>
    var properties: OrderedObject<Value>
    var id: Value?

    /// About how many bytes it takes.
    var byteCount: Int {
        properties.members.reduce(96) { $0 + 96 + $1.name.utf8.count + ($1.value.string?.utf8.count ?? 0) }
    }
}

/// Collects the points of one tile.
struct PointLayer {
    private var records = GeoRecords()
    private var ids: [Value] = []
    private var features: [FeatureLayer.Feature] = []
    private var vertices: [TileVertex] = []

    /// Adds a point; `vertex` is in sides of the tile.
    mutating func append(_ vertex: SIMD2<Double>, _ properties: OrderedObject<Value>, id: Value?) {
        let place = records.append(properties, id: nil)
        let record = records.records[place]
        var index: Int32 = -1
        if let id {
            index = Int32(ids.count)
            ids.append(id)
        }
        features.append(
            FeatureLayer.Feature(
                kind: .point, id: index, firstTag: Int32(record.firstTag), tagCount: Int32(record.tagCount),
                firstPart: Int32(vertices.count), partCount: 1))
        vertices.append(TileVertex(sides: vertex))
    }

    /// The points as a layer; nil when there are none.
    func layer() -> FeatureLayer? {
        guard !features.isEmpty else { return nil }
        return FeatureLayer(
            name: "", keys: records.keys, values: records.values, tags: records.tags, ids: ids, features: features,
            partEnds: vertices.indices.map { Int32($0 + 1) }, vertices: vertices)
    }
}

extension TileVertex {
    /// The vertex at a place in sides of the tile, rounded, halves upwards, and held to one tile beyond the sides.
    init(sides place: SIMD2<Double>) {
        func held(_ place: Double) -> Int16 {
            Int16(max(-16384, min(16383, (place * GeoJSONOptions.extent + 0.5).rounded(.down))))
        }
        self.init(x: held(place.x), y: held(place.y))
    }
}
