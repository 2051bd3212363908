#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A place on Earth, WGS 84.
package struct LonLat: Equatable, Sendable {
    /// Degrees east, −180…180.
    package var lon: Double
    /// Degrees north, −90…90.
    package var lat: Double

    /// A place from its degrees.
    package init(lon: Double, lat: Double) {
        self.lon = lon
        self.lat = lat
    }
}

/// A place in the square of the projected world: 0…1 from west to east and from north to south.
package struct WorldPoint: Equatable, Sendable {
    package var x: Double
    package var y: Double

    /// A place from its share of the world's width and height.
    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// Spherical Mercator as all web maps use it (EPSG:3857). The only projection function there is.
package enum WebMercator {
    /// The latitude at which the world becomes a square.
    package static let latitudeLimit = 85.051_128_779_806_59

    /// Where `place` lies in the square world; latitudes beyond the limit are held to it.
    package static func project(_ place: LonLat) -> WorldPoint {
        let latitude = max(-latitudeLimit, min(latitudeLimit, place.lat))
        let sine = sin(latitude * .pi / 180)
        let y = 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
        return WorldPoint(x: (place.lon + 180) / 360, y: max(0, min(1, y)))
    }

    /// The place at `point`. The inverse of ``project(_:)``.
    package static func unproject(_ point: WorldPoint) -> LonLat {
        LonLat(lon: point.x * 360 - 180, lat: atan(sinh(.pi * (1 - 2 * point.y))) * 180 / .pi)
    }

    /// The width of the world in CSS pixels: 256 at zoom 0, doubling with each level.
    package static func worldSize(zoom: Double) -> Double {
        let whole = zoom.rounded(.down)
        // Whole levels are exact; only fractions ask the C library for a power.
        return 256 * Double(sign: .plus, exponent: Int(whole), significand: whole == zoom ? 1 : exp2(zoom - whole))
    }
}
