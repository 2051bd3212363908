package import Colors

/// How a text looks. Lengths are in pixels.
package struct TextStyle: Sendable, Equatable {
    package enum Alignment: Sendable { case left, center, right }

    package struct Outline: Sendable, Equatable {
        package var color: Color
        /// To each side of the edges of letters.
        package var width: Double

        package init(color: Color, width: Double) { (self.color, self.width) = (color, width) }
    }

    package struct Background: Sendable, Equatable {
        package var color: Color
        /// Around the lines.
        package var padding: Double

        package init(color: Color, padding: Double) { (self.color, self.padding) = (color, padding) }
    }

    /// Of an em.
    package var size: Double
    package var lineHeight: Double
    package var isBold = false
    package var color: Color
    package var outline: Outline?
    package var background: Background?
    package var alignment = Alignment.left
    /// The most of a line.
    package var width: Double
    package var lineLimit: Int

    package init(size: Double, lineHeight: Double, color: Color, width: Double, lineLimit: Int) {
        (self.size, self.lineHeight, self.color) = (size, lineHeight, color)
        (self.width, self.lineLimit) = (width, lineLimit)
    }
}
