package import MapStyle

/// A tile where a picture shows it: which one, on which copy of the world, and as which level.
package struct PlacedTile: Hashable, Sendable {
    package var id: TileCoordinate
    /// The copy of the world: 0 from -180 to 180 degrees, 1 the next to the east.
    package var wrap: Int
    /// The level that its content stands for: above `id.z` when there are no deeper tiles.
    package var overscaledZ: Int

    /// A tile, by default as what it is.
    package init(id: TileCoordinate, wrap: Int = 0, overscaledZ: Int? = nil) {
        self.id = id
        self.wrap = wrap
        self.overscaledZ = overscaledZ ?? id.z
    }

    /// How many times larger it is drawn than a tile of its level.
    package var overscaleFactor: Double { Trigonometry.powerOfTwo(Double(overscaledZ - id.z)) }
}
