package import MapStyle

/// The part of the world that a set of tiles covers.
package struct TileBounds: Sendable {
    /// On a world of side 1, from the north-west.
    private let west: Double, north: Double, east: Double, south: Double

    /// From west, south, east and north in degrees; anything but four numbers is the whole world.
    package init(_ degrees: [Double]?) {
        guard let degrees, degrees.count == 4, degrees.allSatisfy(\.isFinite) else {
            (west, north, east, south) = (0, -.infinity, 1, .infinity)
            return
        }
        west = Mercator.x(longitude: max(-180, degrees[0]))
        south = Mercator.y(latitude: max(-90, degrees[1]))
        east = Mercator.x(longitude: min(180, degrees[2]))
        north = Mercator.y(latitude: min(90, degrees[3]))
    }

    /// Whether a tile lies there, be it in part.
    package func contains(_ tile: TileCoordinate) -> Bool {
        let side = Trigonometry.powerOfTwo(Double(tile.z))
        let (x, y) = (Double(tile.x), Double(tile.y))
        return x >= (west * side).rounded(.down) && x < (east * side).rounded(.up)
            && y >= (north * side).rounded(.down) && y < (south * side).rounded(.up)
    }
}
