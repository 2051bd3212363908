import JSON
import MapStyle

/// On a world of side 1, from the north-west.
struct GeoVertex: Equatable {
    var x, y: Double
    /// The squared distance by which the line would change without it; 1 for ends, so that they stay.
    var weight: Double
}

struct GeoLine {
    /// A ring repeats its first one.
    var vertices: [GeoVertex] = []
    var size = 0.0
    /// How far along the whole line this part begins and ends.
    var start = 0.0, end = 0.0
}

struct GeoFeature {
    enum Geometry {
        case points([GeoVertex])
        case lines([GeoLine])
        case polygons([[GeoLine]])
    }

    let geometry: Geometry
    let record: Int
    private(set) var minX = Double.infinity, minY = Double.infinity
    private(set) var maxX = -Double.infinity, maxY = -Double.infinity

    init(_ geometry: Geometry, record: Int) {
        (self.geometry, self.record) = (geometry, record)
        switch geometry {
        case .points(let points): extend(points)
        case .lines(let lines): for line in lines { extend(line.vertices) }
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
        case .polygons(let polygons): return GeoFeature(.polygons(polygons.map { $0.map(shift) }), record: record)
        }
    }

    var byteCount: Int {
        switch geometry {
        case .points(let points): 96 + points.count * 24
        case .lines(let lines): lines.reduce(96) { $0 + 64 + $1.vertices.count * 24 }
        case .polygons(let polygons): polygons.joined().reduce(96) { $0 + 64 + $1.vertices.count * 24 }
        }
    }
}

/// What the features of a source have in common with their tiles: the arrays are shared, not copied.
struct GeoRecords {
    /// Of one feature, whatever the number of its geometries.
    struct Record {
        var tags: Range<Int>
        var id: Value?
    }

    private(set) var keys: [String] = []
    private(set) var values: [Value] = []
    private(set) var tags: [UInt32] = []
    private(set) var records: [Record] = []
    private var keyIndexes: [String: UInt32] = [:]

    mutating func append(_ properties: OrderedObject<Value>?, id: Value?) -> Int {
        let firstTag = tags.count
        for member in properties?.members ?? [] {
            tags.append(index(of: member.name))
            tags.append(UInt32(values.count))
            values.append(member.value)
        }
        records.append(Record(tags: firstTag..<tags.count, id: id))
        return records.count - 1
    }

    private mutating func index(of key: String) -> UInt32 {
        if let index = keyIndexes[key] { return index }
        let index = UInt32(keys.count)
        keyIndexes[key] = index
        keys.append(key)
        return index
    }

    func keyIndex(of name: String) -> UInt32? { keyIndexes[name] }

    var byteCount: Int {
        values.reduce(0) { $0 + 80 + ($1.string?.utf8.count ?? 0) } + tags.count * 4 + records.count * 32
            + keys.reduce(0) { $0 + 96 + $1.utf8.count }
    }
}
