/// Where a map is looked at from, as MapLibre counts: zoom levels of a world of 512 pixels.
package struct Camera: Equatable, Sendable {
    /// Degrees east of Greenwich of the middle of the picture; any number, the world goes on around.
    package var longitude: Double
    /// Degrees north of the equator of the middle, held to the Mercator square.
    package var latitude: Double
    /// The level: at 0 the world is 512 CSS pixels wide. `0...24`.
    package var zoom: Double
    /// Degrees clockwise from north that point up.
    package var bearing = 0.0
    /// Degrees of tilt; 0 looks straight down.
    package var pitch = 0.0
    /// Degrees that the picture is turned clockwise.
    package var roll = 0.0
    /// Degrees of the vertical angle of view.
    package var fieldOfView = 36.86989764584402
    /// CSS pixels.
    package var width: Double, height: Double
    /// Device pixels of a CSS pixel.
    package var pixelRatio = 1.0

    /// A view from straight above, north up.
    package init(longitude: Double, latitude: Double, zoom: Double, width: Double, height: Double) {
        self.longitude = longitude
        self.latitude = latitude
        self.zoom = zoom
        self.width = width
        self.height = height
    }

    /// A view from straight above of a place given as shares of the Mercator square, from the north-west.
    package init(worldX: Double, worldY: Double, zoom: Double, width: Double, height: Double) {
        self.init(
            longitude: Mercator.longitude(x: worldX), latitude: Mercator.latitude(y: worldY), zoom: zoom, width: width,
            height: height)
    }

    /// Device pixels.
    package var widthPx: Int { Int(width * pixelRatio) }
    /// Device pixels.
    package var heightPx: Int { Int(height * pixelRatio) }
    /// Whether the picture is a plan: no tilt.
    package var isFlat: Bool { pitch == 0 }
    /// The level that tiles are chosen by.
    package var tileZoom: Int { max(0, Int(zoom.rounded(.down))) }
}
