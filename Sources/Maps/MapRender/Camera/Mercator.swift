import Glibc
package import MapStyle

/// Web Mercator (EPSG:3857) on a world of side 1, from the north-west.
package enum Mercator {
    package static let latitudeLimit = 85.051128779806604
    /// Metres around a sphere with the equator's radius.
    package static let circumference = 2 * Double.pi * 6_378_137
    /// Eastwards, 0 at the antimeridian; not held to the world.
    package static func x(longitude: Double) -> Double { longitude / 360 + 0.5 }
    /// Southwards, 0 in the north; not held to the world.
    package static func y(latitude: Double) -> Double {
        (180 - 180 / .pi * log(tan(.pi / 4 + latitude * .pi / 360))) / 360
    }
    /// Southwards and held to the world, by the formula with which GeoJSON is tiled.
    package static func heldY(latitude: Double) -> Double {
        let sine = sin(latitude * .pi / 180)
        return max(0, min(1, 0.5 - 0.25 * log((1 + sine) / (1 - sine)) / .pi))
    }
    package static func longitude(x: Double) -> Double { x * 360 - 180 }
    package static func latitude(y: Double) -> Double { 360 / .pi * atan(exp((180 - y * 360) * .pi / 180)) - 90 }
}

extension TileCoordinate {
    /// The tile of a place; places beyond the Mercator square are held to it.
    package init(latitude: Double, longitude: Double, z: Int) {
        let side = Double(1 << max(0, min(30, z)))
        func index(_ share: Double) -> Int { Int(max(0, min(side - 1, (share * side).rounded(.down)))) }
        let turns = Mercator.x(longitude: longitude)
        let y = Mercator.y(latitude: max(-Mercator.latitudeLimit, min(Mercator.latitudeLimit, latitude)))
        self.init(z: z, x: index(turns - turns.rounded(.down)), y: index(y))
    }
}
