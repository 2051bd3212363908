import Colors
import JSON
import Parameters

/// The look of a feature by the properties of simplestyle 1.1 (`stroke`, `fill`, `marker-color`…) or MapLibre's paint
/// properties (`line-color`, `fill-color`, `circle-radius`…); the former win. Defaults are those of other overlays.
///
/// Reads a property at the first geometry that needs it, and keeps what it said for the other geometries of the feature.
struct GeoJSONStyle {
    private enum PointLook {
        case circle(stroke: MapStroke?, fill: Color, radius: MapCircle.Radius)
        /// Without places.
        case marker(MapMarker)
    }

    var properties: JSONValue
    let path: GeoJSONPath
    private var keptPoint: PointLook?
    private var keptLine: MapStroke?
    private var keptArea: (stroke: MapStroke?, fill: Color)?

    init(properties: JSONValue, path: GeoJSONPath) { (self.properties, self.path) = (properties, path) }

    /// Circles if the feature has the properties of one, else a pin at each place.
    mutating func overlays(at places: [GeoPlace]) throws(Fault) -> [MapOverlay] {
        switch try pointLook() {
        case .circle(let stroke, let fill, let radius):
            return places.map { .circle(MapCircle(stroke: stroke, fill: fill, center: $0, radius: radius)) }
        case .marker(var marker):
            marker.places = places
            return [.marker(marker)]
        }
    }

    mutating func line() throws(Fault) -> MapStroke {
        if let keptLine { return keptLine }
        let line = try readLine()
        keptLine = line
        return line
    }

    mutating func area() throws(Fault) -> (stroke: MapStroke?, fill: Color) {
        if let keptArea { return keptArea }
        let edge = try line()
        let area = try readArea(edge)
        keptArea = area
        return area
    }

    private mutating func pointLook() throws(Fault) -> PointLook {
        if let keptPoint { return keptPoint }
        let point = try readPoint()
        keptPoint = point
        return point
    }

    private func readPoint() throws(Fault) -> PointLook {
        guard has("circle-radius") || has("circle-color") else { return .marker(try readMarker()) }
        var stroke = MapStroke()
        stroke.width = try number(["circle-stroke-width"], 0...100) ?? 0
        stroke.color = try color(["circle-stroke-color"]) ?? .black
        stroke.opacity = try number(["circle-stroke-opacity"], 0...1) ?? 1
        let fill = try color(["circle-color"]) ?? .black
        let opacity = try number(["circle-opacity"], 0...1) ?? 1
        let radius = try number(["circle-radius"], 0.5...4096) ?? 5
        return .circle(stroke: stroke.unlessInvisible, fill: fill.faded(opacity), radius: .pixels(radius))
    }

    private func readMarker() throws(Fault) -> MapMarker {
        var marker = MapMarker(places: [])
        marker.color = try color(["marker-color"]) ?? marker.color
        marker.size = try markerSize() ?? marker.size
        let symbol = try text("marker-symbol", byteLimit: OverlayLimits.glyphByteLimit)
        let image = try text("icon-image", byteLimit: OverlayLimits.glyphByteLimit)
        if let name = symbol ?? image {
            guard name.utf8.count <= OverlayLimits.glyphByteLimit else {
                throw fault(
                    symbol == nil ? "icon-image" : "marker-symbol", "the name of an image in the style's sprite")
            }
            // The letters and numbers of simplestyle; other names are images.
            let isLabel =
                symbol != nil && name.count <= 2 && name.utf8.count <= OverlayLimits.labelByteLimit
                && name.allSatisfy { $0.isLetter || $0.isNumber }
            marker.look = .pin(isLabel ? .text(name) : .glyph(name))
        }
        let title = try text("title", byteLimit: OverlayLimits.titleByteLimit)
        let field = try text("text-field", byteLimit: OverlayLimits.titleByteLimit)
        marker.title = (title ?? field).flatMap(Self.shortened)
        return marker
    }

    private func markerSize() throws(Fault) -> Double? {
        switch value("marker-size") {
        case nil: return nil
        case .string("small"): return MarkerSize.small.pixels
        case .string("medium"): return MarkerSize.mid.pixels
        case .string("large"): return MarkerSize.large.pixels
        default: return try number(["marker-size"], 4...256, "small, medium, large or a number of pixels from 4 to 256")
        }
    }

    private func readLine() throws(Fault) -> MapStroke {
        var stroke = MapStroke()
        stroke.color = try color(["stroke", "line-color"]) ?? stroke.color
        stroke.width = try number(["stroke-width", "line-width"], 0...100) ?? stroke.width
        stroke.opacity = try number(["stroke-opacity", "line-opacity"], 0...1) ?? 1
        stroke.cap = try choice("line-cap") ?? stroke.cap
        stroke.join = try choice("line-join") ?? stroke.join
        stroke.dashes = try dashes(stroke.width)
        return stroke
    }

