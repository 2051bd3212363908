package import JSON

package struct TileSetDescription: Sendable {
    /// In degrees.
    package struct Bounds: Equatable, Sendable {
        package var west = -180.0
        package var south = -85.0511287798066
        package var east = 180.0
        package var north = 85.0511287798066

        package init() {}

        /// Four numbers, held to the world; nil for anything else. TileJSON has no bounds across the date line: these become the world's.
        package init?(_ degrees: [Double]) {
            guard degrees.count == 4, degrees.allSatisfy(\.isFinite), degrees[1] <= degrees[3] else { return nil }
            let world = Bounds()
            west = max(world.west, min(world.east, degrees[0]))
            south = max(world.south, min(world.north, degrees[1]))
            east = max(world.west, min(world.east, degrees[2]))
            north = max(world.south, min(world.north, degrees[3]))
            if west > east { (west, east) = (world.west, world.east) }
        }

        package func union(_ other: Bounds) -> Bounds {
            var result = self
            result.west = min(west, other.west)
            result.south = min(south, other.south)
            result.east = max(east, other.east)
            result.north = max(north, other.north)
            return result
        }
    }

    package var name: String
    /// For people, if it differs.
    package var title: String?
    package var sentence: String?
    package var template: String
    /// Whom to credit, as HTML.
    package var attribution: String?
    package var bounds = Bounds()
    package var zooms: ClosedRange<Int>
    /// Longitude, latitude and level to begin with.
    package var center: [Double]?
    /// As in TileJSON; nil for pictures.
    package var vectorLayers: [JSONValue]?
    /// CSS pixels, if clients would assume another size.
    package var tileSize: Int?

    package init(name: String, template: String, zooms: ClosedRange<Int>) {
        (self.name, self.template, self.zooms) = (name, template, zooms)
    }

    package var tileJSON: JSONValue {
        var object = OrderedObject<JSONValue>()
        object["tilejson"] = .string("3.0.0")
        object["name"] = .string(title ?? name)
        if let sentence { object["description"] = .string(sentence) }
        object["tiles"] = .array([.string(template)])
        object["scheme"] = .string("xyz")
        object["minzoom"] = .number(Double(zooms.lowerBound))
        object["maxzoom"] = .number(Double(zooms.upperBound))
        object["bounds"] = .array([bounds.west, bounds.south, bounds.east, bounds.north].map(JSONValue.number))
        if let center, center.count >= 2, center.allSatisfy(\.isFinite) {
            let zoom = center.count > 2 ? center[2] : 0
            let held = max(Double(zooms.lowerBound), min(Double(zooms.upperBound), zoom))
            object["center"] = .array([.number(center[0]), .number(center[1]), .number(held.rounded())])
        }
        if let attribution { object["attribution"] = .string(attribution) }
        if let tileSize { object["tileSize"] = .number(Double(tileSize)) }
        if let vectorLayers {
            object["vector_layers"] = .array(
                vectorLayers.map { layer in
                    // TileJSON demands fields; sources often leave them out.
                    guard case .object(var members) = layer, members["fields"] == nil else { return layer }
                    members["fields"] = .object(OrderedObject())
                    return .object(members)
                })
        }
        return .object(object)
    }
}
