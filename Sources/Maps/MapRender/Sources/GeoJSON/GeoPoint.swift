import JSON
import MapStyle

struct GeoPoint {
    /// On a world of side 1.
    var place: SIMD2<Double>
    var properties: OrderedObject<Value>
    var id: Value?

    var byteCount: Int {
        properties.members.reduce(96) { $0 + 96 + $1.name.utf8.count + ($1.value.string?.utf8.count ?? 0) }
    }
}

struct PointLayer {
    private var records = GeoRecords()
    private var built = FeatureLayerBuilder()

    /// `vertex` is in sides of the tile.
    mutating func append(_ vertex: SIMD2<Double>, _ properties: OrderedObject<Value>, id: Value?) {
        let place = records.append(properties, id: nil)
        built.vertices.append(TileVertex(sides: vertex))
        built.partEnds.append(Int32(built.vertices.count))
        built.add(.point, id: id, tags: records.records[place].tags, firstPart: built.partEnds.count - 1)
    }

    func layer() -> FeatureLayer? {
        built.features.isEmpty ? nil : built.layer(keys: records.keys, values: records.values, tags: records.tags)
    }
}

extension TileVertex {
    /// From sides of the tile, rounded, halves upwards, and held to one tile beyond the sides.
    init(sides place: SIMD2<Double>) {
        func held(_ place: Double) -> Int16 {
            Int16(max(-16384, min(16383, (place * GeoJSONOptions.extent + 0.5).rounded(.down))))
        }
        self.init(x: held(place.x), y: held(place.y))
    }
}
