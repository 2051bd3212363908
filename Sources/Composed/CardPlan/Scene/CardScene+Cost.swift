import Bytes
package import ImagePlan
package import Parameters

extension CardScene {
    package func size(at scale: PlainDecimal) -> PixelSize {
        let factor = zoom * scale.double
        return PixelSize(
            widthPx: Int(held: (width * factor).rounded(), in: 1...16_384),
            heightPx: Int(held: (height * factor).rounded(), in: 1...16_384))
    }

    /// Estimates the cost of drawing and encoding the card. O(items).
    package func predictedCost(at scale: PlainDecimal, _ encoding: DrawnEncoding, as output: OutputFormat)
        -> PredictedCost
    {
        let size = size(at: scale)
        let pixels = Double(size.widthPx) * Double(size.heightPx)
        var nanoseconds = pixels * CardCost.pixel
        for case .text(let line) in items { nanoseconds += Double(line.text.count) * CardCost.character }
        nanoseconds += Double(items.count) * CardCost.item
        return .drawn(
            by: [PredictedCost.Step("draw", nanoseconds: nanoseconds, bytes: pixels * 4)], size,
            filters: ImageFilter.inOrder(encoding.filters, scale: scale), encodedAs: output)
    }
}

/// Nanoseconds of one core.
enum CardCost {
    static let pixel = 2.0  // of the background, and of shapes that cover most of it
    static let character = 12_000.0  // shaping and filling one, also at scale 4
    static let item = 15_000.0  // any shape
}
