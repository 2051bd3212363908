/// How much may lie over one map.
package enum OverlayLimits {
    /// Places of all overlays of a request, `point` included.
    package static let placeLimit = 20_000
    /// Markers, paths, polygons and circles of a request; neighbouring markers of equal looks count once.
    package static let overlayLimit = 2000
    /// Pictures of the library that markers show; one in two sizes counts twice, for each is a picture in memory.
    package static let iconLimit = 64
    /// Vertices that sides along great circles and circles on the ground become, all together; further ones are coarser.
    package static let arcVertexLimit = 200_000
    /// Bytes of one `marker`, `path`, `polygon`, `circle`, `point` or `geojson`.
    package static let textByteLimit = 1 << 20
    /// Arrays and objects of GeoJSON inside each other.
    package static let depthLimit = 32
    /// Characters of a text in a pin.
    package static let labelLimit = 4
    /// Bytes of a text in a pin.
    package static let labelByteLimit = 64
    package static let titleByteLimit = 200
    /// Bytes of the name of a picture in the style's sprite.
    package static let glyphByteLimit = 128
    /// Bytes of the id of a picture of the library.
    package static let iconByteLimit = 2048
    package static let dashLimit = 8
}
