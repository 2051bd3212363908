import ImageEngine
import ImagePlan
import Raster
import TextDrawing
import TextEngine

/// Draws the texts of a request for `ImageEngine`, which may work in a process without fonts.
enum OverlayTexts {
    /// Nil for a request without texts.
    static func painter(
        of request: ImageRequest, fonts: FontSet, shouldStop: @escaping @Sendable () -> Bool
    ) -> TextPainter? {
        let overlays = request.overlays
        guard overlays.contains(where: { $0.text != nil }) else { return nil }
        let scale = request.scale
        return TextPainter { index, size throws(ImageError) in
            guard overlays.indices.contains(index) else { return nil }
            let overlay = overlays[index].scaled(by: scale)
            guard let text = overlay.text else { return nil }
            do throws(TextDrawingError) {
                let measures = TextMeasures(text, on: size)
                let drawn = try TextDrawing.draw(
                    text.words, TextStyle(text, overlay.gravity, measures), fonts: fonts,
                    pixelLimit: measures.pixelLimit, shouldStop: shouldStop)
                return drawn.flatMap { DecodedPixels(widthPx: $0.widthPx, heightPx: $0.heightPx, rgba: $0.pixels) }
            } catch {
                switch error {
                case .cancelled: throw .cancelled
                case .tooLarge: throw .outOfMemory
                }
            }
        }
    }
}

extension TextStyle {
    fileprivate init(_ text: TextOverlay, _ gravity: Compass, _ measures: TextMeasures) {
        self.init(
            size: measures.size, lineHeight: measures.lineHeight, color: text.color, width: measures.width,
            lineLimit: measures.lineLimit)
        isBold = text.isBold
        outline = text.outline.map { Outline(color: $0.color, width: measures.outline) }
        background = text.background.map { Background(color: $0.color, padding: measures.padding) }
        alignment =
            switch text.alignment {
            case .left: .left
            case .center: .center
            case .right: .right
            case nil: [.left, .center, .right][gravity.column]
            }
    }
}
