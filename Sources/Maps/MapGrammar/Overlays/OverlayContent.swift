import Colors
import Parameters

/// The options and places of one overlay, from which it is made.
struct OverlayContent {
    private let kind: OverlayKind
    var options: OverlayOptions
    /// The places; for polygons those of each ring.
    var rings: [[GeoPlace]] = [[]]
    private var radii: [MapCircle.Radius] = []

    init(_ kind: OverlayKind) {
        self.kind = kind
        options = OverlayOptions(kind: kind)
    }

    mutating func append(_ place: GeoPlace, _ radius: MapCircle.Radius?) {
        rings[rings.count - 1].append(place)
        if let radius { radii.append(radius) }
    }

    private var malformed: Fault { .malformed(allowed: kind.usage) }

    func single() throws(Fault) -> [GeoPlace] {
        guard let places = rings.first, !places.isEmpty else { throw malformed }
        // A client finds the position of a `point` by the numbers it gave.
        return kind == .point ? places : places.map(\.wrapped)
    }

    func marker() throws(Fault) -> MapMarker {
        var marker = MapMarker(places: try single())
        let label = try options.text(.label, byteLimit: OverlayLimits.labelByteLimit)
        let glyph = try options.text(.glyph, byteLimit: OverlayLimits.glyphByteLimit)
        let icon = try options.text(.icon, byteLimit: OverlayLimits.iconByteLimit)
        guard [label, glyph, icon].compactMap(\.self).count <= 1 else {
            throw .malformed(allowed: "written with only one of label, glyph and icon")
        }
        if let label, label.count > OverlayLimits.labelLimit { throw OverlayOption.label.fault }
        if let label { marker.look = .pin(.text(label)) }
        if let glyph { marker.look = .pin(.glyph(glyph)) }
        if let icon { marker.look = .icon(id: icon) }
        marker.anchor = try options.choice(.anchor) ?? marker.look.usualAnchor
        marker.color = try options.color(.color) ?? marker.color
        marker.size = try size() ?? marker.size
        if let offset = try options.numbers(.offset, -1000...1000, 2...2) {
            (marker.offsetX, marker.offsetY) = (offset[0], offset[1])
        }
        marker.rotation = (try options.number(.rotate, -360...360) ?? 0).asTurn
        marker.title = try options.text(.title, byteLimit: OverlayLimits.titleByteLimit)
        marker.titleLook = try titleLook()
        if marker.title == nil, marker.titleLook != TitleLook() {
            throw .malformed(allowed: "written with a title for textcolor and background, which are of the title")
        }
        return marker
    }

    private func titleLook() throws(Fault) -> TitleLook {
        var look = TitleLook()
        look.color = try options.color(.textcolor)
        let radius = try options.number(.radius, 0...100)
        if let (color, padding) = try options.colorAndNumber(.background, 0...50) {
            var plate = TitleLook.Plate(color: color)
            plate.padding = padding ?? plate.padding
            plate.radius = radius ?? plate.radius
            if color.alpha > 0 { look.plate = plate }
        } else if radius != nil {
            throw .malformed(allowed: "written with a background for radius, which is of its corners")
        }
        return look
    }

    private func size() throws(Fault) -> Double? {
        if let named = try? options.choice(.size, of: MarkerSize.self) { return named.pixels }
        return try options.number(.size, 4...256)
    }

    func path() throws(Fault) -> MapPath {
        var path = MapPath(places: rings[0].unwrapped())
        guard path.places.count >= 2 else { throw malformed }
        path.stroke = try stroke()
        path.fill = try options.color(.fill)
        path.isGeodesic = try options.flag(.geodesic)
        return path
    }

    func polygon() throws(Fault) -> MapPolygon {
        let rings = MapPolygon.normalised(rings)
        guard !rings.isEmpty, rings.allSatisfy({ $0.count >= 3 }) else { throw malformed }
        var polygon = MapPolygon(rings: rings)
        let stroke = try stroke()
        polygon.fill = try options.color(.fill) ?? stroke.usualFill
        polygon.stroke = stroke.unlessInvisible
        polygon.isGeodesic = try options.flag(.geodesic)
        return polygon
    }

    func circles() throws(Fault) -> [MapCircle] {
        let stroke = try stroke()
        let fill = try options.color(.fill) ?? stroke.usualFill
        return zip(try single(), radii).map { center, radius in
            MapCircle(stroke: stroke.unlessInvisible, fill: fill, center: center, radius: radius)
        }
    }

    private func stroke() throws(Fault) -> MapStroke {
        var stroke = MapStroke()
        stroke.color = try options.color(.color) ?? stroke.color
        stroke.width = try options.number(.weight, 0...100) ?? stroke.width
        stroke.opacity = try options.number(.opacity, 0...1) ?? 1
        stroke.dashes = try options.numbers(.dash, 0...1000, 1...OverlayLimits.dashLimit) ?? []
        if !stroke.dashes.isEmpty, !stroke.dashes.contains(where: { $0 > 0 }) { throw OverlayOption.dash.fault }
        stroke.cap = try options.choice(.cap) ?? stroke.cap
        stroke.join = try options.choice(.join) ?? stroke.join
        if let (color, width) = try options.colorAndNumber(.border, 0...50) {
            let width = width ?? MapStroke.usualBorderWidth
            if width > 0, color != .transparent { (stroke.borderColor, stroke.borderWidth) = (color, width) }
        }
        return stroke
    }
}

enum MarkerSize: String, CaseIterable {
    case tiny, small, mid, large

    var pixels: Double {
        switch self {
        case .tiny: 20
        case .small: 28
        case .mid: 36
        case .large: 48
        }
    }
}

extension MapMarker.Look {
    var usualAnchor: MapMarker.Anchor { if case .pin = self { .bottom } else { .center } }
}

extension MapStroke {
    /// The width of a border that names none.
    static let usualBorderWidth = 1.5

    /// The fill of an area where only its edge has a color: the same, a quarter as dense.
    var usualFill: Color {
        guard color != .transparent else { return MapPolygon(rings: []).fill }
        return Color(red: color.red, green: color.green, blue: color.blue, alpha: UInt8((Int(color.alpha) + 2) / 4))
    }

    /// nil if nothing of it can be seen.
    var unlessInvisible: MapStroke? {
        let hasLine = width > 0 && color != .transparent && opacity > 0
        return hasLine || (borderColor != nil && opacity > 0) ? self : nil
    }
}

extension Double {
    /// Degrees as 0 or more and less than 360.
    var asTurn: Double {
        let rest = truncatingRemainder(dividingBy: 360)
        return rest < 0 ? OverlayNumber.rounded(rest + 360) : rest + 0
    }
}
