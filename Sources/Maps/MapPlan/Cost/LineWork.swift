import MapGrammar
import MapRender

/// The cost of stroking and filling lines, by the visible part.
struct LineWork {
    private(set) var dashCount = 0.0
    private(set) var nanoseconds = 0.0
    private(set) var bytes = 0.0

    init() {}

    /// Lines on the ground.
    init(_ parts: [DrawnLine.Part], _ stroke: MapStroke?, isFilled: Bool, pixelRatio: Double, measure: LineMeasure) {
        let widths = stroke?.widths.map { $0 * pixelRatio } ?? []
        let seen = measure.seen(parts, width: widths.max() ?? 0)
        if isFilled { add(seen, edgeCount: 1) }
        if let stroke { add(seen, stroke, widths: widths, pixelRatio: pixelRatio) }
    }

    /// A circle in pixels.
    init(around center: GeoPlace, radius: Double, _ stroke: MapStroke?, pixelRatio: Double, measure: LineMeasure) {
        guard let stroke else { return }
        let widths = stroke.widths.map { $0 * pixelRatio }
        let place = WorldPlace(longitude: center.longitude, latitude: center.latitude)
        let seen = measure.seen(around: place, radius: radius * pixelRatio, width: widths.max() ?? 0)
        add(seen, stroke, widths: widths, pixelRatio: pixelRatio)
    }

    private mutating func add(_ seen: LineMeasure.Seen, edgeCount: Double) {
        nanoseconds += seen.length * edgeCount * MapCost.edgePixel
        bytes += seen.sideCount * MapCost.placeBytes
    }

    private mutating func add(_ seen: LineMeasure.Seen, _ stroke: MapStroke, widths: [Double], pixelRatio: Double) {
        for width in widths {
            let rate = LineMeasure.dashesPerPixel(stroke.dashes.map { $0 * pixelRatio }, width: width)
            let dashes = seen.length * rate
            dashCount += dashes
            nanoseconds += dashes * (MapCost.dash + width * MapCost.dashPixel) / (stroke.cap == .round ? 1 : 3)
            nanoseconds += seen.sideCount * width * MapCost.bendPixel
            add(seen, edgeCount: 2)
        }
    }
}

extension MapStroke {
    /// Of the border, if any, and the line.
    fileprivate var widths: [Double] {
        let border = borderColor == nil || borderWidth <= 0 ? [] : [width + borderWidth * 2]
        return border + (width > 0 ? [width] : [])
    }
}

extension MapOverlay {
    var hasDashes: Bool {
        switch self {
        case .marker: false
        case .path(let path): !path.stroke.dashes.isEmpty
        case .polygon(let polygon): polygon.stroke?.dashes.isEmpty == false
        case .circle(let circle): circle.stroke?.dashes.isEmpty == false
        }
    }
}
