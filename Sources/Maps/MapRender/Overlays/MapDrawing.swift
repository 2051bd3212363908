// What is drawn over a style is given by its shape on the ground and drawn through the same projection as the map, not through
// tiles: places are exact at every zoom level, dashes run on over the sides of tiles, and crossings of a translucent line are
// painted once.

package import Colors
package import Raster

/// Something drawn over a map beside its style.
package enum MapDrawing: Sendable {
    case area(DrawnArea)
    case line(DrawnLine)
    /// Something that stands upright at places, as large whatever the view.
    case marker(DrawnMarker)
}

/// Rings on the ground that are filled as one shape, so that its copies around the world leave no seam.
package struct DrawnArea: Sendable {
    /// The rings: outer ones run one way, holes the other. Not closed.
    package var rings: [[WorldPlace]]
    package var color: Color

    package init(rings: [[WorldPlace]], color: Color) {
        self.rings = rings
        self.color = color
    }
}

/// Lines on the ground, stroked once or several times.
package struct DrawnLine: Sendable {
    package struct Part: Sendable {
        /// The vertices; a ring does not repeat its first.
        package var places: [WorldPlace]
        package var isClosed: Bool

        package init(places: [WorldPlace], isClosed: Bool = false) {
            self.places = places
            self.isClosed = isClosed
        }
    }

    package var parts: [Part]
    /// How they are stroked, the first at the bottom.
    package var strokes: [DrawnStroke]
    /// The opacity of all strokes together, `0...1`.
    package var opacity: Double

    package init(parts: [Part], strokes: [DrawnStroke], opacity: Double = 1) {
        self.parts = parts
        self.strokes = strokes
        self.opacity = opacity
    }
}

/// How a line is drawn, in CSS pixels.
package struct DrawnStroke: Sendable {
    /// The most dashes that the lines of one picture have together: some seconds of work where they are wide and round.
    package static let dashCountLimit = 100_000

    package var color: Color
    /// From side to side; held to 0…512.
    package var width: Double
    package var cap = LineCap.round
    package var join = LineJoin.round
    /// Lengths of dashes and gaps; empty: none.
    package var dashes: [Double] = []

    /// A line with round caps and joins.
    package init(color: Color, width: Double) {
        self.color = color
        self.width = width
    }
}

/// Something that stands upright at places.
package struct DrawnMarker: Sendable {
    /// A piece of it; lengths are CSS pixels to the right of the place and down.
    package enum Part: Sendable {
        case shape([[ScreenPoint]], Color)
        case outline([ScreenPoint], DrawnStroke)
        case text(DrawnText)
        case picture(DrawnPicture)
        case sprite(DrawnSprite)
    }

    /// Where it stands, the first at the bottom.
    package var places: [WorldPlace]
    /// What it consists of, the first at the bottom.
    package var parts: [Part]
    /// How far it is moved, in CSS pixels.
    package var offset = ScreenPoint(x: 0, y: 0)
    /// Degrees clockwise that its parts are turned about the place.
    package var rotation = 0.0
    /// The opacity of all parts, `0...1`.
    package var opacity = 1.0
    /// CSS pixels from the place within which all parts lie.
    package var reach: Double
    package var title: DrawnTitle?

    package init(places: [WorldPlace], parts: [Part], reach: Double) {
        self.places = places
        self.parts = parts
        self.reach = reach
    }
}

/// A short text of a marker, in fonts of the machine.
package struct DrawnText: Sendable {
    package var text: String
    package var center: ScreenPoint
    /// The size of the letters in CSS pixels; smaller where the text is wider than ``maxWidth``.
    package var size: Double
    /// How wide it may be, in CSS pixels.
    package var maxWidth: Double
    package var color: Color

    package init(_ text: String, center: ScreenPoint, size: Double, maxWidth: Double, color: Color) {
        self.text = text
        self.center = center
        self.size = size
        self.maxWidth = maxWidth
        self.color = color
    }
}

/// The name of a marker, set beside it in the manner of the map's labels; labels keep clear of it.
package struct DrawnTitle: Sendable {
    /// The most names of one picture, each once for every place and world; markers over the others have none.
    package static let countLimit = 2000
    /// The characters of a name that are set.
    package static let lengthLimit = 120

    package var text: String
    /// The box of the marker in CSS pixels around its place, which the name stands beside: left, top, right, bottom.
    package var box: SIMD4<Double>

    package init(_ text: String, beside box: SIMD4<Double>) {
        self.text = text
        self.box = box
    }
}

package struct DrawnPicture: Sendable {
    package var texture: Texture
    /// The left side in CSS pixels.
    package var left: Double
    /// The upper side.
    package var top: Double
    /// CSS pixels.
    package var width: Double, height: Double

    package init(_ texture: Texture, left: Double, top: Double, width: Double, height: Double) {
        self.texture = texture
        self.left = left
        self.top = top
        self.width = width
        self.height = height
    }
}

package struct DrawnSprite: Sendable {
    package var name: String
    package var center: ScreenPoint
    /// Its longer side in CSS pixels.
    package var side: Double
    /// The color, if its pixels are distances.
    package var color: Color
    /// What is drawn where the style has no such picture.
    package var fallback: [DrawnMarker.Part]

    package init(
        _ name: String, center: ScreenPoint, side: Double, color: Color, fallback: [DrawnMarker.Part] = []
    ) {
        self.name = name
        self.center = center
        self.side = side
        self.color = color
        self.fallback = fallback
    }
}
