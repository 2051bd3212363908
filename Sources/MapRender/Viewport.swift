/// What part of the world a picture shows, and how large.
package struct Viewport: Equatable, Sendable {
    /// The largest zoom.
    package static let zoomLimit = 24.0
    /// The longest side in CSS pixels, and in device pixels: 64 MiB of pixels at most, as much as a worker may hold. The one
    /// limit for maps; `/map` tells it to callers.
    package static let sideLimit = 4096

    /// The place in the middle of the picture.
    package let centre: LonLat
    /// Of the 256-pixel world, 0…24.
    package let zoom: Double
    /// CSS pixels.
    package let widthPx: Int
    /// CSS pixels.
    package let heightPx: Int
    /// Device pixels per CSS pixel, 0.5…4.
    package let scale: Double

    /// A viewport of valid values. Throws `viewportOutOfRange` with the first value that is not.
    package init(centre: LonLat, zoom: Double, widthPx: Int, heightPx: Int, scale: Double = 1) throws(MapError) {
        guard centre.lat.magnitude <= 90 else { throw .viewportOutOfRange(.latitude) }
        guard centre.lon.magnitude <= 180 else { throw .viewportOutOfRange(.longitude) }
        guard zoom >= 0, zoom <= Self.zoomLimit else { throw .viewportOutOfRange(.zoom) }
        guard scale >= 0.5, scale <= 4 else { throw .viewportOutOfRange(.scale) }
        for (side, field) in [(widthPx, MapError.ViewportField.width), (heightPx, .height)] {
            guard (1...Self.sideLimit).contains(side), (Double(side) * scale).rounded() <= Double(Self.sideLimit)
            else { throw .viewportOutOfRange(field) }
        }
        self.centre = centre
        self.zoom = zoom
        self.widthPx = widthPx
        self.heightPx = heightPx
        self.scale = scale
    }

    /// The width of the picture in device pixels.
    package var outputWidthPx: Int { max(1, Int((Double(widthPx) * scale).rounded())) }
    /// The height of the picture in device pixels.
    package var outputHeightPx: Int { max(1, Int((Double(heightPx) * scale).rounded())) }
}
