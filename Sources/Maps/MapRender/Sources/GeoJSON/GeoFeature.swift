import JSON
import MapStyle

/// A vertex on a world of side 1, from the north-west.
struct GeoVertex: Equatable {
    /// Eastwards.
    var x: Double
    /// Southwards.
    var y: Double
    /// How much the line would change without it: a squared distance; ends are 1, so that they stay.
    var weight: Double
}

struct GeoLine {
    /// The vertices; a ring repeats its first one.
    var vertices: [GeoVertex] = []
    /// The length of the whole line, or the area of the whole ring: what small ones are left out by.
    var size = 0.0
    /// How far along the whole line this part begins.
    var start = 0.0
    /// How far along the whole line this part ends.
    var end = 0.0
}

/// A feature of GeoJSON, projected, on its way into tiles.
struct GeoFeature {
    enum Geometry {
        case points([GeoVertex])
        case lines([GeoLine])
        /// Polygons, each an exterior ring and holes.
        case polygons([[GeoLine]])
    }

    let geometry: Geometry
    /// What stays the same however it is cut: the index of its properties and id.
    let record: Int
    /// The least and greatest coordinates.
    private(set) var minX = Double.infinity, minY = Double.infinity
    private(set) var maxX = -Double.infinity, maxY = -Double.infinity

    init(_ geometry: Geometry, record: Int) {
        self.geometry = geometry
        self.record = record
        switch geometry {
        case .points(let points): extend(points)
        case .lines(let lines): for line in lines { extend(line.vertices) }
        // The exterior ring holds the others.
        case .polygons(let polygons): for polygon in polygons { if let ring = polygon.first { extend(ring.vertices) } }
        }
    }

    private mutating func extend(_ vertices: [GeoVertex]) {
        for vertex in vertices {
            minX = min(minX, vertex.x)
            minY = min(minY, vertex.y)
            maxX = max(maxX, vertex.x)
            maxY = max(maxY, vertex.y)
        }
    }

    func shifted(by offset: Double) -> GeoFeature {
        func shift(_ vertices: [GeoVertex]) -> [GeoVertex] {
            vertices.map { GeoVertex(x: $0.x + offset, y: $0.y, weight: $0.weight) }
        }
        func shift(_ line: GeoLine) -> GeoLine {
            GeoLine(vertices: shift(line.vertices), size: line.size, start: line.start, end: line.end)
        }
        switch geometry {
        case .points(let points): return GeoFeature(.points(shift(points)), record: record)
        case .lines(let lines): return GeoFeature(.lines(lines.map(shift)), record: record)
        case .polygons(let polygons):
            return GeoFeature(.polygons(polygons.map { $0.map(shift) }), record: record)
        }
    }
}

/// The properties and ids of features, as flat as those of tiles; all tiles that are cut share them.
struct GeoRecords {
    struct Record {
        var firstTag: Int
        /// Twice the number of its properties.
        var tagCount: Int
        /// Its id, if it has one that tiles can hold.
        var id: Value?
    }

    private(set) var keys: [String] = []
    private(set) var values: [Value] = []
    /// Indexes of a key and a value, by turns.
    private(set) var tags: [UInt32] = []
    private(set) var records: [Record] = []
    private var keyIndexes: [String: UInt32] = [:]

    /// Takes in what belongs to one feature and returns its place in ``records``.
    mutating func append(_ properties: OrderedObject<Value>?, id: Value?) -> Int {
        let firstTag = tags.count
        for member in properties?.members ?? [] {
            tags.append(index(of: member.name))
            tags.append(UInt32(values.count))
            values.append(member.value)
        }
        records.append(Record(firstTag: firstTag, tagCount: tags.count - firstTag, id: id))
        return records.count - 1
    }

    private mutating func index(of key: String) -> UInt32 {
        if let index = keyIndexes[key] { return index }
        let index = UInt32(keys.count)
        keyIndexes[key] = index
        keys.append(key)
        return index
    }

    /// About how many bytes they take.
    var byteCount: Int {
        values.reduce(0) { $0 + 80 + ($1.string?.utf8.count ?? 0) } + tags.count * 4 + records.count * 32
            + keys.reduce(0) { $0 + 96 + $1.utf8.count }
    }
}