    private func readArea(_ line: MapStroke) throws(Fault) -> (stroke: MapStroke?, fill: Color) {
        var stroke = line
        let hasStroke = ["stroke", "stroke-width", "stroke-opacity", "line-color", "line-width"].contains(where: has)
        let outline = try color(["fill-outline-color"])
        if !hasStroke, let outline { (stroke.color, stroke.width) = (outline, 1) }
        // A fill layer of MapLibre draws no edges.
        let hasEdge = hasStroke || outline != nil || !has("fill-color")
        let opacity = try number(["fill-opacity"], 0...1)
        let fill: Color
        if let simple = try color(["fill"]) {
            fill = simple.faded(opacity ?? 0.6)
        } else if let named = try color(["fill-color"]) {
            fill = named.faded(opacity ?? 1)
        } else if let opacity {
            fill = stroke.color.faded(opacity)
        } else {
            fill = stroke.usualFill
        }
        return (hasEdge ? stroke.unlessInvisible : nil, fill)
    }

    /// MapLibre's lengths are multiples of the line's width.
    private func dashes(_ width: Double) throws(Fault) -> [Double] {
        guard let value = value("line-dasharray") else { return [] }
        let lengths = value.elements?.compactMap(\.number) ?? []
        guard lengths.count == value.elements?.count, (1...OverlayLimits.dashLimit).contains(lengths.count),
            lengths.allSatisfy((0...1000).contains), lengths.contains(where: { $0 > 0 })
        else { throw fault("line-dasharray", "one to \(OverlayLimits.dashLimit) numbers, in widths of the line") }
        let dashes = lengths.map { OverlayNumber.rounded(min(1000, $0 * width)) }
        return dashes.contains { $0 > 0 } ? dashes : []
    }

    // MARK: Properties

    private func value(_ name: String) -> JSONValue? {
        properties[name].flatMap { $0 == .null || $0 == .string("") ? nil : $0 }
    }

    private func has(_ name: String) -> Bool { value(name) != nil }
    private func fault(_ name: String, _ allowed: String) -> Fault { path.member(name).fault(allowed) }

    /// The first that is present, rounded; also a number in quotes.
    private func number(
        _ names: [String], _ range: ClosedRange<Double>, _ allowed: String? = nil
    ) throws(Fault) -> Double? {
        guard let name = names.first(where: has), let value = value(name) else { return nil }
        let number = value.number ?? value.text.flatMap { try? PlainNumber.decimal($0).double }
        guard let number, range.contains(number) else {
            throw fault(
                name,
                allowed
                    ?? "a number from \(OverlayNumber.text(range.lowerBound)) to \(OverlayNumber.text(range.upperBound))"
            )
        }
        return OverlayNumber.rounded(number)
    }

    /// The first that is present: as in parameters, or any CSS color.
    private func color(_ names: [String]) throws(Fault) -> Color? {
        guard let name = names.first(where: has), let value = value(name) else { return nil }
        guard let text = value.text, let color = Color(text: text) ?? Color(css: text) else {
            throw fault(name, "a color")
        }
        return color
    }

    /// With a space for each control character. A longer text ends with the first scalar beyond `byteLimit`.
    private func text(_ name: String, byteLimit: Int) throws(Fault) -> String? {
        switch value(name) {
        case nil: return nil
        case .string(let text): return text.plain(byteLimit: byteLimit)
        case .number(let number) where number.isFinite: return OverlayNumber.text(number)
        default: throw fault(name, "a text")
        }
    }

    private func choice<Value: RawRepresentable & CaseIterable>(_ name: String) throws(Fault) -> Value?
    where Value.RawValue == String {
        guard let value = value(name) else { return nil }
        guard let choice = value.text.flatMap(Value.init(rawValue:)) else {
            throw fault(name, ParameterReader.list(Value.allCases.map(\.rawValue)))
        }
        return choice
    }

    /// Cut to whole characters within the limit, since titles may be sentences.
    private static func shortened(_ title: String) -> String? {
        var short = ""
        for character in title {
            guard short.utf8.count + character.utf8.count <= OverlayLimits.titleByteLimit else { break }
            short.append(character)
        }
        return short.isEmpty ? nil : short
    }
}

extension Color {
    fileprivate func faded(_ opacity: Double) -> Color {
        let alpha = UInt8((max(0, min(1, opacity)) * Double(alpha)).rounded())
        return alpha == 0 ? .transparent : Color(red: red, green: green, blue: blue, alpha: alpha)
    }
}

extension String {
    /// The text with a space for each control character, up to the first scalar beyond `byteLimit`. Reads no further.
    fileprivate func plain(byteLimit: Int) -> String {
        var scalars = String.UnicodeScalarView()
        var byteCount = 0
        for scalar in unicodeScalars {
            guard byteCount <= byteLimit else { break }
            let plain: Unicode.Scalar = scalar.isControl ? " " : scalar
            scalars.append(plain)
            byteCount += UTF8.width(plain)
        }
        return String(scalars)
    }
}
