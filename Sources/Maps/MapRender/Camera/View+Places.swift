import Raster

package struct GroundPlace: Hashable, Sendable {
    /// Degrees east, -180 to 180.
    package var longitude: Double
    package var latitude: Double

    package init(longitude: Double, latitude: Double) { (self.longitude, self.latitude) = (longitude, latitude) }
}

/// A box in degrees; its west is greater than its east where it crosses the date line.
package struct GroundBounds: Hashable, Sendable {
    package var west: Double
    package var south: Double
    package var east: Double
    package var north: Double

    package init(west: Double, south: Double, east: Double, north: Double) {
        (self.west, self.south, self.east, self.north) = (west, south, east, north)
    }

    package var width: Double { east - west + (west > east ? 360 : 0) }

    package var middle: GroundPlace {
        let longitude = west + width / 2
        return GroundPlace(longitude: longitude > 180 ? longitude - 360 : longitude, latitude: (south + north) / 2)
    }
}

// Pixels are those of the picture: device pixels, from its top left corner. CSS pixels are these divided by `pixelRatio`.
extension View {
    /// On or beside the picture, in the nearest copy of the world; nil behind the eye. Latitudes are held to the square.
    package func point(of place: GroundPlace) -> ScreenPoint? {
        let x = Mercator.x(longitude: max(-1e9, min(1e9, place.longitude)))
        let latitude = max(-Mercator.latitudeLimit, min(Mercator.latitudeLimit, place.latitude))
        let fromMiddle = x - center.x / worldSize
        let east = (fromMiddle - fromMiddle.rounded()) * worldSize
        return point(x: east, y: Mercator.y(latitude: latitude) * worldSize - center.y)
    }

    /// The ground under a point of the picture; nil above the horizon and beyond the ends of the world.
    package func place(at point: ScreenPoint) -> GroundPlace? {
        guard let offset = groundOffset(at: point) else { return nil }
        let y = (center.y + offset.y) / worldSize
        guard y > -1e-12, y < 1 + 1e-12 else { return nil }
        let x = (center.x + offset.x) / worldSize
        return GroundPlace(
            longitude: Mercator.longitude(x: x - x.rounded(.down)), latitude: Mercator.latitude(y: max(0, min(1, y))))
    }

    /// From the middle of the view to the ground under a point, in CSS pixels of the world; nil above the horizon.
    package func groundOffset(at point: ScreenPoint) -> ScreenPoint? {
        let local = localProjection
        if camera.isFlat {
            guard local.a * local.d - local.b * local.c != 0 else { return nil }
            return local.flatOffset(point.x - local.tx, point.y - local.ty)
        }
        guard let ground = local.groundMapping else { return nil }
        let place = SIMD3(point.x, point.y, 1)
        let inverseDistance = (ground.inverseDistance * place).sum()
        guard inverseDistance * cameraToCenterDistance > 1e-6 else { return nil }
        return ScreenPoint(x: (ground.s * place).sum() / inverseDistance, y: (ground.t * place).sum() / inverseDistance)
    }

    package var bounds: GroundBounds {
        let area = GroundArea(self)
        let (west, east) = area.range(x: 1, y: 0)
        let (north, south) = area.range(x: 0, y: 1)
        guard west <= east, north <= south, east - west < 1 else {
            let isKnown = north <= south
            return GroundBounds(
                west: -180, south: Mercator.latitude(y: isKnown ? max(0, min(1, south)) : 1), east: 180,
                north: Mercator.latitude(y: isKnown ? max(0, min(1, north)) : 0))
        }
        return GroundBounds(
            west: Mercator.longitude(x: west - west.rounded(.down)), south: Mercator.latitude(y: max(0, min(1, south))),
            east: Mercator.longitude(x: east - (east.rounded(.up) - 1)),
            north: Mercator.latitude(y: max(0, min(1, north))))
    }

    package var metresPerPixel: Double {
        let latitude = Trigonometry.radians(Mercator.latitude(y: max(0, min(1, center.y / worldSize))))
        return Mercator.circumference * Trigonometry.sineAndCosine(latitude).cosine / worldSize
    }

    private var localProjection: TileProjection {
        TileProjection(view: self, originX: center.x, originY: center.y, scale: 1)
    }

    private func point(x: Double, y: Double) -> ScreenPoint? {
        let local = localProjection
        if camera.isFlat { return local.point(x, y) }
        let (place, w) = local.perspectivePoint(x, y, 0)
        return w > 0 ? place : nil
    }
}
