import MapStyle

/// `text-size` or `icon-size` of a layer in a tile. A size that follows the level is evaluated at the two stops around the
/// tile's level, and what is drawn lies between: the reference keeps just these, even if several stops lie in one level.
struct SymbolSize {
    private let property: PropertyExpression
    private let tileZoom: Double
    /// The stops around the tile's level and how far the picture is between them; nil for sizes that do not follow the level.
    private let stops: (low: Double, high: Double, fraction: Double)?
    private static let limit = 16384.0

    init(_ property: PropertyExpression, tileZoom: Double, zoom: Double) {
        (self.property, self.tileZoom) = (property, tileZoom)
        guard let curve = property.zoomCurve, let first = curve.stops.first else {
            stops = nil
            return
        }
        let low = curve.stops.last { $0 <= tileZoom } ?? first
        let high = curve.stops.first { $0 >= max(low, tileZoom + 1) } ?? curve.stops.last ?? low
        let fraction = curve.interpolation.map { max(0, min(1, $0.fraction(zoom, from: low, to: high))) } ?? 0
        stops = (low, high, fraction)
    }

    func drawn(_ context: EvaluationContext) -> Double {
        guard let stops else { return property.isFeatureConstant ? layout(context) : packed(thisZoom(context)) }
        let low = value(context, at: stops.low)
        let high = value(context, at: stops.high)
        if property.isFeatureConstant { return low + (high - low) * stops.fraction }
        return packed(low) + (packed(high) - packed(low)) * stops.fraction
    }

    /// For collision boxes: a level closer.
    func layout(_ context: EvaluationContext) -> Double { value(context, at: tileZoom + 1) }
    func thisZoom(_ context: EvaluationContext) -> Double { value(context, at: tileZoom) }

    /// At a level that is the same for all tiles.
    func reference(_ context: EvaluationContext) -> Double { value(context, at: 18) }

    private func value(_ context: EvaluationContext, at zoom: Double) -> Double {
        let before = context.zoom
        defer { context.zoom = before }
        context.zoom = zoom
        let size = property.number(context)
        return size.isFinite ? max(0, min(Self.limit, size)) : 0
    }
    // Sizes of features are kept in 128ths, of 15 bits.
    private func packed(_ size: Double) -> Double { min(32767, (size * 128 + 0.5).rounded(.down)) / 128 }
}
