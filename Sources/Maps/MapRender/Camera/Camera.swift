/// Where a map is looked at from, with the zoom levels of MapLibre: a world of 512 pixels.
package struct Camera: Equatable, Sendable {
    /// Degrees east of the middle of the picture; any number, the world goes on around.
    package var longitude: Double
    /// Degrees north of the middle, held to the Mercator square.
    package var latitude: Double
    /// At 0 the world is 512 CSS pixels wide. `0...24`.
    package var zoom: Double
    /// Degrees clockwise from north that point up.
    package var bearing = 0.0
    /// Degrees; 0 looks straight down.
    package var pitch = 0.0
    package var roll = 0.0
    /// Degrees, vertical.
    package var fieldOfView = 36.86989764584402
    /// CSS pixels.
    package var width: Double, height: Double
    package var pixelRatio = 1.0

    package init(longitude: Double, latitude: Double, zoom: Double, width: Double, height: Double) {
        (self.longitude, self.latitude, self.zoom, self.width) = (longitude, latitude, zoom, width)
        self.height = height
    }

    /// A place given as shares of the Mercator square, from the north-west.
    package init(worldX: Double, worldY: Double, zoom: Double, width: Double, height: Double) {
        self.init(
            longitude: Mercator.longitude(x: worldX), latitude: Mercator.latitude(y: worldY), zoom: zoom, width: width,
            height: height)
    }

    package var widthPx: Int { Int(width * pixelRatio) }
    package var heightPx: Int { Int(height * pixelRatio) }
    package var isFlat: Bool { pitch == 0 }
    package var tileZoom: Int { max(0, Int(zoom.rounded(.down))) }
}
