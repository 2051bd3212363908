import Bytes
import Colors
package import Raster
package import TextEngine

package enum TextDrawingError: Error, Equatable, Sendable {
    case cancelled
    /// More pixels than were allowed.
    case tooLarge
}

/// Sets text in fonts of the machine and draws it.
package enum TextDrawing {
    package static let pixelLimit = 64_000_000

    /// On a clear ground, no larger than it has to be; nil if nothing can be seen. Letters are shaped by the rules of their scripts,
    /// lines read in their direction; what no font has is left out.
    package static func draw(
        _ text: String, _ style: TextStyle, fonts: FontSet, pixelLimit: Int = TextDrawing.pixelLimit,
        shouldStop: @escaping () -> Bool = { false }
    ) throws(TextDrawingError) -> PixelBuffer? {
        let size = style.size.held(to: 1...16_384)
        let block = TextBlock(
            text, isBold: style.isBold, width: style.width / size, lineLimit: max(1, style.lineLimit), fonts: fonts)
        guard !block.lines.isEmpty else { return nil }
        if shouldStop() { throw .cancelled }
        let letters = Letters(block, style, size: size)
        let outline = style.outline.map { $0.width.held(to: 0...size) } ?? 0
        let padding = style.background.map { $0.padding.held(to: 0...16_384) } ?? 0
        let box = letters.box(margin: outline, padding: padding)
        let (width, height) = (
            Int(held: box.width.rounded(.up), in: 1...Rasteriser.sideLimit),
            Int(held: box.height.rounded(.up), in: 1...Rasteriser.sideLimit)
        )
        guard width * height <= min(pixelLimit, Self.pixelLimit) else { throw .tooLarge }
        var list = DisplayList()
        if let background = style.background {
            let ground = letters.lines.grown(by: padding).outwards
            list.fill(rectangle(ground, from: box), .nonZero, .color(background.color))
        }
        let path = list.add(letters.path(from: box))
        if let color = style.outline?.color, outline > 0 {
            let stroke = StrokeStyle(width: Int32(held: outline * 512, in: 1...1 << 20), cap: .round, join: .round)
            list.stroke(path, stroke, color: color)
        }
        list.fill(path, .nonZero, .color(style.color))
        do {
            return try Rasteriser.draw(
                list, widthPx: width, heightPx: height, background: .transparent, shouldStop: shouldStop)
        } catch {
            throw error == .cancelled ? .cancelled : .tooLarge
        }
    }

    private static func rectangle(_ rect: TextRect, from origin: TextRect) -> Path {
        var path = Path()
        let (left, top) = (rect.left - origin.left, rect.top - origin.top)
        path.addRing(
            [(left, top), (left + rect.width, top), (left + rect.width, top + rect.height), (left, top + rect.height)]
                .map { Letters.fixed($0, $1) })
        return path
    }
}

/// In pixels, from the left of the lines and the top of the first.
struct TextRect {
    var left, top, right, bottom: Double

    var width: Double { right - left }
    var height: Double { bottom - top }

    func grown(by margin: Double) -> TextRect {
        TextRect(left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
    }

    func united(with other: TextRect) -> TextRect {
        TextRect(
            left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
            bottom: max(bottom, other.bottom))
    }

    /// Whole pixels around it.
    var outwards: TextRect {
        TextRect(
            left: left.rounded(.down), top: top.rounded(.down), right: right.rounded(.up), bottom: bottom.rounded(.up))
    }
}

/// The outlines of a text at their places.
private struct Letters {
    /// From the top of a line to its baseline, in line heights.
    private static let baselineShare = 0.76
    /// How far letters may stick out of their lines, in ems: Tibetan stacks and Nastaliq do.
    private static let reach = 2.0

    private struct Placed {
        var outline: Outline
        var x: Double
        var y: Double
    }

    /// The box of all lines.
    let lines: TextRect
    private var placed: [Placed] = []
    private var ink: TextRect?
    private let unit: Double
    private let size: Double

    init(_ block: TextBlock, _ style: TextStyle, size: Double) {
        self.size = size
        unit = size * TextBlock.unit
        let width = (block.lines.map(\.width).max() ?? 0) * size
        lines = TextRect(left: 0, top: 0, right: width, bottom: Double(block.lines.count) * style.lineHeight)
        var outlines: [GlyphKey: Outline] = [:]
        for (index, line) in block.lines.enumerated() {
            let free = width - line.width * size
            var pen =
                switch style.alignment {
                case .left: 0.0
                case .center: free / 2
                case .right: free
                }
            let baseline = (Double(index) + Self.baselineShare) * style.lineHeight
            for glyph in line.glyphs {
                let key = GlyphKey(font: glyph.font.id, glyph: glyph.glyph)
                let outline = outlines[key] ?? glyph.font.outline(glyph.glyph)
                outlines[key] = outline
                add(outline, x: pen + glyph.offsetX * unit, y: baseline + glyph.offsetY * unit)
                pen += glyph.advance * unit
            }
        }
    }

    private struct GlyphKey: Hashable {
        var font: Int
        var glyph: UInt32
    }

    private mutating func add(_ outline: Outline, x: Double, y: Double) {
        guard !outline.edges.isEmpty else { return }
        placed.append(Placed(outline: outline, x: x, y: y))
        for edge in outline.edges {
            let (left, top) = (x + edge.start.x * unit, y + edge.start.y * unit)
            let point = TextRect(left: left, top: top, right: left, bottom: top)
            ink = ink?.united(with: point) ?? point
        }
    }

    /// Everything that is drawn, in whole pixels, as far as it is near the lines.
    func box(margin: Double, padding: Double) -> TextRect {
        let whole = lines.grown(by: padding)
        guard let ink = ink?.grown(by: margin) else { return whole.outwards }
        let limit = lines.grown(by: max(padding, Self.reach * size))
        let near = TextRect(
            left: max(ink.left, limit.left), top: max(ink.top, limit.top), right: min(ink.right, limit.right),
            bottom: min(ink.bottom, limit.bottom))
        return whole.united(with: near).outwards
    }

    /// All letters as one shape, from the top left of `origin` on.
    func path(from origin: TextRect) -> Path {
        var path = Path()
        for letter in placed {
            let (x, y) = (letter.x - origin.left, letter.y - origin.top)
            var last: OutlinePoint?
            for edge in letter.outline.edges {
                if edge.start != last { path.endPart(closed: true) }
                path.add(Self.fixed(x + edge.start.x * unit, y + edge.start.y * unit))
                last = edge.end
            }
            path.endPart(closed: true)
        }
        return path
    }

    static func fixed(_ x: Double, _ y: Double) -> FixedPoint {
        let limit: Int32 = 1 << 28
        return FixedPoint(
            x: Int32(held: (x * 256).rounded(), in: -limit...limit),
            y: Int32(held: (y * 256).rounded(), in: -limit...limit))
    }
}
