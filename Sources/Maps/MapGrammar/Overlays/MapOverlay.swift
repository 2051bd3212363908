package import Bytes
package import Colors

package struct GeoPlace: Hashable, Sendable {
    /// Degrees east, any finite number: paths go on over the date line.
    package var longitude: Double
    /// Degrees north, `-90...90`.
    package var latitude: Double

    package init(longitude: Double, latitude: Double) {
        self.longitude = longitude
        self.latitude = latitude
    }
}

/// Something drawn over a map; the first is at the bottom, and markers lie over all others. GeoJSON becomes markers, paths,
/// polygons and circles.
package enum MapOverlay: Hashable, Sendable {
    case marker(MapMarker)
    case path(MapPath)
    case polygon(MapPolygon)
    case circle(MapCircle)
}

/// Pins of one kind at one or more places.
package struct MapMarker: Hashable, Sendable {
    /// Which point of the pin or icon lies on the place.
    package enum Anchor: String, CaseIterable, Sendable {
        case center, top, bottom, left, right
        case topLeft = "top-left", topRight = "top-right", bottomLeft = "bottom-left", bottomRight = "bottom-right"
    }

    package enum Look: Hashable, Sendable {
        /// A drop-shaped pin with something in it.
        case pin(Content)
        /// An image of the library, without a pin.
        case icon(id: String)
    }

    package enum Content: Hashable, Sendable {
        case dot
        case text(String)
        /// An image of the style's sprite.
        case glyph(String)
    }

    package var look = Look.pin(.dot)
    package var color = Color(red: 0xd6, green: 0x3e, blue: 0x2a)
    /// The height of a pin, or the longer side of an icon, in CSS pixels: 4…256.
    package var size = 36.0
    package var anchor = Anchor.bottom
    /// To the right and down, in CSS pixels.
    package var offsetX = 0.0
    package var offsetY = 0.0
    package var rotation = 0.0
    /// A name beside it, drawn like the labels of the map.
    package var title: String?
    package var titleLook = TitleLook()
    /// At least one.
    package var places: [GeoPlace]
}

/// How the name of a marker is drawn.
package struct TitleLook: Hashable, Sendable {
    /// A rounded box behind the name.
    package struct Plate: Hashable, Sendable {
        package var color: Color
        /// CSS pixels at the left and right, 0…50; half of it above and below.
        package var padding = 5.0
        /// CSS pixels of the corners, 0…100, at most half of the height.
        package var radius = 4.0
    }

    /// When nil, one that can be read.
    package var color: Color?
    package var plate: Plate?
}

package struct MapStroke: Hashable, Sendable {
    package enum Cap: String, CaseIterable, Sendable { case butt, round, square }

    package enum Join: String, CaseIterable, Sendable { case miter, round, bevel }

    package var color = Color(red: 0x1f, green: 0x6f, blue: 0xeb)
    /// CSS pixels, 0…100.
    package var width = 4.0
    /// 0…1.
    package var opacity = 1.0
    /// Lengths of dashes and gaps in CSS pixels.
    package var dashes: [Double] = []
    package var cap = Cap.round
    package var join = Join.round
    package var borderColor: Color?
    package var borderWidth = 0.0
}

package struct MapPath: Hashable, Sendable {
    package var stroke = MapStroke()
    /// Fills the area that a line from its end to its start would close.
    package var fill: Color?
    /// Whether it follows the shortest way on the globe.
    package var isGeodesic = false
    /// At least two.
    package var places: [GeoPlace]
}

package struct MapPolygon: Hashable, Sendable {
    package var stroke: MapStroke? = MapStroke()
    package var fill = Color(red: 0x1f, green: 0x6f, blue: 0xeb, alpha: 0x40)
    /// Whether its sides follow the shortest way on the globe.
    package var isGeodesic = false
    /// The outer ring, then its holes; each at least three places, not closed.
    package var rings: [[GeoPlace]]
}

package struct MapCircle: Hashable, Sendable {
    package enum Radius: Hashable, Sendable {
        case metres(Double)
        case pixels(Double)
    }

    package var stroke: MapStroke? = MapStroke()
    package var fill = Color(red: 0x1f, green: 0x6f, blue: 0xeb, alpha: 0x40)
    package var center: GeoPlace
    package var radius: Radius
}

/// An image of the library, in the size in which a marker shows it.
package struct MapIcon: Hashable {
    package var id: ExactText
    /// The longer side in CSS pixels.
    package var size: Double
}

extension MapMarker {
    package var icon: MapIcon? { if case .icon(let id) = look { MapIcon(id: ExactText(id), size: size) } else { nil } }
}
