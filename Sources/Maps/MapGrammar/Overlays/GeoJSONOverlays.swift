import JSON
import Parameters

/// Makes overlays from GeoJSON (RFC 7946): features, collections of them, geometries.
struct GeoJSONOverlays {
    private var overlays: [MapOverlay] = []
    /// How many more places are allowed.
    private var room: Int
    private let isFull: Fault

    /// The overlays of a text, in its order. Takes their places from `room`, and throws `isFull` if these are too many.
    static func read(_ text: String, room: inout Int, isFull: Fault) throws(Fault) -> [MapOverlay] {
        let json = try Result { () throws(JSONError) in
            try JSONReader.read(
                Array(text.utf8), depthLimit: OverlayLimits.depthLimit, byteLimit: OverlayLimits.textByteLimit)
        }.mapError { Fault.malformed(allowed: "GeoJSON: \($0.message)") }.get()
        var reader = GeoJSONOverlays(room: room, isFull: isFull)
        try reader.readObject(json, GeoJSONPath())
        room = reader.room
        return reader.overlays
    }

    private mutating func readObject(_ json: JSONValue, _ path: GeoJSONPath) throws(Fault) {
        switch json["type"]?.text {
        case "FeatureCollection":
            for (feature, path) in try elements(json["features"], path.member("features"), "an array of features") {
                guard feature["type"]?.text == "Feature" else { throw path.fault("a feature") }
                try readObject(feature, path)
            }
        case "Feature":
            guard let geometry = json["geometry"], geometry != .null else { return }
            var style = GeoJSONStyle(properties: json["properties"] ?? .null, path: path.member("properties"))
            try readGeometry(geometry, &style, path.member("geometry"))
        default:
            var style = GeoJSONStyle(properties: .null, path: path)
            try readGeometry(json, &style, path)
        }
    }

    private mutating func readGeometry(
        _ json: JSONValue, _ style: inout GeoJSONStyle, _ path: GeoJSONPath
    ) throws(Fault) {
        let coordinates = json["coordinates"] ?? .null
        let inner = path.member("coordinates")
        switch json["type"]?.text {
        case "GeometryCollection":
            let geometries = try elements(json["geometries"], path.member("geometries"), "an array of geometries")
            for (geometry, path) in geometries { try readGeometry(geometry, &style, path) }
        case "Point": try add(points: [position(coordinates, inner)], &style)
        case "MultiPoint": try add(points: positions(coordinates, inner), &style)
        case "LineString": try add(line: coordinates, &style, inner)
        case "MultiLineString":
            for (line, inner) in try elements(coordinates, inner) { try add(line: line, &style, inner) }
        case "Polygon": try add(polygon: coordinates, &style, inner)
        case "MultiPolygon":
            for (polygon, inner) in try elements(coordinates, inner) { try add(polygon: polygon, &style, inner) }
        default:
            throw path.member("type").fault(
                "FeatureCollection, Feature, Point, MultiPoint, LineString, MultiLineString, Polygon, MultiPolygon or "
                    + "GeometryCollection")
        }
    }

    private mutating func add(_ overlay: MapOverlay) throws(Fault) {
        guard overlays.count < OverlayLimits.overlayLimit else { throw isFull }
        overlays.append(overlay)
    }

    private mutating func add(points: [GeoPlace], _ style: inout GeoJSONStyle) throws(Fault) {
        guard !points.isEmpty else { return }
        for overlay in try style.overlays(at: points.map(\.wrapped)) { try add(overlay) }
    }

    private mutating func add(line: JSONValue, _ style: inout GeoJSONStyle, _ path: GeoJSONPath) throws(Fault) {
        let places = try positions(line, path)
        guard !places.isEmpty else { return }
        guard places.count >= 2 else { throw path.fault("at least two positions") }
        var overlay = MapPath(places: places.unwrapped())
        overlay.stroke = try style.line()
        try add(.path(overlay))
    }

    private mutating func add(polygon: JSONValue, _ style: inout GeoJSONStyle, _ path: GeoJSONPath) throws(Fault) {
        var rings: [[GeoPlace]] = []
        for (ring, path) in try elements(polygon, path) { rings.append(try positions(ring, path)) }
        rings = MapPolygon.normalised(rings)
        guard !rings.isEmpty else { return }
        for (index, ring) in rings.enumerated() where ring.count < 3 {
            throw path.element(index).fault("a ring of at least three positions, and the first again at its end")
        }
        var overlay = MapPolygon(rings: rings)
        (overlay.stroke, overlay.fill) = try style.area()
        try add(.polygon(overlay))
    }

    /// The elements of an array, with their paths.
    private func elements(
        _ json: JSONValue?, _ path: GeoJSONPath, _ allowed: String = "an array"
    ) throws(Fault) -> some Sequence<(JSONValue, GeoJSONPath)> {
        guard let elements = json?.elements else { throw path.fault(allowed) }
        return elements.enumerated().lazy.map { ($1, path.element($0)) }
    }

    private mutating func positions(_ json: JSONValue, _ path: GeoJSONPath) throws(Fault) -> [GeoPlace] {
        var places: [GeoPlace] = []
        for (element, path) in try elements(json, path) { places.append(try position(element, path)) }
        return places
    }

    private mutating func position(_ json: JSONValue, _ path: GeoJSONPath) throws(Fault) -> GeoPlace {
        guard room > 0 else { throw isFull }
        let longitudes = -Double(Polyline.longitudeLimit)...Double(Polyline.longitudeLimit)
        guard let numbers = json.elements, numbers.count >= 2, let longitude = numbers[0].number,
            let latitude = numbers[1].number, longitudes.contains(longitude), (-90...90).contains(latitude)
        else { throw path.fault("[longitude, latitude] in degrees") }
        room -= 1
        return GeoPlace(rounding: longitude, latitude)
    }
}

/// A path in GeoJSON, for faults.
struct GeoJSONPath {
    var text = ""

    func member(_ name: String) -> GeoJSONPath { GeoJSONPath(text: text.isEmpty ? name : "\(text).\(name)") }
    func element(_ index: Int) -> GeoJSONPath { GeoJSONPath(text: "\(text)[\(index)]") }

    func fault(_ allowed: String) -> Fault {
        .malformed(allowed: "GeoJSON in which \(text.isEmpty ? "the whole" : text) is \(allowed)")
    }
}
