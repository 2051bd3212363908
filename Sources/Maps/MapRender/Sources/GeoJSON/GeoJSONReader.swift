import JSON
import MapStyle

/// Turns GeoJSON into projected features. Refuses data that is malformed as a whole, and skips what the reference skips.
struct GeoJSONReader {
    private(set) var features: [GeoFeature] = []
    private(set) var records = GeoRecords()
    private let options: GeoJSONOptions
    private let simplifier: LineSimplifier
    private var budget: GeoBudget

    /// The feature that geometries belong to. It gets a record with the first of them that has a place.
    private struct Owner {
        let properties: OrderedObject<Value>?
        let id: Value?
        var record: Int?
    }

    init(_ options: GeoJSONOptions, limits: GeoLimits = GeoLimits(), shouldStop: @escaping () -> Bool) {
        self.options = options
        budget = GeoBudget(limits, shouldStop: shouldStop)
        let tolerance = options.tolerance / Trigonometry.powerOfTwo(Double(options.maxZoom))
        simplifier = LineSimplifier(squaredTolerance: tolerance * tolerance, shouldStop: shouldStop)
    }

    mutating func read(_ data: JSONValue) throws(GeoJSONError) {
        switch data["type"]?.text {
        case "FeatureCollection"?:
            guard let elements = data["features"]?.elements else { throw .malformed }
            for (index, element) in elements.enumerated() {
                try budget.step()
                try readFeature(element, index: index)
            }
        case "Feature"?: try readFeature(data, index: 0)
        default:
            var owner = Owner(properties: nil, id: options.generatesIDs ? .number(0) : nil)
            try readGeometry(data, of: &owner)
        }
    }

    private mutating func readFeature(_ feature: JSONValue, index: Int) throws(GeoJSONError) {
        guard let geometry = feature["geometry"], geometry != .null else { return }
        let id: Value? = options.generatesIDs ? .number(Double(index)) : Self.id(feature["id"])
        var owner = Owner(properties: try budget.properties(of: feature), id: id)
        try readGeometry(geometry, of: &owner)
    }

    private mutating func readGeometry(_ geometry: JSONValue, of owner: inout Owner) throws(GeoJSONError) {
        try budget.step()
        if geometry["type"] == .string("GeometryCollection") {
            for part in geometry["geometries"]?.elements ?? [] where part != .null {
                try readGeometry(part, of: &owner)
            }
            return
        }
        guard let coordinates = geometry["coordinates"]?.elements else { throw .malformed }
        guard !coordinates.isEmpty else { return }
        let shape: GeoFeature.Geometry
        switch geometry["type"]?.text {
        case "Point"?: shape = .points([try Self.vertex(.array(coordinates))])
        case "MultiPoint"?: shape = .points(try points(coordinates))
        case "LineString"?: shape = .lines([try line(coordinates)])
        case "MultiLineString"?: shape = .lines(try lines(coordinates))
        case "Polygon"?: shape = .polygons([try rings(coordinates)])
        case "MultiPolygon"?: shape = .polygons(try polygons(coordinates))
        default: throw .malformed
        }
        let record = record(of: &owner)
        if case .lines(let lines) = shape, options.hasLineMetrics {
            // Progress can be told of one line alone.
            features += lines.map { GeoFeature(.lines([$0]), record: record) }
        } else {
            features.append(GeoFeature(shape, record: record))
        }
    }

    private mutating func record(of owner: inout Owner) -> Int {
        if let record = owner.record { return record }
        let record = records.append(owner.properties, id: owner.id)
        owner.record = record
        return record
    }

    /// The id as tiles have it: a whole number, also from a text that spells one; anything else is dropped.
    static func id(_ id: JSONValue?) -> Value? {
        switch id {
        case .number(let number)?: .number(number.rounded(.towardZero))
        case .string(let text)?: Double(text).flatMap { $0.isNaN ? nil : .number($0.rounded(.towardZero)) }
        default: nil
        }
    }
}

extension GeoJSONReader {
    static func vertex(_ position: JSONValue) throws(GeoJSONError) -> GeoVertex {
        guard let coordinates = position.elements, coordinates.count >= 2, let longitude = coordinates[0].number,
            let latitude = coordinates[1].number, longitude.isFinite, latitude.isFinite
        else { throw .malformed }
        let x = Mercator.x(longitude: longitude)
        // Nothing beyond a thousand worlds is drawn; the limit keeps sums finite.
        return GeoVertex(x: max(-1000, min(1000, x)), y: Mercator.heldY(latitude: latitude), weight: 0)
    }

    private mutating func points(_ positions: [JSONValue]) throws(GeoJSONError) -> [GeoVertex] {
        var vertices: [GeoVertex] = []
        vertices.reserveCapacity(positions.count)
        for position in positions {
            try budget.step()
            vertices.append(try Self.vertex(position))
        }
        return vertices
    }

    private mutating func line(_ positions: [JSONValue]) throws(GeoJSONError) -> GeoLine {
        var vertices = try points(positions)
        try simplifier.weigh(&vertices)
        var length = 0.0
        for (a, b) in zip(vertices, vertices.dropFirst()) {
            let (dx, dy) = (b.x - a.x, b.y - a.y)
            length += (dx * dx + dy * dy).squareRoot()
        }
        return GeoLine(vertices: vertices, size: length, start: 0, end: length)
    }

    private mutating func lines(_ lists: [JSONValue]) throws(GeoJSONError) -> [GeoLine] {
        var lines: [GeoLine] = []
        for list in lists {
            guard let positions = list.elements else { throw .malformed }
            if !positions.isEmpty { lines.append(try line(positions)) }
        }
        return lines
    }

    /// An exterior ring and holes, each turned the way its kind runs.
    private mutating func rings(_ lists: [JSONValue]) throws(GeoJSONError) -> [GeoLine] {
        var rings: [GeoLine] = []
        for (index, list) in lists.enumerated() {
            guard let positions = list.elements else { throw .malformed }
            guard !positions.isEmpty else { continue }
            var vertices = try points(positions)
            if (Self.doubledArea(vertices) >= 0) != (index == 0) { vertices.reverse() }
            try simplifier.weigh(&vertices)
            var area = 0.0
            for (a, b) in zip(vertices, vertices.dropFirst()) { area += (a.x * b.y - a.y * b.x) / 2 }
            rings.append(GeoLine(vertices: vertices, size: abs(area), start: 0, end: abs(area)))
        }
        return rings
    }

    private mutating func polygons(_ lists: [JSONValue]) throws(GeoJSONError) -> [[GeoLine]] {
        var polygons: [[GeoLine]] = []
        for list in lists {
            guard let polygon = list.elements else { throw .malformed }
            polygons.append(try rings(polygon))
        }
        return polygons
    }

    private static func doubledArea(_ vertices: [GeoVertex]) -> Double {
        guard var last = vertices.last else { return 0 }
        var sum = 0.0
        for vertex in vertices {
            sum += last.x * vertex.y - vertex.x * last.y
            last = vertex
        }
        return sum
    }
}
