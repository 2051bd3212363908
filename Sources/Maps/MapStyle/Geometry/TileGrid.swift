import Glibc

/// A grid with 8192 units to the side of a tile, from the north-west corner of the world (spherical Mercator).
enum TileGrid {
    static let extent = 8192.0

    /// How far east, `0...1` over the world.
    static func fraction(longitude: Double) -> Double { (180 + longitude) / 360 }

    /// How far south, `0...1` over the world.
    static func fraction(latitude: Double) -> Double {
        (180 - 180 / Double.pi * log(tan(.pi / 4 + latitude * .pi / 360))) / 360
    }

    /// The width of the world at a zoom level.
    static func worldSize(_ z: Int) -> Double { extent * Double(sign: .plus, exponent: z, significand: 1) }

    /// A longitude and latitude in whole units of a zoom level.
    static func place(_ point: PlanePoint, z: Int) -> PlanePoint {
        let size = worldSize(z)
        return PlanePoint(
            x: (fraction(longitude: point.x) * size).rounded(), y: (fraction(latitude: point.y) * size).rounded())
    }

    static func place(_ point: TilePoint, in tile: TileCoordinate) -> PlanePoint {
        PlanePoint(x: point.x + Double(tile.x) * extent, y: point.y + Double(tile.y) * extent)
    }

    /// The longitude and latitude of a point of a tile.
    static func degrees(_ point: TilePoint, in tile: TileCoordinate) -> PlanePoint {
        let size = worldSize(tile.z)
        let place = place(point, in: tile)
        let angle = 180 - place.y / size * 360
        return PlanePoint(x: place.x / size * 360 - 180, y: 360 / .pi * atan(exp(angle * .pi / 180)) - 90)
    }
}

extension TilePoint {
    /// A longitude and latitude in whole units of `tile`.
    package init(longitude: Double, latitude: Double, in tile: TileCoordinate) {
        let place = TileGrid.place(PlanePoint(x: longitude, y: latitude), z: tile.z)
        self.init(x: place.x - Double(tile.x) * TileGrid.extent, y: place.y - Double(tile.y) * TileGrid.extent)
    }
}
