import MapStyle

/// How GeoJSON is cut into tiles. Styles count 512 units to the side of a tile, tiles have 8192.
struct GeoJSONOptions: Hashable {
    static let extent = Double(FeatureLayer.extent)
    private static let unitsPerPixel = extent / 512

    var maxZoom: Int
    /// Reach of tiles over their sides, in sides.
    var buffer: Double
    /// Of lines at level 0, in sides.
    var tolerance: Double
    var hasLineMetrics: Bool
    var generatesIDs: Bool

    init(_ source: GeoJSONSource) {
        maxZoom = source.maxZoom >= 0 ? Int(min(source.maxZoom, 24)) : 0
        buffer = max(0, min(1, source.buffer / 512))
        let tolerance = source.tolerance > 0 ? min(source.tolerance, 1e6) : 0.375
        self.tolerance = tolerance * Self.unitsPerPixel / Self.extent
        hasLineMetrics = source.hasLineMetrics
        generatesIDs = source.generatesIDs
    }
}

enum GeoJSONError: Error, Equatable {
    case malformed
    /// ``GeoLimits``.
    case tooManyProperties(limit: Int)
    case cancelled
}
