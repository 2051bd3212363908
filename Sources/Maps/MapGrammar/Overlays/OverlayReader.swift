import Bytes
import Parameters

/// Reads the overlays of a map, in URL order across their kinds, within ``OverlayLimits``.
struct OverlayReader {
    private static let names = ["marker", "path", "polygon", "circle", "geojson"]
    private static let isFull: Fault = .outOfRange(
        allowed: "one of at most \(OverlayLimits.overlayLimit) overlays with at most \(OverlayLimits.placeLimit) places"
    )
    private static let hasAllIcons: Fault = .outOfRange(
        allowed:
            "given with at most \(OverlayLimits.iconLimit) different icons in total; one icon in two sizes counts as two"
    )

    let isLongitudeFirst: Bool
    /// How many more places are allowed.
    private var room = OverlayLimits.placeLimit
    private var icons: Set<MapIcon> = []
    private(set) var hasFaults = false

    init(_ reader: inout ParameterReader) {
        isLongitudeFirst = reader.choice("order", ["latlon", "lonlat"]) == "lonlat"
    }

    /// The overlays; neighbouring markers that look alike become one.
    mutating func readOverlays(_ reader: inout ParameterReader) -> [MapOverlay] {
        var overlays: [MapOverlay] = []
        var count = 0
        _ = reader.values(of: Self.names) { name, text throws(Fault) in
            count += 1
            for overlay in try read(name, text) {
                guard overlays.count < OverlayLimits.overlayLimit else { throw Self.isFull }
                try admit(iconOf: overlay)
                Self.append(overlay, to: &overlays)
            }
            count -= 1
        }
        hasFaults = count > 0
        return overlays
    }

    mutating func readPoints(_ reader: inout ParameterReader) -> [GeoPlace] {
        reader.values("point") { text throws(Fault) in try content(of: text, .point).single() }.flatMap(\.self)
    }

    private mutating func admit(iconOf overlay: MapOverlay) throws(Fault) {
        guard case .marker(let marker) = overlay, let icon = marker.icon, !icons.contains(icon) else { return }
        guard icons.count < OverlayLimits.iconLimit else { throw Self.hasAllIcons }
        icons.insert(icon)
    }

    private static func append(_ overlay: MapOverlay, to overlays: inout [MapOverlay]) {
        guard case .marker(let marker) = overlay, case .marker(var last)? = overlays.last else {
            return overlays.append(overlay)
        }
        var rival = last
        rival.places = marker.places
        guard rival == marker else { return overlays.append(overlay) }
        // Taken out first, so that the places are appended in place.
        overlays.removeLast()
        last.places += marker.places
        overlays.append(.marker(last))
    }

    private mutating func read(_ name: String, _ text: String) throws(Fault) -> [MapOverlay] {
        guard let kind = OverlayKind(rawValue: name) else {
            return try GeoJSONOverlays.read(text, room: &room, isFull: Self.isFull)
        }
        let content = try content(of: text, kind)
        switch kind {
        case .marker: return [.marker(try content.marker())]
        case .path: return [.path(try content.path())]
        case .polygon: return [.polygon(try content.polygon())]
        case .circle: return try content.circles().map { .circle($0) }
        case .point: return []
        }
    }

    private mutating func content(of text: String, _ kind: OverlayKind) throws(Fault) -> OverlayContent {
        var content = OverlayContent(kind)
        for (index, part) in try OverlayText.parts(of: text, kind).enumerated() {
            switch part {
            case .option(let name, let value): try content.options.add(name, value, at: index + 1)
            case .hole:
                guard kind == .polygon, !content.rings[content.rings.count - 1].isEmpty else {
                    throw kind.malformed(index + 1)
                }
                content.rings.append([])
            case .place(let text):
                guard room > 0 else { throw Self.isFull }
                room -= 1
                let (place, radius) = try place(text, kind, at: index + 1)
                content.append(place, radius)
            case .line(let precision, let bytes):
                guard kind == .path || kind == .polygon else { throw kind.malformed(index + 1) }
                for place in try line(bytes, precision, kind) { content.append(place, nil) }
            }
        }
        return content
    }

