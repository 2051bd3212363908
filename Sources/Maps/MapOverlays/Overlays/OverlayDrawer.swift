import Bytes
import Colors
import MapGrammar
import MapPlan
import MapRender
import Raster

struct OverlayDrawer {
    /// The first is at the bottom.
    private(set) var drawings: [MapDrawing] = []

    private let view: View
    private let tracer: ArcTracer
    private var markers: MarkerDrawer

    init(icons: [ExactText: Texture], view: View, shouldStop: @escaping () -> Bool = { false }) {
        self.view = view
        tracer = ArcTracer(view, shouldStop: shouldStop)
        markers = MarkerDrawer(icons: icons, pixelRatio: view.pixelRatio)
    }

    mutating func add(_ overlay: MapOverlay) {
        switch overlay {
        case .marker(var marker):
            marker.places = marker.places.map(\.held)
            drawings.append(.marker(markers.drawn(marker)))
        case .path(var path):
            path.places = path.places.map(\.held)
            add(path)
        case .polygon(let polygon):
            let rings = polygon.rings.map { $0.map(\.held) }
            add(GroundShape(rings, tracer: polygon.isGeodesic ? tracer : nil), polygon.fill, polygon.stroke)
        case .circle(var circle):
            circle.center = circle.center.held
            add(circle)
        }
    }

    private mutating func add(_ path: MapPath) {
        if let fill = path.fill { add(GroundShape([path.places], tracer: path.isGeodesic ? tracer : nil), fill, nil) }
        let places = path.isGeodesic ? tracer.line(path.places) : path.places
        add([DrawnLine.Part(places: places.map { WorldPlace($0) })], path.stroke)
    }

    private mutating func add(_ circle: MapCircle) {
        switch circle.radius {
        case .metres(let metres):
            // Less than half of the way around, where the circle would be a point.
            let radius = max(0, min(Double.pi * 0.9999, metres / Sphere.radius))
            add(GroundShape(circleAround: circle.center, radius: radius, tracer: tracer), circle.fill, circle.stroke)
        case .pixels(let pixels):
            let radius = max(0, min(4096, pixels))
            let ring = Curves.circle(radius: radius, pixelRatio: view.pixelRatio)
            var parts: [DrawnMarker.Part] = []
            if circle.fill.alpha > 0 { parts.append(.shape([ring], circle.fill)) }
            let strokes = circle.stroke.map(DrawnStroke.strokes) ?? []
            let opacity = circle.stroke.map(\.opacity) ?? 1
            parts += strokes.map { stroke in
                var stroke = stroke
                stroke.color.alpha = UInt8(max(0, min(255, (Double(stroke.color.alpha) * opacity).rounded())))
                return .outline(ring, stroke)
            }
            let width = strokes.map(\.width).max() ?? 0
            drawings.append(
                .marker(DrawnMarker(places: [WorldPlace(circle.center)], parts: parts, reach: radius + width + 2)))
        }
    }

    private mutating func add(_ shape: GroundShape, _ fill: Color, _ stroke: MapStroke?) {
        if fill.alpha > 0 { drawings.append(.area(DrawnArea(rings: shape.rings, color: fill))) }
        if let stroke { add(shape.edges, stroke) }
    }

    private mutating func add(_ parts: [DrawnLine.Part], _ stroke: MapStroke) {
        let strokes = DrawnStroke.strokes(stroke)
        if strokes.isEmpty { return }
        drawings.append(.line(DrawnLine(parts: parts, strokes: strokes, opacity: stroke.opacity)))
    }
}

extension DrawnStroke {
    /// The border, if there is one, and the line; without the opacity.
    static func strokes(_ stroke: MapStroke) -> [DrawnStroke] {
        var strokes: [DrawnStroke] = []
        func add(_ color: Color, _ width: Double) {
            guard color.alpha > 0, width > 0 else { return }
            var drawn = DrawnStroke(color: color, width: width)
            drawn.cap =
                switch stroke.cap {
                case .butt: .butt
                case .round: .round
                case .square: .square
                }
            drawn.join =
                switch stroke.join {
                case .miter: .miter
                case .round: .round
                case .bevel: .bevel
                }
            drawn.dashes = dashes(stroke)
            strokes.append(drawn)
        }
        if let color = stroke.borderColor, stroke.borderWidth > 0 { add(color, stroke.width + stroke.borderWidth * 2) }
        add(stroke.color, stroke.width)
        return strokes
    }

    /// The lengths of dashes and gaps, so that dashes with their caps are as long as asked for.
    private static func dashes(_ stroke: MapStroke) -> [Double] {
        let lengths = stroke.dashes.prefix(32).map { max(0, min(4096, $0)) }
        guard stroke.cap != .butt, !lengths.isEmpty else { return lengths }
        let all = lengths.count % 2 == 0 ? lengths : lengths + lengths
        return all.indices.map { index in
            guard index % 2 == 0 else { return all[index] + all[index - 1] - shortened(all[index - 1], stroke.width) }
            return shortened(all[index], stroke.width)
        }
    }

    /// A dash without its caps; a dot keeps just enough to be drawn.
    private static func shortened(_ dash: Double, _ width: Double) -> Double { max(0.01, dash - width) }
}
