import MapStyle

/// How GeoJSON is cut into tiles: the options of a source in the units of tiles, 8192 to the side.
struct GeoJSONOptions: Hashable {
    /// Units of a tile's side.
    static let extent = Double(FeatureLayer.extent)
    /// The options of styles count 512 to the side of a tile.
    private static let unitsPerPixel = extent / 512

    /// The last level that is cut.
    var maxZoom: Int
    /// How far tiles reach over their sides, in sides.
    var buffer: Double
    /// How far lines may be off at level 0, in sides.
    var tolerance: Double
    /// Whether lines know how far along they are.
    var hasLineMetrics: Bool
    /// Whether features are given ids by their order.
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

/// Why GeoJSON draws nothing.
enum GeoJSONError: Error, Equatable {
    case malformed
    /// The picture is no longer wanted.
    case cancelled
}
