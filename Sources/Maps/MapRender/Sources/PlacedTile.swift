package import MapStyle

package struct PlacedTile: Hashable, Sendable {
    package var id: TileCoordinate
    /// The copy of the world: 0 from -180 to 180 degrees, 1 the next to the east.
    package var wrap: Int
    /// The level that its content stands for: above `id.z` when there are no deeper tiles.
    package var overscaledZ: Int

    package init(id: TileCoordinate, wrap: Int = 0, overscaledZ: Int? = nil) {
        (self.id, self.wrap) = (id, wrap)
        self.overscaledZ = overscaledZ ?? id.z
    }

    /// How many times larger than its own level it is drawn.
    package var overscaleFactor: Double { Trigonometry.powerOfTwo(Double(overscaledZ - id.z)) }
}
