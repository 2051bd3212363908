import Colors
import Parameters

/// Writes the canonical texts of overlays, from which `OverlayReader` reads equal overlays.
enum OverlayWriter {
    /// Shorter lines are written in numbers, for people.
    private static let polylineCount = 8

    static func item(_ overlay: MapOverlay) -> QueryItem {
        switch overlay {
        case .marker(let marker): QueryItem(name: "marker", value: text(marker))
        case .path(let path): QueryItem(name: "path", value: text(path))
        case .polygon(let polygon): QueryItem(name: "polygon", value: text(polygon))
        case .circle(let circle): QueryItem(name: "circle", value: text(circle))
        }
    }

    static func text(_ place: GeoPlace) -> String {
        let latitude = OverlayNumber.text(place.latitude, places: OverlayNumber.degreePlaces)
        return "\(latitude),\(OverlayNumber.text(place.longitude, places: OverlayNumber.degreePlaces))"
    }

    private static func text(_ marker: MapMarker) -> String {
        let plain = MapMarker(places: [])
        var parts = Parts()
        if marker.color != plain.color { parts.add(.color, marker.color.canonical) }
        switch marker.look {
        case .pin(.dot): break
        case .pin(.text(let label)): parts.add(.label, label)
        case .pin(.glyph(let name)): parts.add(.glyph, name)
        case .icon(let id): parts.add(.icon, id)
        }
        if marker.size != plain.size { parts.add(.size, OverlayNumber.text(marker.size)) }
        if marker.anchor != marker.look.usualAnchor { parts.add(.anchor, marker.anchor.rawValue) }
        if marker.offsetX != 0 || marker.offsetY != 0 {
            parts.add(.offset, OverlayNumber.text(marker.offsetX) + "," + OverlayNumber.text(marker.offsetY))
        }
        if marker.rotation != 0 { parts.add(.rotate, OverlayNumber.text(marker.rotation)) }
        if let title = marker.title { parts.add(.title, title) }
        if let color = marker.titleLook.color { parts.add(.textcolor, color.canonical) }
        if let plate = marker.titleLook.plate {
            let usual = TitleLook.Plate(color: plate.color)
            let padding = plate.padding == usual.padding ? "" : "," + OverlayNumber.text(plate.padding)
            parts.add(.background, plate.color.canonical + padding)
            if plate.radius != usual.radius { parts.add(.radius, OverlayNumber.text(plate.radius)) }
        }
        return (parts.texts + marker.places.map(text)).joined(separator: "|")
    }

    private static func text(_ path: MapPath) -> String {
        var parts = Parts()
        parts.add(path.stroke)
        if let fill = path.fill { parts.add(.fill, fill.canonical) }
        if path.isGeodesic { parts.add(.geodesic, "1") }
        return (parts.texts + [line(path.places)]).joined(separator: "|")
    }

    private static func text(_ polygon: MapPolygon) -> String {
        var parts = Parts()
        parts.add(edge: polygon.stroke, fill: polygon.fill)
        if polygon.isGeodesic { parts.add(.geodesic, "1") }
        return (parts.texts + [polygon.rings.map(line).joined(separator: "|hole:")]).joined(separator: "|")
    }

    private static func text(_ circle: MapCircle) -> String {
        var parts = Parts()
        parts.add(edge: circle.stroke, fill: circle.fill)
        let radius =
            switch circle.radius {
            case .metres(let metres): OverlayNumber.text(metres)
            case .pixels(let pixels): OverlayNumber.text(pixels) + "px"
            }
        return (parts.texts + ["\(text(circle.center)),\(radius)"]).joined(separator: "|")
    }

    /// Short lines in numbers, others as polylines unless that loses decimals.
    private static func line(_ places: [GeoPlace]) -> String {
        if places.count >= polylineCount {
            for precision in Polyline.Precision.allCases {
                if let line = encoded(places, precision) { return (precision == .five ? "enc:" : "enc6:") + line }
            }
        }
        return places.map(text).joined(separator: "|")
    }

    private static func encoded(_ places: [GeoPlace], _ precision: Polyline.Precision) -> String? {
        var units: [(latitude: Int, longitude: Int)] = []
        units.reserveCapacity(places.count)
        for place in places {
            guard let latitude = OverlayNumber.units(place.latitude, places: precision.rawValue),
                let longitude = OverlayNumber.units(place.longitude, places: precision.rawValue)
            else { return nil }
            units.append((latitude, longitude))
        }
        return Polyline.encode(units)
    }
}

private struct Parts {
    var texts: [String] = []

    mutating func add(_ option: OverlayOption, _ value: String) {
        texts.append("\(option.rawValue):\(BarText.escaped(value))")
    }

    mutating func add(_ stroke: MapStroke) {
        let plain = MapStroke()
        if stroke.color != plain.color { add(.color, stroke.color.canonical) }
        if stroke.width != plain.width { add(.weight, OverlayNumber.text(stroke.width)) }
        if stroke.opacity != 1 { add(.opacity, OverlayNumber.text(stroke.opacity)) }
        if !stroke.dashes.isEmpty { add(.dash, stroke.dashes.map { OverlayNumber.text($0) }.joined(separator: ",")) }
        if stroke.cap != plain.cap { add(.cap, stroke.cap.rawValue) }
        if stroke.join != plain.join { add(.join, stroke.join.rawValue) }
        if let border = stroke.borderColor {
            let width = stroke.borderWidth
            let text = width == MapStroke.usualBorderWidth ? "" : ",\(OverlayNumber.text(width))"
            add(.border, border.canonical + text)
        }
    }

    mutating func add(edge: MapStroke?, fill: Color) {
        if let edge { add(edge) } else { add(.weight, "0") }
        if fill != (edge ?? MapStroke()).usualFill { add(.fill, fill.canonical) }
    }
}
