import MapStyle

/// A place on the Mercator plane: the world is a square of side 1, from the north-west.
package struct WorldPlace: Hashable, Sendable {
    /// Eastwards; goes on over the antimeridian.
    package var x: Double
    package var y: Double

    private static let longitudeLimit = 3600.0

    package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

    /// The longitude may go on over the antimeridian; the latitude is held to the square.
    package init(longitude: Double, latitude: Double) {
        // The constant comes first: what is not a number gives way to it.
        let longitude = max(-Self.longitudeLimit, min(Self.longitudeLimit, longitude))
        let latitude = max(-Mercator.latitudeLimit, min(Mercator.latitudeLimit, latitude))
        self.init(x: Mercator.x(longitude: longitude), y: max(0, min(1, Mercator.y(latitude: latitude))))
    }
}

extension View {
    package var worldBounds: WorldBounds? { GroundArea(self).bounds.map { WorldBounds(x: $0.x, y: $0.y) } }

    /// From places of the plane, times the extent of a tile.
    var worldProjection: TileProjection { projection(of: PlacedTile(id: TileCoordinate(z: 0, x: 0, y: 0))) }
}
