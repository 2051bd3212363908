import Bytes
package import CardGrammar
package import ImagePlan
package import Parameters

extension CardScene {
    package func size(at scale: PlainDecimal) -> PixelSize {
        let factor = zoom * scale.double
        return PixelSize(
            widthPx: Int(held: (width * factor).rounded(), in: 1...16_384),
            heightPx: Int(held: (height * factor).rounded(), in: 1...16_384))
    }

    /// Estimates the cost of drawing and encoding the card with pictures of these sizes, as often as it has frames. O(items).
    package func predictedCost(
        at scale: PlainDecimal, pictures: [PixelSize] = [], frameCount: Int = 1, _ encoding: DrawnEncoding,
        as output: OutputFormat
    ) -> PredictedCost {
        var characterCount = 0
        for case .text(let line) in items { characterCount += line.text.count }
        return predictedCost(
            itemCount: items.count, characterCount: characterCount, pictures: pictures, frameCount: frameCount,
            at: scale, encoding, as: output)
    }

    /// The same for so many items that are not there yet, and for pictures of these sizes. `coveredPixels`: of shapes that are large.
    func predictedCost(
        itemCount: Int, characterCount: Int, pictures: [PixelSize] = [], coveredPixels: Double = 0,
        frameCount: Int = 1, at scale: PlainDecimal, _ encoding: DrawnEncoding, as output: OutputFormat
    ) -> PredictedCost {
        let size = size(at: scale)
        let whole = PixelSize(widthPx: size.widthPx, heightPx: size.heightPx * frameCount)
        let pixels = Self.pixelCount(size)
        let picturePixels = pictures.reduce(0) { $0 + Self.pixelCount($1) }
        let picturePixel = CardCost.picturePixel + (output == .png ? CardCost.photographicPNG : 0)
        let nanoseconds =
            (pixels + coveredPixels) * CardCost.pixel + Double(characterCount) * CardCost.character
            + Double(itemCount) * CardCost.item + picturePixels * picturePixel
        // All frames are held until the encoder has its own.
        let held = Self.pixelCount(whole) * (frameCount > 1 ? 8 : 4)
        let step = PredictedCost.Step("draw", nanoseconds: nanoseconds * Double(frameCount), bytes: held)
        return .drawn(
            by: [step], whole, filters: ImageFilter.inOrder(encoding.filters, scale: scale), encodedAs: output)
    }

    private static func pixelCount(_ size: PixelSize) -> Double { Double(size.widthPx) * Double(size.heightPx) }
}

extension PollRequest {
    /// Estimates the cost of laying the poll out, which tells how large the picture gets. O(options).
    package var layoutCost: PredictedCost {
        let texts = options.map(\.label) + [question].compactMap(\.self)
        let count = texts.reduce(0) { $0 + $1.unicodeScalars.count + CardCost.charactersBesideText }
        let faceCount = options.reduce(0) { $0 + $1.faces.count }
        // Letters are shaped once, and placed for each frame; faces are cut for each.
        let characters = Double(count) * CardCost.character * (isAnimated ? 2 : 1)
        let layoutCount = isAnimated && layout != .list ? PollLayout.delaysMs.count : 1
        let nanoseconds = characters + Double(faceCount * layoutCount) * CardCost.face
        return PredictedCost(
            steps: [PredictedCost.Step("layout", nanoseconds: nanoseconds, bytes: 0)],
            frameCount: 1)
    }
}

/// Nanoseconds of one core.
enum CardCost {
    static let pixel = 2.0  // of the background, and of shapes that cover most of it
    static let character = 12_000.0  // shaping and filling one, also at scale 4
    static let item = 15_000.0  // any shape
    static let picturePixel = 20.0  // reading a picture's pixels, and drawing them
    static let photographicPNG = 100.0  // a pixel of a photograph, besides what one of a drawing takes
    static let cut = 40.0  // a side of a shape by a side of another
    static let face = 300_000.0  // a small disc that another cuts, and its letters
    static let charactersBesideText = 24  // votes and percents of an option
}
