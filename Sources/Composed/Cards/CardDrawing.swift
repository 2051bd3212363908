import Bytes
package import CardPlan
import Colors
package import Raster
import TextEngine

/// Draws the scenes of cards.
package enum CardDrawing {
    /// `factor`: device pixels for one of the scene. Shapes without a picture are left out.
    package static func draw(
        _ scene: CardScene, widthPx: Int, heightPx: Int, factor: Double, pictures: [Texture] = [],
        _ typesetter: CardTypesetter, shouldStop: @escaping () -> Bool = { false }
    ) throws(RasterError) -> PixelBuffer {
        var list = DisplayList()
        let edges: EdgeWeight = scene.isFlat ? .stepped : .exact
        for item in scene.items {
            switch item {
            case .fill(let shape, let color):
                list.fill(path(shape.rings, factor), .nonZero, .color(color), edges: edges)
            case .shade(let shape, let gradient):
                let paint = GradientPaint(
                    from: gradient.start * factor, to: gradient.end * factor, colors: gradient.colors)
                list.fill(path(shape.rings, factor), .nonZero, .gradient(paint))
            case .line(let points, let width, let color):
                var path = Path()
                for point in points { path.add(fixed(point * factor)) }
                path.endPart()
                let style = StrokeStyle(
                    width: Int32(held: width * factor * 256, in: 0...1 << 20), cap: .round, join: .round)
                list.stroke(path, style, color: color)
            case .text(let line):
                list.fill(path(contours(of: line, typesetter), factor), .nonZero, .color(line.color), edges: edges)
            case .picture(let shape, let number, let rect):
                guard pictures.indices.contains(number) else { continue }
                let picture = pictures[number]
                let across = Double(picture.widthPx) / (rect.width * factor)
                let down = Double(picture.heightPx) / (rect.height * factor)
                let pattern = PatternPaint(
                    texture: picture,
                    mapping: PatternPaint.Mapping(
                        u: [across, 0, -rect.x * factor * across], v: [0, down, -rect.y * factor * down], w: [0, 0, 1]))
                list.fill(path(shape.rings, factor), .nonZero, .pattern(pattern))
            }
        }
        return try Rasteriser.draw(
            list, widthPx: widthPx, heightPx: heightPx, background: scene.background, shouldStop: shouldStop)
    }

    private static func path(_ rings: [[SIMD2<Double>]], _ factor: Double) -> Path {
        var path = Path()
        for ring in rings {
            for point in ring { path.add(fixed(point * factor)) }
            path.endPart(closed: true)
        }
        return path
    }

    /// How far letters reach above and below the baseline at most, in ems. Four signs below each other come to 4.2 in Tibetan, and
    /// would stand on other lines; stacks that are written come to 1.
    private static let reach = (above: 1.6, below: 1.25)

    /// The outlines of the glyphs of a line, in CSS pixels.
    static func contours(of line: CardLine, _ typesetter: CardTypesetter) -> [[SIMD2<Double>]] {
        let glyphs = typesetter.glyphs(line.text, isBold: line.font.isBold)
        let unit = line.font.size / 24
        let width = glyphs.reduce(0) { $0 + $1.advance } * unit
        var pen =
            switch line.anchor {
            case .left: line.x
            case .middle: line.x - width / 2
            case .right: line.x - width
            }
        let (top, bottom) = (line.baseline - reach.above * line.font.size, line.baseline + reach.below * line.font.size)
        var contours: [[SIMD2<Double>]] = []
        for glyph in glyphs {
            let origin = SIMD2(pen + glyph.offsetX * unit, line.baseline + glyph.offsetY * unit)
            var last: OutlinePoint?
            for edge in typesetter.outline(glyph).edges {
                if edge.start != last {
                    contours.append([])
                    contours[contours.count - 1].reserveCapacity(64)
                }
                var point = origin + SIMD2(edge.start.x, edge.start.y) * unit
                if !line.isAlone { point.y = min(max(point.y, top), bottom) }
                contours[contours.count - 1].append(point)
                last = edge.end
            }
            pen += glyph.advance * unit
        }
        return contours
    }

    private static func fixed(_ point: SIMD2<Double>) -> FixedPoint {
        let limit: Int32 = 1 << 28
        return FixedPoint(
            x: Int32(held: (point.x * 256).rounded(), in: -limit...limit),
            y: Int32(held: (point.y * 256).rounded(), in: -limit...limit))
    }
}
