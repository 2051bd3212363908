package import Colors

package struct CardFont: Hashable, Sendable {
    /// CSS pixels of an em.
    package var size: Double
    package var isBold = false

    package init(size: Double, isBold: Bool = false) { (self.size, self.isBold) = (size, isBold) }
}

/// A line of text; drawn without wrapping.
package struct CardLine: Equatable, Sendable {
    /// Which point of the line lies at `x`.
    package enum Anchor: Sendable { case left, middle, right }

    package var text: [UInt32]
    package var x: Double
    package var baseline: Double
    package var anchor = Anchor.left
    package var font: CardFont
    package var color: Color
    /// Whether nothing else stands above and below it, so that its letters may reach as far as they do.
    package var isAlone = false
}

/// Colors at equal distances from one point to another.
package struct CardGradient: Equatable, Sendable {
    package var start, end: SIMD2<Double>
    package var colors: [Color]
}

package enum CardItem: Equatable, Sendable {
    case fill(CardShape, Color)
    case shade(CardShape, CardGradient)
    /// A line with round ends through these points; never mirrored.
    case line([SIMD2<Double>], width: Double, Color)
    case text(CardLine)
    /// The picture with this number, stretched over the box, as far as it lies in the shape.
    case picture(CardShape, Int, CardRect)
}

extension CardItem {
    func moved(by offset: SIMD2<Double>) -> CardItem {
        switch self {
        case .fill(let shape, let color): return .fill(shape.moved(by: offset), color)
        case .shade(let shape, var gradient):
            (gradient.start, gradient.end) = (gradient.start + offset, gradient.end + offset)
            return .shade(shape.moved(by: offset), gradient)
        case .line(let points, let width, let color): return .line(points.map { $0 + offset }, width: width, color)
        case .text(var line):
            line.x += offset.x
            line.baseline += offset.y
            return .text(line)
        case .picture(let shape, let number, let rect):
            return .picture(shape.moved(by: offset), number, rect.moved(by: offset))
        }
    }
}

/// What a card shows, in the order of drawing.
package struct CardScene: Equatable, Sendable {
    package var width: Double
    package var height = 0.0
    package var background: Color
    package var items: [CardItem] = []
    /// Pixels of the picture for one of the scene, before the request's `scale`.
    package var zoom = 1.0

    package init(width: Double, background: Color) { (self.width, self.background) = (width, background) }

    /// Whether each of its shapes has one color.
    package var isFlat: Bool {
        items.allSatisfy { item in
            switch item {
            case .fill, .line, .text: true
            case .shade, .picture: false
            }
        }
    }

    /// The same for readers from right to left.
    func mirrored() -> CardScene {
        var scene = self
        scene.items = items.map { item in
            switch item {
            case .fill(let shape, let color):
                return .fill(CardShape(rings: shape.rings.map { $0.map { [width - $0.x, $0.y] } }), color)
            case .shade(let shape, var gradient):
                (gradient.start.x, gradient.end.x) = (width - gradient.start.x, width - gradient.end.x)
                return .shade(CardShape(rings: shape.rings.map { $0.map { [width - $0.x, $0.y] } }), gradient)
            case .line(let points, let lineWidth, let color):
                let middle = ((points.map(\.x).min() ?? 0) + (points.map(\.x).max() ?? 0)) / 2
                let shift = width - 2 * middle
                return .line(points.map { [$0.x + shift, $0.y] }, width: lineWidth, color)
            case .text(var line):
                line.x = width - line.x
                line.anchor =
                    switch line.anchor {
                    case .left: .right
                    case .middle: .middle
                    case .right: .left
                    }
                return .text(line)
            case .picture(let shape, let number, let rect):
                let mirrored = CardShape(rings: shape.rings.map { $0.map { [width - $0.x, $0.y] } })
                return .picture(mirrored, number, rect.mirrored(in: width))
            }
        }
        return scene
    }
}
