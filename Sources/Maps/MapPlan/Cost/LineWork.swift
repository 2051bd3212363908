import MapGrammar
import MapRender

/// The cost of stroking and filling lines, by the visible part.
struct LineWork {
    private(set) var dashCount = 0.0
    private(set) var nanoseconds = 0.0
    private(set) var bytes = 0.0
    /// Sides that were projected.
    private(set) var measuredCount = 0
    /// How often a side is drawn on average, at least once: on each copy of the world that shows it.
    private(set) var repeats = 1.0

    /// Lines on the ground. Ends early where there are more dashes than `dashesLeft`.
    init(
        _ parts: [DrawnLine.Part], _ stroke: MapStroke?, isFilled: Bool, pixelRatio: Double, measure: LineMeasure,
        dashesLeft: Double
    ) {
        let widths = stroke?.widths.map { $0 * pixelRatio } ?? []
        let rate = widths.reduce(0) { $0 + (stroke?.dashesPerPixel(width: $1, pixelRatio) ?? 0) }
        let seen = measure.seen(
            parts, width: widths.max() ?? 0, upTo: rate > 0 ? dashesLeft / rate : .infinity)
        measuredCount = seen.projectedCount
        if seen.wholeCount > 0 { repeats = max(1, Double(seen.projectedCount) / Double(seen.wholeCount)) }
        nanoseconds = Double(seen.copiedCount * (widths.count + (isFilled ? 1 : 0))) * MapCost.copiedPlace
        if isFilled { add(seen, edgeCount: 1) }
        if let stroke { add(seen, stroke, widths: widths, pixelRatio: pixelRatio) }
    }

    /// Circles of `radius` CSS pixels around points of the canvas.
    init(
        around anchors: [ScreenPoint], radius: Double, _ stroke: MapStroke?, pixelRatio: Double, measure: LineMeasure
    ) {
        guard let stroke else { return }
        let widths = stroke.widths.map { $0 * pixelRatio }
        let seen = measure.seen(around: anchors, radius: radius * pixelRatio, width: widths.max() ?? 0)
        measuredCount = seen.projectedCount
        add(seen, stroke, widths: widths, pixelRatio: pixelRatio)
    }

    private mutating func add(_ seen: LineMeasure.Seen, edgeCount: Double) {
        nanoseconds += seen.length * edgeCount * MapCost.edgePixel
        bytes += seen.sideCount * MapCost.placeBytes
    }

    private mutating func add(_ seen: LineMeasure.Seen, _ stroke: MapStroke, widths: [Double], pixelRatio: Double) {
        for width in widths {
            let dashes = seen.length * stroke.dashesPerPixel(width: width, pixelRatio)
            dashCount += dashes
            nanoseconds += dashes * (MapCost.dash + width * MapCost.dashPixel) / (stroke.cap == .round ? 1 : 3)
            nanoseconds += seen.sideCount * width * MapCost.bendPixel
            add(seen, edgeCount: 2)
        }
    }
}

extension MapStroke {
    /// Of the border, if any, and the line.
    var widths: [Double] {
        let border = borderColor == nil || borderWidth <= 0 ? [] : [width + borderWidth * 2]
        return border + (width > 0 ? [width] : [])
    }

    /// Of one of these; the pixels and the width are those of the device.
    fileprivate func dashesPerPixel(width: Double, _ pixelRatio: Double) -> Double {
        LineMeasure.dashesPerPixel(dashes.map { $0 * pixelRatio }, width: width)
    }
}
