import JSON

/// A longitude and a latitude, or a point in tile units.
struct PlanePoint: Hashable, Sendable {
    var x: Double
    var y: Double
}

/// The points, lines and polygons of GeoJSON (RFC 7946).
struct GeoGeometry: Sendable {
    var points: [PlanePoint] = []
    var lines: [[PlanePoint]] = []
    var polygons: [[[PlanePoint]]] = []

    var isEmpty: Bool { points.isEmpty && lines.isEmpty && polygons.isEmpty }

    /// From a geometry, a feature or a collection; nil if a part is malformed.
    init?(_ json: JSONValue) { guard append(json) else { return nil } }

    init() {}

    private mutating func append(_ json: JSONValue) -> Bool {
        guard let type = json["type"]?.text else { return false }
        switch type {
        case "FeatureCollection": return (json["features"]?.elements ?? []).allSatisfy { append($0) }
        case "GeometryCollection": return (json["geometries"]?.elements ?? []).allSatisfy { append($0) }
        // A feature may have no geometry (RFC 7946 §3.2).
        case "Feature": return json["geometry"].map { $0 == .null || append($0) } ?? false
        default: return json["coordinates"].map { append(type, $0) } ?? false
        }
    }

    private mutating func append(_ type: String, _ coordinates: JSONValue) -> Bool {
        switch type {
        case "Point": return append(Self.point(coordinates), to: \.points)
        case "MultiPoint": return Self.list(coordinates, Self.point).map { points += $0 } != nil
        case "LineString": return append(Self.line(coordinates), to: \.lines)
        case "MultiLineString": return Self.list(coordinates, Self.line).map { lines += $0 } != nil
        case "Polygon": return append(Self.list(coordinates, Self.line), to: \.polygons)
        case "MultiPolygon":
            return Self.list(coordinates) { Self.list($0, Self.line) }.map { polygons += $0 } != nil
        default: return false
        }
    }

    private mutating func append<Part>(_ part: Part?, to list: WritableKeyPath<GeoGeometry, [Part]>) -> Bool {
        guard let part else { return false }
        self[keyPath: list].append(part)
        return true
    }

    private static func point(_ json: JSONValue) -> PlanePoint? {
        guard let numbers = json.elements, numbers.count >= 2, let x = numbers[0].number, let y = numbers[1].number
        else { return nil }
        return PlanePoint(x: x, y: y)
    }

    private static func line(_ json: JSONValue) -> [PlanePoint]? { list(json, point) }

    private static func list<Part>(_ json: JSONValue, _ read: (JSONValue) -> Part?) -> [Part]? {
        guard let elements = json.elements else { return nil }
        let parts = elements.compactMap(read)
        return parts.count == elements.count ? parts : nil
    }
}
