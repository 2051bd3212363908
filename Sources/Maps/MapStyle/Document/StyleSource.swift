package import JSON

package enum StyleSource: Equatable, Sendable {
    case vector(TileSource)
    case raster(TileSource)
    case rasterDEM(TileSource, DEMEncoding)
    case geoJSON(GeoJSONSource)
    case image(ImageSource)
    /// Not drawn.
    case video
}

package struct TileSource: Equatable, Sendable {
    package var url: String?
    package var tiles: [String]
    /// West, south, east and north in degrees.
    package var bounds: [Double]?
    package var minZoom: Double?
    /// The last level; closer views are drawn from it.
    package var maxZoom: Double?
    /// The side of a tile in pixels at scale 1.
    package var tileSize: Double?
    /// Whether rows are counted from the south.
    package var isTMS: Bool
    /// The property that is a feature's id, by source layer; under an empty name for all.
    package var promoteID: [String: String]
    /// Text or HTML.
    package var attribution: String?
}

/// How the colors of an image encode heights.
package enum DEMEncoding: Equatable, Sendable {
    case terrarium
    case mapbox
    /// Factors of red, green and blue, and what is subtracted from their sum.
    case custom(red: Double, green: Double, blue: Double, base: Double)
}

/// GeoJSON and how it is cut into tiles.
package struct GeoJSONSource: Equatable, Sendable {
    /// An object, or a string that is an address.
    package var data: JSONValue
    /// The last level; closer views are drawn from it.
    package var maxZoom: Double
    /// How far tiles extend beyond their sides; a tile has 512.
    package var buffer: Double
    package var tolerance: Double
    package var filter: JSONValue?
    package var isClustered: Bool
    package var clusterRadius: Double
    /// The last level with clusters; nil for the one before ``maxZoom``.
    package var clusterMaxZoom: Double?
    package var clusterMinPoints: Int
    package var clusterProperties: OrderedObject<JSONValue>
    package var hasLineMetrics: Bool
    package var generatesIDs: Bool
    package var promoteID: String?
    /// Text or HTML.
    package var attribution: String?
}

package struct ImageSource: Equatable, Sendable {
    package var url: String
    /// Longitude and latitude of the corners, from the top left clockwise.
    package var corners: [[Double]]
}
