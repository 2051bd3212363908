package import Parameters

extension MapPlacement {
    static let latitudes: ClosedRange<PlainDecimal> = -90...90
    static let longitudes: ClosedRange<PlainDecimal> = -180...180
    /// Of centres: maps that are panned go on over the date line, at most one turn.
    static let centerLongitudes: ClosedRange<PlainDecimal> = -540...540
    private static let levels: ClosedRange<PlainDecimal> = 0...24
    private static let reachNames = ["zoom", "glzoom", "span", "meters"]

    /// Missing and conflicting parameters become faults of `reader`.
    static func parse(_ reader: inout ParameterReader, hasOverlays: Bool, isLongitudeFirst: Bool) -> MapPlacement {
        let latitude = reader.decimal("latitude", latitudes)
        let longitude = reader.decimal("longitude", centerLongitudes)
        let center = reader.value("center") { text throws(Fault) in
            try PlacementText.center(text, isLongitudeFirst: isLongitudeFirst)
        }
        let reach = readReach(&reader)
        let box = reader.value("bbox", PlacementText.box)
        let clip = reader.choice("clip", of: Clip.self) ?? .outside
        let fitsOverlays = reader.choice("fit", ["overlays"]) != nil
        let maxZoom = reader.decimal("maxzoom", levels) ?? defaultMaxZoom
        checkWays(
            &reader, hasOverlays: hasOverlays, clipsUsually: clip == .outside, limitsUsually: maxZoom == defaultMaxZoom)
        if let box { return .box(west: box[0], south: box[1], east: box[2], north: box[3], clip) }
        if fitsOverlays { return .overlays(maxZoom: maxZoom) }
        return .center(
            latitude: center?.latitude ?? latitude ?? 0, longitude: center?.longitude ?? longitude ?? 0, reach)
    }

    static let defaultMaxZoom: PlainDecimal = 17

    private static func readReach(_ reader: inout ParameterReader) -> Reach {
        let zoom = reader.decimal("zoom", levels)
        let glzoom = reader.decimal("glzoom", -1...23)
        let span = reader.value("span", PlacementText.span)
        let metres = reader.value("meters", PlacementText.metres)
        if let zoom { return .zoom(zoom) }
        if let glzoom { return .zoom(PlainDecimal(billionths: glzoom.billionths + 1_000_000_000)) }
        return span ?? metres ?? .automatic
    }

    /// Requires exactly one of three ways. A parameter at its default counts as absent.
    private static func checkWays(
        _ reader: inout ParameterReader, hasOverlays: Bool, clipsUsually: Bool, limitsUsually: Bool
    ) {
        let centers = reader.present(["latitude", "longitude", "center"])
        let reaches = reader.present(reachNames)
        let others = reader.present(["bbox", "fit"])
        if centers.contains("center"), centers.count > 1 {
            reader.refuse("center", .conflict(with: centers.filter { $0 != "center" }))
        }
        for (index, name) in others.enumerated() {
            let rivals = centers + others[..<index]
            if !rivals.isEmpty { reader.refuse(name, .conflict(with: rivals)) }
        }
        for (index, name) in reaches.enumerated() {
            let rivals = others + reaches[..<index]
            if !rivals.isEmpty { reader.refuse(name, .conflict(with: rivals)) }
        }
        if !others.contains("bbox"), !clipsUsually { reader.refuse("clip", .incomplete(without: ["bbox"])) }
        if !others.contains("fit"), !limitsUsually { reader.refuse("maxzoom", .incomplete(without: ["fit"])) }
        if others.contains("fit"), !hasOverlays {
            let allowed = "used with something to fit: a marker, path, polygon, circle or geojson with a place in it"
            reader.refuse("fit", .malformed(allowed: allowed))
        }
        if others.isEmpty, !centers.contains("center") {
            reader.require("latitude")
            reader.require("longitude")
        }
    }
}

extension MapPlacement {
    /// With its centre from -180 to 180 degrees.
    package var wrapped: MapPlacement {
        guard case .center(let latitude, let longitude, let reach) = self else { return self }
        return .center(latitude: latitude, longitude: longitude.wrappedLongitude, reach)
    }
}

extension PlainDecimal {
    /// From -180 to 180 degrees.
    package var wrappedLongitude: PlainDecimal {
        guard !MapPlacement.longitudes.contains(self) else { return self }
        let (turn, half) = (Int64(360_000_000_000), Int64(180_000_000_000))
        let fromDateLine = (billionths + half) % turn
        return PlainDecimal(billionths: (fromDateLine < 0 ? fromDateLine + turn : fromDateLine) - half)
    }
}

enum PlacementText {
    static func center(
        _ text: String, isLongitudeFirst: Bool
    ) throws(Fault) -> (latitude: PlainDecimal, longitude: PlainDecimal) {
        let (latitudes, longitudes) = (MapPlacement.latitudes, MapPlacement.centerLongitudes)
        if isLongitudeFirst {
            let allowed = "LON,LAT: a longitude from -540 to 540 and a latitude from -90 to 90"
            let numbers = try list(text, [longitudes, latitudes], allowed)
            return (numbers[1], numbers[0])
        }
        let allowed = "LAT,LON: a latitude from -90 to 90 and a longitude from -540 to 540"
        let numbers = try list(text, [latitudes, longitudes], allowed)
        return (numbers[0], numbers[1])
    }

    static func box(_ text: String) throws(Fault) -> [PlainDecimal] {
        let allowed = "west,south,east,north in degrees, with south below north and west other than east"
        let (east, north) = (MapPlacement.longitudes, MapPlacement.latitudes)
        let numbers = try list(text, [east, north, east, north], allowed)
        guard numbers[1] < numbers[3], numbers[0] != numbers[2] else { throw .outOfRange(allowed: allowed) }
        return numbers
    }

    static func span(_ text: String) throws(Fault) -> MapPlacement.Reach {
        let allowed = "two numbers of degrees, of latitude from 0.000001 to 180 and of longitude from 0.000001 to 360"
        let numbers = try list(text, [0.000001...180, 0.000001...360], allowed)
        return .span(latitude: numbers[0], longitude: numbers[1])
    }

    static func metres(_ text: String) throws(Fault) -> MapPlacement.Reach {
        let allowed = "the width of the ground in metres, or width,height, each from 0.1 to 50000000"
        let range: ClosedRange<PlainDecimal> = 0.1...50_000_000
        let hasHeight = text.utf8.contains(UInt8(ascii: ","))
        let numbers = try list(text, hasHeight ? [range, range] : [range], allowed)
        return .metres(width: numbers[0], height: hasHeight ? numbers[1] : nil)
    }

    /// As many numbers as there are ranges, separated by commas.
    private static func list(
        _ text: String, _ ranges: [ClosedRange<PlainDecimal>], _ allowed: String
    ) throws(Fault) -> [PlainDecimal] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == ranges.count else { throw .malformed(allowed: allowed) }
        var numbers: [PlainDecimal] = []
        for (part, range) in zip(parts, ranges) {
            numbers.append(try PlainNumber.decimal(part, in: range, allowed: allowed))
        }
        return numbers
    }
}
