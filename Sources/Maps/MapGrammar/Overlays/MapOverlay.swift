package import Colors

package struct GeoPlace: Hashable, Sendable {
    /// Degrees east; any number as long as it is finite: paths go on over the date line.
    package var longitude: Double
    /// Degrees north, `-90...90`.
    package var latitude: Double

    package init(longitude: Double, latitude: Double) {
        self.longitude = longitude
        self.latitude = latitude
    }
}

/// Something that is drawn over a map, as asked for; overlays are drawn in their order, the first at the bottom.
///
/// GeoJSON has become these too: features with simplestyle or MapLibre properties are markers, paths and polygons.
package enum MapOverlay: Hashable, Sendable {
    case marker(MapMarker)
    case path(MapPath)
    case polygon(MapPolygon)
    case circle(MapCircle)
}

/// Pins of one kind at one or more places.
package struct MapMarker: Hashable, Sendable {
    /// Which point of the picture lies on the place.
    package enum Anchor: String, CaseIterable, Sendable {
        /// One of the nine points of the box.
        case center, top, bottom, left, right
        case topLeft = "top-left", topRight = "top-right", bottomLeft = "bottom-left", bottomRight = "bottom-right"
    }

    package enum Look: Hashable, Sendable {
        /// A drop-shaped pin in a color with a text of a few characters, a picture of the style's sprite, or a dot in it.
        case pin(Content)
        /// A picture of the library by its id, without a pin.
        case icon(id: String)
    }

    package enum Content: Hashable, Sendable {
        case dot
        case text(String)
        /// A picture of the style's sprite.
        case glyph(String)
    }

    package var look = Look.pin(.dot)
    package var color = Color(red: 0xd6, green: 0x3e, blue: 0x2a)
    /// How high a pin is, and the longer side of an icon, in CSS pixels: 4…256.
    package var size = 36.0
    /// Which point lies on the place: the tip of a pin, the middle of an icon, unless asked for otherwise.
    package var anchor = Anchor.bottom
    /// How far it is moved right and down, in CSS pixels.
    package var offsetX = 0.0
    package var offsetY = 0.0
    package var rotation = 0.0
    /// A name beside it, set like the labels of the map; nil: none.
    package var title: String?
    /// Where: at least one.
    package var places: [GeoPlace]

    package init(places: [GeoPlace]) { self.places = places }
}

package struct MapStroke: Hashable, Sendable {
    package enum Cap: String, CaseIterable, Sendable {
        case butt, round, square
    }

    package enum Join: String, CaseIterable, Sendable {
        case miter, round, bevel
    }

    package var color = Color(red: 0x1f, green: 0x6f, blue: 0xeb)
    /// CSS pixels, 0…100.
    package var width = 4.0
    /// 0…1.
    package var opacity = 1.0
    /// Lengths of dashes and gaps in CSS pixels; empty: none.
    package var dashes: [Double] = []
    package var cap = Cap.round
    package var join = Join.round
    /// The color of a border on both sides; nil: none.
    package var borderColor: Color?
    package var borderWidth = 0.0

    package init() {}
}

package struct MapPath: Hashable, Sendable {
    package var stroke = MapStroke()
    /// What the area between its ends is filled with; nil: not at all.
    package var fill: Color?
    /// Whether it follows the shortest way on the globe.
    package var isGeodesic = false
    /// At least two.
    package var places: [GeoPlace]

    package init(places: [GeoPlace]) { self.places = places }
}

package struct MapPolygon: Hashable, Sendable {
    package var stroke: MapStroke? = MapStroke()
    package var fill = Color(red: 0x1f, green: 0x6f, blue: 0xeb, alpha: 0x40)
    /// Whether its sides follow the shortest way on the globe.
    package var isGeodesic = false
    /// The outer ring, then its holes; each at least three places, not closed.
    package var rings: [[GeoPlace]]

    package init(rings: [[GeoPlace]]) { self.rings = rings }
}

package struct MapCircle: Hashable, Sendable {
    package enum Radius: Hashable, Sendable {
        case metres(Double)
        /// On the picture, in CSS pixels.
        case pixels(Double)
    }

    package var stroke: MapStroke? = MapStroke()
    package var fill = Color(red: 0x1f, green: 0x6f, blue: 0xeb, alpha: 0x40)
    package var center: GeoPlace
    package var radius: Radius

    package init(center: GeoPlace, radius: Radius) {
        self.center = center
        self.radius = radius
    }
}

/// A picture of the library in the size in which a marker shows it.
package struct MapIcon: Hashable {
    package var id: String
    /// The longer side in CSS pixels.
    package var size: Double
}

extension MapMarker {
    /// The picture that it shows in the place of a pin; nil for pins.
    package var icon: MapIcon? {
        if case .icon(let id) = look { MapIcon(id: id, size: size) } else { nil }
    }
}