    private mutating func line(
        _ bytes: [UInt8], _ precision: Polyline.Precision, _ kind: OverlayKind
    ) throws(Fault) -> [GeoPlace] {
        do throws(Polyline.Failure) {
            let units = Double(precision.unitsPerDegree)
            let line = try Polyline.decode(bytes, precision, limit: room).map {
                GeoPlace(longitude: Double($0.longitude) / units, latitude: Double($0.latitude) / units)
            }
            room -= line.count
            return line
        } catch {
            switch error {
            case .tooLong: throw Self.isFull
            case .malformed: throw .malformed(allowed: "\(kind.usage); the polyline is broken")
            case .outOfRange:
                throw .outOfRange(
                    allowed:
                        "\(kind.usage); the polyline has a place outside the Earth: use `enc6:` for six decimals, `enc:` for five"
                )
            }
        }
    }

    /// `LAT,LON`, or the reverse if `order` says so, and the radius of a circle.
    private func place(
        _ text: String, _ kind: OverlayKind, at position: Int
    ) throws(Fault) -> (GeoPlace, MapCircle.Radius?) {
        var parts = text.split(separator: ",", omittingEmptySubsequences: false)
        var radius: MapCircle.Radius?
        if kind == .circle {
            guard parts.count == 3 else { throw kind.malformed(position) }
            radius = try Self.radius(parts.removeLast())
        }
        guard parts.count == 2, let first = try? PlainNumber.decimal(parts[0].trimmed({ $0 == " " })),
            let second = try? PlainNumber.decimal(parts[1].trimmed({ $0 == " " }))
        else { throw kind.malformed(position) }
        let (latitude, longitude) = isLongitudeFirst ? (second, first) : (first, second)
        // Lines may go on around the world.
        let limit = kind == .path || kind == .polygon ? Double(Polyline.longitudeLimit) : 360
        guard (-90...90).contains(latitude), (-limit...limit).contains(longitude.double) else {
            let order = isLongitudeFirst ? "a longitude and a latitude" : "a latitude and a longitude"
            let other = isLongitudeFirst ? "leave out `order=lonlat`" : "`order=lonlat` is"
            throw .outOfRange(
                allowed:
                    "made of places that are \(order) in degrees; part \(position) is not such a place (\(other) for the other order)"
            )
        }
        return (GeoPlace(rounding: longitude.double, latitude.double), radius)
    }

    private static func radius(_ text: Substring) throws(Fault) -> MapCircle.Radius {
        let allowed =
            "a circle whose radius is from 0.1 to 20000000 metres, such as 500, 500m or 1.5km, or from 0.5 to 4096 pixels, such as 20px"
        let text = text.trimmed { $0 == " " }
        func number(_ suffix: Int, _ range: ClosedRange<PlainDecimal>) throws(Fault) -> Double {
            try PlainNumber.decimal(text.dropLast(suffix).trimmed { $0 == " " }, in: range, allowed: allowed).double
        }
        if text.hasSuffix("px") { return .pixels(OverlayNumber.rounded(try number(2, 0.5...4096))) }
        if text.hasSuffix("km") { return .metres(OverlayNumber.rounded(try number(2, 0.0001...20_000) * 1000)) }
        return .metres(OverlayNumber.rounded(try number(text.hasSuffix("m") ? 1 : 0, 0.1...20_000_000)))
    }
}

extension GeoPlace {
    init(rounding longitude: Double, _ latitude: Double) {
        self.init(
            longitude: OverlayNumber.rounded(longitude, places: OverlayNumber.degreePlaces),
            latitude: OverlayNumber.rounded(latitude, places: OverlayNumber.degreePlaces))
    }

    /// The place on the copy of the world from -180 to 180 degrees.
    var wrapped: GeoPlace {
        guard abs(longitude) > 180 else { return self }
        return GeoPlace(rounding: longitude - ((longitude + 180) / 360).rounded(.down) * 360, latitude)
    }
}
