import Glibc
import Tiles

package struct ExtractArea: Sendable {
    let tiles: TileArea

    /// In degrees; nil unless it is a box that does not cross the antimeridian.
    package init?(west: Double, south: Double, east: Double, north: Double, zooms: ClosedRange<Int>) {
        guard let tiles = TileArea(west: west, south: south, east: east, north: north, zooms: zooms) else { return nil }
        self.tiles = tiles
    }

    /// A square around a place, from its middle to each side; from 0.1 to 1,000 km.
    package init?(latitude: Double, longitude: Double, kilometers: Double, zooms: ClosedRange<Int>) {
        // A degree of latitude.
        let degreeKilometers = 111.32
        guard (0.1...1000).contains(kilometers), (-85...85).contains(latitude) else { return nil }
        let (high, wide) = (kilometers / degreeKilometers, kilometers / degreeKilometers / cos(latitude * .pi / 180))
        self.init(
            west: longitude - wide, south: max(-90, latitude - high), east: longitude + wide,
            north: min(90, latitude + high), zooms: zooms)
    }
}
