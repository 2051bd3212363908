package enum OverlayLimits {
    package static let placeLimit = 20_000  // of all overlays, `point` included
    package static let overlayLimit = 2000  // neighbouring markers that look alike count once
    /// Images of the library in markers; one in two sizes is in memory twice, and counts twice.
    package static let iconLimit = 64
    /// Vertices of all great circles and circles on the ground; further ones are coarser.
    package static let arcVertexLimit = 200_000
    /// Of one `marker`, `path`, `polygon`, `circle`, `point` or `geojson`.
    package static let textByteLimit = 1 << 20
    package static let depthLimit = 32  // of nested arrays and objects of GeoJSON
    package static let labelLimit = 4  // characters of a text in a pin
    package static let labelByteLimit = 64
    package static let titleByteLimit = 200
    package static let glyphByteLimit = 128  // of the name of an image in the sprite
    package static let iconByteLimit = 2048  // of the id of an image of the library
    package static let dashLimit = 8
}
