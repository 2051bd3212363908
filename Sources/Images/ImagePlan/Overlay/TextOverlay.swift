import Bytes
package import Colors
package import Parameters

/// A text that is drawn over an image.
package struct TextOverlay: Hashable, Sendable, Codable {
    package enum Alignment: String, CaseIterable, Sendable, Codable { case left, center, right }

    package struct Outline: Hashable, Sendable, Codable {
        package var color: Color
        /// Pixels, 0.1–100; nil: a twelfth of the size of the text.
        package var width: PlainDecimal?
    }

    /// A box behind all lines.
    package struct Background: Hashable, Sendable, Codable {
        package var color: Color
        /// Pixels around the lines, 0–1000; nil: two fifths of the size of the text.
        package var padding: PlainDecimal?
    }

    /// Of `words`.
    package static let characterLimit = 500
    package static let byteLimit = 2000

    /// As `CleanText.cleaned` leaves them; lines end in line feeds.
    package var words: String
    /// Of an em; a percentage is of the image's shorter side.
    package var size = BoxLength.percent(6)
    package var isBold = false
    package var color = Color.white
    package var outline: Outline?
    package var background: Background?
    /// The most of a line; a percentage is of the image's width.
    package var width = BoxLength.percent(90)
    /// 1–100; what goes beyond ends in an ellipsis.
    package var lineLimit = 100
    /// Nil: by the gravity of the overlay.
    package var alignment: Alignment?

    package init(_ words: String) { self.words = words }

    var hasLength: Bool {
        if case .pixels = size { return true }
        if case .pixels = width { return true }
        return outline?.width != nil || background?.padding != nil
    }

    func scaled(by scale: PlainDecimal) -> TextOverlay {
        var scaled = self
        scaled.size = size.scaled(by: scale)
        scaled.width = width.scaled(by: scale)
        if let width = outline?.width { scaled.outline?.width = width.multiplied(by: scale) ?? width }
        if let padding = background?.padding { scaled.background?.padding = padding.multiplied(by: scale) ?? padding }
        return scaled
    }
}

extension BoxLength {
    func scaled(by scale: PlainDecimal) -> BoxLength {
        guard case .pixels(let count) = self else { return self }
        return .pixels(max(1, scale.multiplied(by: count) ?? count))
    }

    fileprivate func pixels(of side: Int) -> Double {
        switch self {
        case .pixels(let count): Double(count)
        case .percent(let percent): Double(side) * percent.double / 100
        }
    }
}

/// The lengths of a text on one image, in pixels.
package struct TextMeasures: Equatable, Sendable {
    package let size: Double
    package let width: Double
    package let outline: Double
    package let padding: Double
    package let lineHeight: Double
    package let lineLimit: Int
    /// The most that a text on the image may have, which is drawn whole before what juts out is cut off.
    package let pixelLimit: Int
    /// At least the pixels that are drawn: the box of as many lines as there may be, and the reach of letters around it. Never more
    /// than `pixelLimit`.
    package let pixelCount: Double

    /// No letter is larger than the image, and there are no more lines than fit it.
    package init(_ text: TextOverlay, on image: PixelSize) {
        let (longer, shorter) = (max(image.widthPx, image.heightPx, 1), max(min(image.widthPx, image.heightPx), 1))
        let size = max(1, min(text.size.pixels(of: shorter), Double(longer)))
        self.size = size
        width = max(1, min(text.width.pixels(of: image.widthPx), 2 * Double(longer)))
        outline = text.outline.map { min($0.width?.double ?? size / 12, size / 2) } ?? 0
        padding = text.background.map { min($0.padding?.double ?? size * 0.4, Double(longer)) } ?? 0
        lineHeight = size * 1.3
        lineLimit = Int(held: Double(image.heightPx) / lineHeight, in: 1...text.lineLimit)
        pixelLimit = Self.pixelLimit(on: image)
        let scalars = text.words.unicodeScalars
        // Letters of other scripts may reach as far as `TextDrawing` lets them.
        let reach = scalars.allSatisfy { $0.value < Self.firstMark } ? size / 4 + outline : size * 2
        let margin = 2 * max(padding, reach)
        let lineCount = Double(max(1, min(lineLimit, scalars.count)))
        // A letter and an ellipsis are not broken, however narrow the lines.
        let box = (max(width, size * 2) + margin) * (lineCount * lineHeight + margin)
        pixelCount = min(Double(pixelLimit), box)
    }

    /// Four times the pixels of `image` and a million, at most 64 million.
    package static func pixelLimit(on image: PixelSize) -> Int {
        let area = Double(image.widthPx) * Double(image.heightPx)
        return Int(held: area * 4 + 1_000_000, in: 1...64_000_000)
    }

    /// Of Unicode: Latin letters are below it.
    private static let firstMark: UInt32 = 0x300
}
