package import Parameters

/// The part of the Earth that a map shows.
package enum MapPlacement: Hashable, Sendable {
    /// How much a map shows around its centre.
    package enum Reach: Hashable, Sendable {
        /// As close as the source has detail, at most level 14.
        case automatic
        /// Of the 256-pixel world, `0...24`.
        case zoom(PlainDecimal)
        /// Degrees that must be visible.
        case span(latitude: PlainDecimal, longitude: PlainDecimal)
        /// Metres of ground through the centre that must be visible.
        case metres(width: PlainDecimal, height: PlainDecimal?)
    }

    package enum Clip: String, CaseIterable, Sendable {
        /// The image contains the box.
        case outside
        /// The box contains the image.
        case inside
    }

    case center(latitude: PlainDecimal, longitude: PlainDecimal, Reach)
    /// Degrees; a west greater than the east crosses the date line.
    case box(west: PlainDecimal, south: PlainDecimal, east: PlainDecimal, north: PlainDecimal, Clip)
    /// All overlays, no closer than a level of the 256-pixel world.
    case overlays(maxZoom: PlainDecimal)
}

/// The margin between the sides of a map and the area asked for, in CSS pixels.
package struct MapPadding: Hashable, Sendable {
    package var top = 0
    package var right = 0
    package var bottom = 0
    package var left = 0
}
