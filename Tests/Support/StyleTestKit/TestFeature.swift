package import JSON
package import MapStyle

/// A feature of a public test: GeoJSON's members, with the geometry in the coordinates of the test's tile.
package final class TestFeature: StyleFeature {
    package let kind: FeatureKind?
    package let id: Value
    package let properties: OrderedObject<Value>
    package let geometry: [[TilePoint]]

    /// A feature of properties alone, or of a geometry too.
    package init(
        kind: FeatureKind? = nil, id: Value = .null, properties: OrderedObject<Value> = OrderedObject(),
        geometry: [[TilePoint]] = []
    ) {
        self.kind = kind
        self.id = id
        self.properties = properties
        self.geometry = geometry
    }

    /// The feature that a test describes; coordinates are left out without a tile to place them in.
    package convenience init(_ json: JSONValue, in tile: TileCoordinate?) {
        let type = json["geometry"]?["type"]?.text
        let name = type.map { $0.hasPrefix("Multi") ? String($0.dropFirst(5)) : $0 }
        var parts: [[TilePoint]] = []
        if let tile, let coordinates = json["geometry"]?["coordinates"] {
            parts = Self.parts(coordinates, in: tile)
            if name == "Point" { parts = parts.joined().map { [$0] } }
        }
        self.init(
            kind: name.flatMap(FeatureKind.init(rawValue:)), id: json["id"].map(Value.init) ?? .null,
            properties: json["properties"]?.object.map { OrderedObject($0) } ?? OrderedObject(), geometry: parts)
    }

    private static func parts(_ coordinates: JSONValue, in tile: TileCoordinate) -> [[TilePoint]] {
        guard let elements = coordinates.elements, let first = elements.first else { return [] }
        if first.number != nil { return [point(coordinates, in: tile).map { [$0] } ?? []] }
        if first.elements?.first?.number != nil { return [elements.compactMap { point($0, in: tile) }] }
        return elements.flatMap { parts($0, in: tile) }
    }

    private static func point(_ coordinates: JSONValue, in tile: TileCoordinate) -> TilePoint? {
        guard let numbers = coordinates.elements, let longitude = numbers.first?.number,
            let latitude = numbers.last?.number
        else { return nil }
        return TilePoint(longitude: longitude, latitude: latitude, in: tile)
    }

    package func property(_ key: PropertyKey) -> Value? { properties[key.name] }
    package func property(named name: String) -> Value? { properties[name] }
}
