import JSON
import Parameters

/// Makes overlays of GeoJSON (RFC 7946): features, collections of them, geometries.
struct GeoJSONOverlays {
    private var overlays: [MapOverlay] = []
    /// Places that there is room for yet.
    private var room: Int
    private let isFull: ParameterFault.Reason

    /// The overlays that a text holds, in its order; `room` is what is left of the places allowed, and `isFull` the fault when
    /// that is nothing.
    static func read(
        _ text: String, room: inout Int, isFull: ParameterFault.Reason
    ) throws(ParameterFault.Reason) -> [MapOverlay] {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONReader.read(
                Array(text.utf8), depthLimit: OverlayLimits.depthLimit, byteLimit: OverlayLimits.textByteLimit)
        } catch {
            throw .malformed(allowed: "GeoJSON: \(error.message)")
        }
        var reader = GeoJSONOverlays(room: room, isFull: isFull)
        try reader.readObject(json, GeoJSONPath())
        room = reader.room
        return reader.overlays
    }

    private init(room: Int, isFull: ParameterFault.Reason) {
        self.room = room
        self.isFull = isFull
    }

    private mutating func readObject(_ json: JSONValue, _ path: GeoJSONPath) throws(ParameterFault.Reason) {
        switch json["type"]?.text {
        case "FeatureCollection":
            guard let features = json["features"]?.elements else {
                throw path.member("features").fault("an array of features")
            }
            for (index, feature) in features.enumerated() {
                let path = path.member("features").element(index)
                guard feature["type"]?.text == "Feature" else { throw path.fault("a feature") }
                try readObject(feature, path)
            }
        case "Feature":
            guard let geometry = json["geometry"], geometry != .null else { return }
            let style = GeoJSONStyle(json["properties"] ?? .null, path.member("properties"))
            try readGeometry(geometry, style, path.member("geometry"))
        default: try readGeometry(json, GeoJSONStyle(.null, path), path)
        }
    }

    private mutating func readGeometry(
        _ json: JSONValue, _ style: GeoJSONStyle, _ path: GeoJSONPath
    ) throws(ParameterFault.Reason) {
        if json["type"]?.text == "GeometryCollection" {
            guard let geometries = json["geometries"]?.elements else {
                throw path.member("geometries").fault("an array of geometries")
            }
            for (index, geometry) in geometries.enumerated() {
                try readGeometry(geometry, style, path.member("geometries").element(index))
            }
            return
        }
        let coordinates = json["coordinates"] ?? .null
        let inner = path.member("coordinates")
        switch json["type"]?.text {
        case "Point": try add(points: [position(coordinates, inner)], style)
        case "MultiPoint": try add(points: positions(coordinates, inner), style)
        case "LineString": try add(line: positions(coordinates, inner), style, inner)
        case "MultiLineString":
            for (index, line) in try elements(coordinates, inner).enumerated() {
                try add(line: positions(line, inner.element(index)), style, inner.element(index))
            }
        case "Polygon": try add(polygon: coordinates, style, inner)
        case "MultiPolygon":
            for (index, polygon) in try elements(coordinates, inner).enumerated() {
                try add(polygon: polygon, style, inner.element(index))
            }
        default:
            throw path.member("type").fault(
                "FeatureCollection, Feature, Point, MultiPoint, LineString, MultiLineString, Polygon, MultiPolygon or "
                    + "GeometryCollection")
        }
    }

    private mutating func add(_ overlay: MapOverlay) throws(ParameterFault.Reason) {
        guard overlays.count < OverlayLimits.overlayLimit else { throw isFull }
        overlays.append(overlay)
    }

    private mutating func add(points: [GeoPlace], _ style: GeoJSONStyle) throws(ParameterFault.Reason) {
        guard !points.isEmpty else { return }
        for overlay in try style.overlays(at: points.map(\.wrapped)) { try add(overlay) }
    }

    private mutating func add(
        line: [GeoPlace], _ style: GeoJSONStyle, _ path: GeoJSONPath
    ) throws(ParameterFault.Reason) {
        guard !line.isEmpty else { return }
        guard line.count >= 2 else { throw path.fault("at least two positions") }
        var overlay = MapPath(places: line.unwrapped())
        overlay.stroke = try style.line()
        try add(.path(overlay))
    }

    private mutating func add(
        polygon: JSONValue, _ style: GeoJSONStyle, _ path: GeoJSONPath
    ) throws(ParameterFault.Reason) {
        var rings: [[GeoPlace]] = []
        for (index, ring) in try elements(polygon, path).enumerated() {
            rings.append(try positions(ring, path.element(index)))
        }
        rings = MapPolygon.normalised(rings)
        guard !rings.isEmpty else { return }
        for (index, ring) in rings.enumerated() where ring.count < 3 {
            throw path.element(index).fault("a ring of at least three positions, and the first again at its end")
        }
        var overlay = MapPolygon(rings: rings)
        (overlay.stroke, overlay.fill) = try style.area()
        try add(.polygon(overlay))
    }

    private func elements(_ json: JSONValue, _ path: GeoJSONPath) throws(ParameterFault.Reason) -> [JSONValue] {
        guard let elements = json.elements else { throw path.fault("an array") }
        return elements
    }

    private mutating func positions(
        _ json: JSONValue, _ path: GeoJSONPath
    ) throws(ParameterFault.Reason) -> [GeoPlace] {
        var places: [GeoPlace] = []
        for (index, element) in try elements(json, path).enumerated() {
            places.append(try position(element, path.element(index)))
        }
        return places
    }

    private mutating func position(
        _ json: JSONValue, _ path: GeoJSONPath
    ) throws(ParameterFault.Reason) -> GeoPlace {
        guard room > 0 else { throw isFull }
        let longitudes = -Double(Polyline.longitudeLimit)...Double(Polyline.longitudeLimit)
        guard let numbers = json.elements, numbers.count >= 2, let longitude = numbers[0].number,
            let latitude = numbers[1].number, longitudes.contains(longitude), (-90...90).contains(latitude)
        else { throw path.fault("[longitude, latitude] in degrees") }
        room -= 1
        return GeoPlace(rounding: longitude, latitude)
    }
}

/// Where something stands in GeoJSON, for faults.
struct GeoJSONPath {
    private var text = ""

    func member(_ name: String) -> GeoJSONPath {
        GeoJSONPath(text: text.isEmpty ? name : "\(text).\(name)")
    }

    func element(_ index: Int) -> GeoJSONPath { GeoJSONPath(text: "\(text)[\(index)]") }

    init() {}

    private init(text: String) { self.text = text }

    /// The fault that there is something else than `allowed` here.
    func fault(_ allowed: String) -> ParameterFault.Reason {
        .malformed(allowed: "GeoJSON in which \(text.isEmpty ? "the whole" : text) is \(allowed)")
    }
}
