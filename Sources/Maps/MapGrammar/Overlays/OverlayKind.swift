import Colors
import Parameters

/// A parameter for overlays, and how it is written.
enum OverlayKind: String, CaseIterable {
    case marker, path, polygon, circle, point

    var options: [OverlayOption] {
        switch self {
        case .marker:
            [.color, .label, .size, .glyph, .icon, .anchor, .offset, .rotate, .title, .textcolor, .background, .radius]
        case .path, .polygon: [.color, .weight, .opacity, .dash, .cap, .join, .border, .fill, .geodesic]
        case .circle: [.color, .weight, .opacity, .dash, .cap, .join, .border, .fill]
        case .point: []
        }
    }

    var usage: String {
        switch self {
        case .marker: "options and places such as color:red|label:A|59.94,30.31"
        case .path:
            "options and at least two places such as color:red|weight:5|59.94,30.31|55.75,37.62, or enc: and a polyline"
        case .polygon: "options and at least three places such as fill:ff000080|1,2|3,4|5,2; hole: begins another ring"
        case .circle: "options and a circle written LAT,LON,RADIUS such as fill:red|59.94,30.31,500m"
        case .point: "places written LAT,LON, separated by |"
        }
    }

    func unknown(_ name: String, at position: Int) -> Fault {
        let names = options.map(\.rawValue)
        guard !names.isEmpty else { return .malformed(allowed: usage) }
        let hint =
            Suggestion.nearest(to: name, among: names).map { "did you mean `\($0)`?" }
            ?? "there are \(names.joined(separator: ", "))"
        return .malformed(allowed: "\(usage); part \(position) is not an option of it, \(hint)")
    }

    func malformed(_ position: Int) -> Fault {
        .malformed(allowed: "\(usage); part \(position) is neither an option nor a place")
    }
}

enum OverlayOption: String, CaseIterable {
    case color, label, size, glyph, icon, anchor, offset, rotate, title, textcolor, background, radius
    case weight, opacity, dash, cap, join, border, fill, geodesic

    /// In any case, and under names of other services.
    init?(name: String) {
        switch name.lowercased() {
        case "colour": self = .color
        case "fillcolor", "fillcolour": self = .fill
        case "width": self = .weight
        case "rotation": self = .rotate
        case "textcolour", "text-color": self = .textcolor
        case let plain: self.init(rawValue: plain)
        }
    }

    var fault: Fault { .malformed(allowed: "written so that \(rawValue) is \(values)") }

    private var values: String {
        switch self {
        case .color, .fill, .textcolor: Color.allowed
        case .label: "a text of at most \(OverlayLimits.labelLimit) characters"
        case .size: "tiny, small, mid, large or a number of pixels from 4 to 256"
        case .glyph: "the name of an image in the style's sprite, of at most \(OverlayLimits.glyphByteLimit) bytes"
        case .icon: "the id of an asset, of at most \(OverlayLimits.iconByteLimit) bytes"
        case .anchor: ParameterReader.list(MapMarker.Anchor.allCases.map(\.rawValue))
        case .offset: "x,y in pixels, each from -1000 to 1000"
        case .rotate: "degrees from -360 to 360"
        case .title: "a text of at most \(OverlayLimits.titleByteLimit) bytes"
        case .weight: "a number of pixels from 0 to 100"
        case .opacity: "a number from 0 to 1"
        case .dash: "one to \(OverlayLimits.dashLimit) lengths from 0 to 1000 pixels such as 8,4, not all of them 0"
        case .cap: ParameterReader.list(MapStroke.Cap.allCases.map(\.rawValue))
        case .join: ParameterReader.list(MapStroke.Join.allCases.map(\.rawValue))
        case .border: "a color, or a color and a width from 0 to 50 pixels such as white,2"
        case .geodesic: "0 or 1"
        case .background: "a color, or a color and a padding from 0 to 50 pixels such as white,6"
        case .radius: "a number of pixels from 0 to 100"
        }
    }
}
