package import JSON

package enum StyleSource: Equatable, Sendable {
    case vector(TileSource)
    case raster(TileSource)
    case rasterDEM(TileSource, DEMEncoding)
    case geoJSON(GeoJSONSource)
    /// One picture between four corners.
    case image(ImageSource)
    /// A video, which stays blank here.
    case video
}

package struct TileSource: Equatable, Sendable {
    /// The address of a TileJSON document that says the rest.
    package var url: String?
    package var tiles: [String]
    /// West, south, east and north of what there is, in degrees.
    package var bounds: [Double]?
    package var minZoom: Double?
    /// The last level there is; closer views are made from it.
    package var maxZoom: Double?
    /// The side of a tile in pixels at scale 1, if the style says so.
    package var tileSize: Double?
    /// Whether rows are counted from the south.
    package var isTMS: Bool
    /// What names features: the property per source layer, or of all under an empty name.
    package var promoteID: [String: String]
    /// Who has to be named beside a picture of it, as text or HTML.
    package var attribution: String?
}

/// How heights are written in the colors of a picture.
package enum DEMEncoding: Equatable, Sendable {
    case terrarium
    case mapbox
    /// Factors of red, green and blue, and what is taken off their sum.
    case custom(red: Double, green: Double, blue: Double, base: Double)
}

/// GeoJSON and how it is cut into tiles.
package struct GeoJSONSource: Equatable, Sendable {
    /// An object, or a string that is an address.
    package var data: JSONValue
    /// The last level that is cut; closer views are made from it.
    package var maxZoom: Double
    /// How far tiles reach over their sides, where 512 is a tile.
    package var buffer: Double
    package var tolerance: Double
    /// Which features count; compiled by whom it concerns.
    package var filter: JSONValue?
    package var isClustered: Bool
    /// How near, where 512 is a tile.
    package var clusterRadius: Double
    /// The last level with clusters; nil is one before ``maxZoom``.
    package var clusterMaxZoom: Double?
    package var clusterMinPoints: Int
    package var clusterProperties: OrderedObject<JSONValue>
    /// Whether lines know how far along they are.
    package var hasLineMetrics: Bool
    package var generatesIDs: Bool
    /// The property that names features.
    package var promoteID: String?
    /// Who has to be named beside a picture of it, as text or HTML.
    package var attribution: String?
}

package struct ImageSource: Equatable, Sendable {
    package var url: String
    /// Longitude and latitude of the corners, from the top left clockwise.
    package var corners: [[Double]]
}
