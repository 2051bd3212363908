package import MapStyle

package struct TileBounds: Sendable {
    /// On a world of side 1, from the north-west; the east is beyond 1 if the part crosses the date line.
    private let west: Double, north: Double, east: Double, south: Double

    /// Degrees, west, south, east, north; anything else is the world. A west beyond the east crosses the date line.
    package init(_ degrees: [Double]?) {
        guard let degrees, degrees.count == 4, degrees.allSatisfy(\.isFinite) else {
            (west, north, east, south) = (0, -.infinity, 1, .infinity)
            return
        }
        let (first, last) = (max(-180, min(180, degrees[0])), max(-180, min(180, degrees[2])))
        west = Mercator.x(longitude: first)
        south = Mercator.y(latitude: max(-90, degrees[1]))
        east = Mercator.x(longitude: last) + (first > last ? 1 : 0)
        north = Mercator.y(latitude: min(90, degrees[3]))
    }

    /// Archives that say 85 degrees, or 179.9, mean the edge of the world.
    private static let slack = (x: 0.1 / 360, y: Mercator.y(latitude: 85))

    var area: WorldBounds? {
        let isOverDateLine = east > 1
        let (left, right) = (west <= Self.slack.x ? 0 : west, east >= 1 - Self.slack.x && !isOverDateLine ? 1 : east)
        let (top, bottom) = (north <= Self.slack.y ? 0 : north, south >= 1 - Self.slack.y ? 1 : south)
        return left < right && top < bottom ? WorldBounds(x: left...right, y: top...bottom) : nil
    }

    /// On any turn of the longitude; the date line is the edge of both its sides.
    package func contains(latitude: Double, longitude: Double) -> Bool {
        guard let area else { return false }
        let place = WorldPlace(longitude: longitude, latitude: latitude)
        let x = place.x - place.x.rounded(.down)
        return (area.x.contains(x) || area.x.contains(x + 1)) && area.y.contains(place.y)
    }

    package func contains(_ tile: TileCoordinate) -> Bool {
        let side = Trigonometry.powerOfTwo(Double(tile.z))
        let (x, y) = (Double(tile.x), Double(tile.y))
        let columns = (west * side).rounded(.down)..<max((west * side).rounded(.down), (east * side).rounded(.up))
        return (columns.contains(x) || columns.contains(x + side))
            && y >= (north * side).rounded(.down) && y < (south * side).rounded(.up)
    }
}
