import MapStyle

// A size that follows the level is worked out at the two stops around the tile's level, and what is drawn lies between these
// two, as in the reference, which keeps just them: where several stops lie within one level, that is not the same.

/// `text-size` or `icon-size` of a layer in a tile.
struct SymbolSize {
    private let property: PropertyExpression
    private let tileZoom: Double
    /// The stops around the tile's level and how far the picture is from the one to the other; nil for sizes that do not
    /// follow the level.
    private let stops: (low: Double, high: Double, fraction: Double)?

    /// The size of a layer in tiles of a level, in a picture at `zoom`.
    init(_ property: PropertyExpression, tileZoom: Double, zoom: Double) {
        self.property = property
        self.tileZoom = tileZoom
        guard let curve = property.zoomCurve, let first = curve.stops.first else {
            stops = nil
            return
        }
        let low = curve.stops.last { $0 <= tileZoom } ?? first
        let high = curve.stops.first { $0 >= max(low, tileZoom + 1) } ?? curve.stops.last ?? low
        let fraction = curve.interpolation.map { max(0, min(1, $0.fraction(zoom, from: low, to: high))) } ?? 0
        stops = (low, high, fraction)
    }

    /// The size at the level of the picture, for the feature of `context`.
    func drawn(_ context: EvaluationContext) -> Double {
        guard let stops else { return property.isFeatureConstant ? layout(context) : packed(thisZoom(context)) }
        let low = value(context, at: stops.low)
        let high = value(context, at: stops.high)
        if property.isFeatureConstant { return low + (high - low) * stops.fraction }
        return packed(low) + (packed(high) - packed(low)) * stops.fraction
    }

    /// The size that collision boxes are made for: a level closer.
    func layout(_ context: EvaluationContext) -> Double { value(context, at: tileZoom + 1) }

    /// The size at the tile's level.
    func thisZoom(_ context: EvaluationContext) -> Double { value(context, at: tileZoom) }

    /// The size at a level that is the same for all tiles.
    func reference(_ context: EvaluationContext) -> Double { value(context, at: 18) }

    private func value(_ context: EvaluationContext, at zoom: Double) -> Double {
        let before = context.zoom
        defer { context.zoom = before }
        context.zoom = zoom
        let size = property.number(context)
        return size.isFinite ? max(0, min(Self.limit, size)) : 0
    }

    /// The largest size.
    private static let limit = 16384.0

    // The sizes of features are kept in 128ths, of 15 bits.
    private func packed(_ size: Double) -> Double { min(32767, (size * 128 + 0.5).rounded(.down)) / 128 }
}
