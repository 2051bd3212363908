extension [GeoPlace] {
    /// The line whose sides go the shorter way around the world, beginning between -180 and 180 degrees; its longitudes
    /// go on over the date line. A side of exactly 360 degrees stays: it is an edge of the whole world.
    func unwrapped() -> [GeoPlace] {
        guard let first else { return [] }
        var line = [first.wrapped]
        line.reserveCapacity(count)
        var shift = line[0].longitude - first.longitude
        for (before, place) in zip(self, dropFirst()) {
            let side = place.longitude - before.longitude
            if abs(side) > 180, abs(abs(side) - 360) > 1e-9 { shift -= (side / 360).rounded() * 360 }
            line.append(GeoPlace(rounding: place.longitude + shift, place.latitude))
        }
        return line
    }

    /// The ring without last places that repeat the first: without any, so that it opens to itself.
    fileprivate var opened: [GeoPlace] {
        guard let first else { return self }
        var ring = self
        // A ring around a pole ends 360 degrees from where it began, and needs that place.
        while ring.count > 1, let last = ring.last, first.latitude == last.latitude,
            abs(first.longitude - last.longitude) < 1e-9
        {
            ring.removeLast()
        }
        return ring
    }
}

extension MapPolygon {
    /// Opens the rings, makes their sides go the shorter way, and moves holes to the outer ring's copy of the world.
    static func normalised(_ rings: [[GeoPlace]]) -> [[GeoPlace]] {
        let rings = rings.map { $0.unwrapped().opened }
        guard let outer = rings.first, let first = outer.first else { return rings }
        let longitudes = outer.reduce((first.longitude, first.longitude)) {
            (Swift.min($0.0, $1.longitude), Swift.max($0.1, $1.longitude))
        }
        let middle = GeoPlace(longitude: (longitudes.0 + longitudes.1) / 2, latitude: 0)
        return [outer]
            + rings.dropFirst().map { hole in
                guard let start = hole.first else { return hole }
                let shift = start.unwrapped(after: middle).longitude - start.longitude
                return hole.map { GeoPlace(rounding: $0.longitude + shift, $0.latitude) }
            }
    }
}

extension GeoPlace {
    /// The same place on the copy of the world where it is nearest to `place`.
    package func unwrapped(after place: GeoPlace) -> GeoPlace {
        // Half a turn counts as one, so that the result is its own nearest copy.
        let turns = ((place.longitude - longitude) / 360 + 0.5).rounded(.down)
        return turns == 0 ? self : GeoPlace(longitude: longitude + turns * 360, latitude: latitude)
    }
}
