// Drawings go through the same projection as the map, not through tiles: places are exact at every zoom, dashes run on
// over sides of tiles, and crossings of a translucent line are painted once.

package import Colors
package import Raster

package enum MapDrawing: Sendable {
    case area(DrawnArea)
    case line(DrawnLine)
    /// Stands upright at places, at the same size in every view.
    case marker(DrawnMarker)
}

/// Rings filled as one shape, so that its copies around the world leave no seam.
package struct DrawnArea: Sendable {
    /// Outer ones run one way, holes the other. Not closed.
    package var rings: [[WorldPlace]]
    package var color: Color

    package init(rings: [[WorldPlace]], color: Color) { (self.rings, self.color) = (rings, color) }
}

package struct DrawnLine: Sendable {
    package struct Part: Sendable {
        package var places: [WorldPlace]
        package var isClosed: Bool

        package init(places: [WorldPlace], isClosed: Bool = false) { (self.places, self.isClosed) = (places, isClosed) }
    }

    package var parts: [Part]
    /// The first at the bottom.
    package var strokes: [DrawnStroke]
    /// Of all strokes together, `0...1`.
    package var opacity: Double

    package init(parts: [Part], strokes: [DrawnStroke], opacity: Double = 1) {
        (self.parts, self.strokes, self.opacity) = (parts, strokes, opacity)
    }
}

/// In CSS pixels.
package struct DrawnStroke: Sendable {
    /// Of all lines of a picture together: some seconds of work for wide, round dashes.
    package static let dashCountLimit = 100_000

    package var color: Color
    /// Held to 0…512.
    package var width: Double
    package var cap = LineCap.round
    package var join = LineJoin.round
    /// Lengths of dashes and gaps; solid when empty.
    package var dashes: [Double] = []

    package init(color: Color, width: Double) { (self.color, self.width) = (color, width) }
}

package struct DrawnMarker: Sendable {
    /// Lengths are CSS pixels to the right of the place and down.
    package enum Part: Sendable {
        case shape([[ScreenPoint]], Color)
        case outline([ScreenPoint], DrawnStroke)
        case text(DrawnText)
        case picture(DrawnPicture)
        case sprite(DrawnSprite)
    }

    package var places: [WorldPlace]
    /// The first at the bottom.
    package var parts: [Part]
    /// CSS pixels.
    package var offset = ScreenPoint.zero
    /// Degrees clockwise about the place.
    package var rotation = 0.0
    /// Of all parts, `0...1`.
    package var opacity = 1.0
    /// CSS pixels from the place within which all parts lie.
    package var reach: Double
    package var title: DrawnTitle?

    package init(places: [WorldPlace], parts: [Part], reach: Double) {
        (self.places, self.parts, self.reach) = (places, parts, reach)
    }
}

package struct DrawnText: Sendable {
    package var text: String
    package var center: ScreenPoint
    /// CSS pixels; smaller when the text is wider than ``maxWidth``.
    package var size: Double
    package var maxWidth: Double
    package var color: Color

    package init(_ text: String, center: ScreenPoint, size: Double, maxWidth: Double, color: Color) {
        (self.text, self.center, self.size, self.maxWidth) = (text, center, size, maxWidth)
        self.color = color
    }
}

/// The name of a marker, beside it; labels keep clear of it.
package struct DrawnTitle: Sendable {
    /// Names of one picture, counted for every place and world; further markers have none.
    package static let countLimit = 2000
    package static let lengthLimit = 120

    /// A rounded box behind a name.
    package struct Plate: Sendable {
        package var color: Color
        /// CSS pixels at the left and right; half of it above and below.
        package var padding: Double
        /// CSS pixels of the corners, at most half of the height.
        package var radius: Double

        package init(_ color: Color, padding: Double, radius: Double) {
            (self.color, self.padding, self.radius) = (color, padding, radius)
        }
    }

    package var text: String
    package var box: SIMD4<Double>
    /// When nil, one that can be read.
    package var color: Color?
    package var plate: Plate?

    package init(_ text: String, beside box: SIMD4<Double>) { (self.text, self.box) = (text, box) }
}

package struct DrawnPicture: Sendable {
    package var texture: Texture
    /// CSS pixels.
    package var left: Double, top: Double, width: Double, height: Double

    package init(_ texture: Texture, left: Double, top: Double, width: Double, height: Double) {
        (self.texture, self.left, self.top, self.width) = (texture, left, top, width)
        self.height = height
    }
}

package struct DrawnSprite: Sendable {
    package var name: String
    package var center: ScreenPoint
    /// The longer one, in CSS pixels.
    package var side: Double
    /// Used if its pixels are distances.
    package var color: Color
    package var fallback: [DrawnMarker.Part]

    package init(_ name: String, center: ScreenPoint, side: Double, color: Color, fallback: [DrawnMarker.Part] = []) {
        (self.name, self.center, self.side, self.color) = (name, center, side, color)
        self.fallback = fallback
    }
}
