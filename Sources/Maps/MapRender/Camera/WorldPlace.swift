import MapStyle

/// A place on the Mercator plane on which the world is a square of side 1, from the north-west.
package struct WorldPlace: Hashable, Sendable {
    /// Eastwards: 0 to 1 on the world of the antimeridian's east side, and on over it.
    package var x: Double
    /// Southwards, 0 in the north.
    package var y: Double

    /// Longitudes beyond so many degrees are held to them.
    private static let longitudeLimit = 3600.0

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The place of a longitude, which may go on over the antimeridian, and a latitude, held to the square.
    package init(longitude: Double, latitude: Double) {
        // The constant comes first: what is not a number gives way to it.
        let longitude = max(-Self.longitudeLimit, min(Self.longitudeLimit, longitude))
        let latitude = max(-Mercator.latitudeLimit, min(Mercator.latitudeLimit, latitude))
        self.init(x: Mercator.x(longitude: longitude), y: max(0, min(1, Mercator.y(latitude: latitude))))
    }
}

extension View {
    /// What the picture shows of the plane, as the rectangle around it; nil for a view that shows nothing of it.
    package var worldBounds: WorldBounds? {
        GroundArea(self).bounds.map { WorldBounds(x: $0.x, y: $0.y) }
    }

    /// From places of the plane, times the extent of a tile, to device pixels.
    var worldProjection: TileProjection { projection(of: PlacedTile(id: TileCoordinate(z: 0, x: 0, y: 0))) }
}
