import JSON
import MapStyle

/// Turns GeoJSON into projected features. Refuses data that is malformed as a whole, and skips what the reference skips.
struct GeoJSONReader {
    private(set) var features: [GeoFeature] = []
    private(set) var records = GeoRecords()
    private let options: GeoJSONOptions
    private let simplifier: LineSimplifier

    init(_ options: GeoJSONOptions, shouldStop: @escaping () -> Bool) {
        self.options = options
        let tolerance = options.tolerance / Trigonometry.powerOfTwo(Double(options.maxZoom))
        simplifier = LineSimplifier(squaredTolerance: tolerance * tolerance, shouldStop: shouldStop)
    }

    mutating func read(_ data: JSONValue) throws(GeoJSONError) {
        switch data["type"]?.text {
        case "FeatureCollection"?:
            guard let elements = data["features"]?.elements else { throw .malformed }
            for (index, element) in elements.enumerated() {
                if index % 1024 == 1023, simplifier.shouldStop() { throw .cancelled }
                try readFeature(element, index: index)
            }
        case "Feature"?: try readFeature(data, index: 0)
        default: try readGeometry(data, properties: nil, id: options.generatesIDs ? .number(0) : nil)
        }
    }

    private mutating func readFeature(_ feature: JSONValue, index: Int) throws(GeoJSONError) {
        guard let geometry = feature["geometry"], geometry != .null else { return }
        let id: Value? = options.generatesIDs ? .number(Double(index)) : Self.id(feature["id"])
        try readGeometry(geometry, properties: feature["properties"]?.object.map { OrderedObject($0) }, id: id)
    }

    private mutating func readGeometry(
        _ geometry: JSONValue, properties: OrderedObject<Value>?, id: Value?
    ) throws(GeoJSONError) {
        if geometry["type"] == .string("GeometryCollection") {
            for part in geometry["geometries"]?.elements ?? [] where part != .null {
                try readGeometry(part, properties: properties, id: id)
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
        let record = records.append(properties, id: id)
        if case .lines(let lines) = shape, options.hasLineMetrics {
            // Progress can be told of one line alone.
            features += lines.map { GeoFeature(.lines([$0]), record: record) }
        } else {
            features.append(GeoFeature(shape, record: record))
        }
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

    private func points(_ positions: [JSONValue]) throws(GeoJSONError) -> [GeoVertex] {
        try positions.map { position throws(GeoJSONError) in try Self.vertex(position) }
    }

    private func line(_ positions: [JSONValue]) throws(GeoJSONError) -> GeoLine {
        var vertices = try points(positions)
        try simplifier.weigh(&vertices)
        var length = 0.0
        for (a, b) in zip(vertices, vertices.dropFirst()) {
            let (dx, dy) = (b.x - a.x, b.y - a.y)
            length += (dx * dx + dy * dy).squareRoot()
        }
        return GeoLine(vertices: vertices, size: length, start: 0, end: length)
    }

    private func lines(_ lists: [JSONValue]) throws(GeoJSONError) -> [GeoLine] {
        var lines: [GeoLine] = []
        for list in lists {
            guard let positions = list.elements else { throw .malformed }
            if !positions.isEmpty { lines.append(try line(positions)) }
        }
        return lines
    }

    /// An exterior ring and holes, each turned the way its kind runs.
    private func rings(_ lists: [JSONValue]) throws(GeoJSONError) -> [GeoLine] {
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

    private func polygons(_ lists: [JSONValue]) throws(GeoJSONError) -> [[GeoLine]] {
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
