package import Parameters

/// Which part of the Earth a map shows, one of three ways.
package enum MapPlacement: Hashable, Sendable {
    /// How much there is to see around a centre.
    package enum Reach: Hashable, Sendable {
        /// As deep as the source has detail there, at most level 14.
        case automatic
        /// A level of the 256-pixel world, `0...24`.
        case zoom(PlainDecimal)
        /// Degrees of latitude and longitude, centred, that must be visible.
        case span(latitude: PlainDecimal, longitude: PlainDecimal)
        /// Metres of ground along the sides of the picture, through the centre, that must be visible; no height: of the
        /// width alone.
        case metres(width: PlainDecimal, height: PlainDecimal?)
    }

    /// What of a box is to be seen.
    package enum Clip: String, CaseIterable, Sendable {
        /// All of it, and more where the picture has another shape.
        case outside
        /// Nothing else, and not all of it where the picture has another shape.
        case inside
    }

    /// Around a place: degrees north and east.
    case center(latitude: PlainDecimal, longitude: PlainDecimal, Reach)
    /// A box in degrees; its west is greater than its east where it crosses the date line.
    case box(west: PlainDecimal, south: PlainDecimal, east: PlainDecimal, north: PlainDecimal, Clip)
    /// Everything that lies over the map, no closer than a level of the 256-pixel world.
    case overlays(maxZoom: PlainDecimal)
}

/// Room at the sides of a picture that what is asked for keeps clear of, in CSS pixels.
package struct MapPadding: Hashable, Sendable {
    package var top = 0
    package var right = 0
    package var bottom = 0
    package var left = 0

    package init() {}

    init(all room: Int) { (top, right, bottom, left) = (room, room, room, room) }
}
