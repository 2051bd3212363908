import Raster

/// A value that grows with the zoom: linear between stops, constant beyond them.
struct ZoomRamp: Sendable {
    private let stops: [(zoom: Double, value: Double)]

    init(_ stops: (zoom: Double, value: Double)...) {
        self.stops = stops
    }

    func value(at zoom: Double) -> Double {
        guard let first = stops.first, zoom > first.zoom else { return stops.first?.value ?? 0 }
        var lower = first
        for upper in stops.dropFirst() {
            if zoom <= upper.zoom {
                let share = (zoom - lower.zoom) / (upper.zoom - lower.zoom)
                return lower.value + (upper.value - lower.value) * share
            }
            lower = upper
        }
        return lower.value
    }
}

/// How a layer draws lines. Lengths are CSS pixels.
struct LinePaint: Sendable {
    var colour: PaintColour
    var width: ZoomRamp
    /// What shows on either side of the width; the line under it is this much wider.
    var casing = ZoomRamp((0, 0))
    var cap = LineCap.butt
    var dashes: [Double] = []

    /// The stroke at a zoom, in units of the canvas.
    func stroke(zoom: Double, scale: Double) -> StrokeStyle {
        let units = scale * 256
        let fullWidth = width.value(at: zoom) + 2 * casing.value(at: zoom)
        return StrokeStyle(
            width: Int32(fullWidth * units + 0.5), cap: cap, join: .round,
            dashes: dashes.map { Int32($0 * units + 0.5) })
    }
}

/// One step of the style: how the features of a bucket are painted, and from which zoom.
struct StyleLayer: Sendable {
    enum Paint: Sendable {
        case fill(PaintColour)
        /// The outlines of areas.
        case outline(LinePaint)
        case line(LinePaint)
    }

    var bucket: FeatureBucket
    /// Of the 256-pixel world; the upper end does not belong to it.
    var zooms: Range<Double>
    var paint: Paint

    /// How far in CSS pixels it reaches over its geometry.
    func reach(zoom: Double) -> Double {
        switch paint {
        case .fill: 0
        case .outline(let line), .line(let line): (line.width.value(at: zoom) + 2 * line.casing.value(at: zoom)) / 2
        }
    }
}
