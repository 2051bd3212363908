import Bytes
package import CardPlan
import Colors

/// Writes scenes of cards as SVG. Letters are shapes, so that no font is needed and no text of a request stands in it.
package enum CardVector {
    /// `widthPx` and `heightPx` are those of the picture. Pictures and gradients are left out.
    package static func text(
        _ scene: CardScene, widthPx: Int, heightPx: Int, _ typesetter: CardTypesetter
    ) -> String {
        let box = "\(number(scene.width)) \(number(scene.height))"
        var text =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(widthPx)\" height=\"\(heightPx)\" viewBox=\"0 0 \(box)\">"
        if scene.background.alpha > 0 {
            let whole = CardRect(x: 0, y: 0, width: scene.width, height: scene.height)
            text += path(CardShape.box(whole).rings, fill(scene.background))
        }
        for item in scene.items {
            switch item {
            case .fill(let shape, let color): text += path(shape.rings, fill(color))
            case .text(let line): text += path(CardDrawing.contours(of: line, typesetter), fill(line.color))
            case .line(let points, let width, let color):
                let stroke =
                    "fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\" stroke-width=\"\(number(width))\" "
                    + paint("stroke", color)
                text += path([points], stroke, isClosed: false)
            case .shade, .picture: break
            }
        }
        return text + "</svg>\n"
    }

    private static func path(_ rings: [[SIMD2<Double>]], _ paint: String, isClosed: Bool = true) -> String {
        var data = ""
        for ring in rings {
            for (index, point) in ring.enumerated() {
                data += (index == 0 ? "M" : "L") + number(point.x) + " " + number(point.y)
            }
            if isClosed, !ring.isEmpty { data += "Z" }
        }
        return data.isEmpty ? "" : "<path \(paint) d=\"\(data)\"/>"
    }

    private static func fill(_ color: Color) -> String { paint("fill", color) }

    private static func paint(_ name: String, _ color: Color) -> String {
        var opaque = color
        opaque.alpha = 255
        let opacity = color.isOpaque ? "" : " \(name)-opacity=\"\(number(Double(color.alpha) / 255))\""
        return "\(name)=\"#\(opaque.canonical)\"\(opacity)"
    }

    /// To a hundredth, which is far less of a CSS pixel than anyone sees.
    private static func number(_ value: Double) -> String {
        let hundredths = Int(held: (value * 100).rounded(), in: -10_000_000...10_000_000)
        let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
        let decimals = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
        return (hundredths < 0 ? "-" : "") + "\(whole)" + decimals
    }
}
