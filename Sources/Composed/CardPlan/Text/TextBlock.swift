import CardGrammar
import TextLines

/// Tells how wide text is, without drawing it.
package protocol TextMeasure {
    /// For each character how far it moves the pen, in ems: 0 for one that is drawn with another, or in no font.
    func advances(_ text: [UInt32], isBold: Bool) -> [Double]
    /// The box around what is drawn, in ems, from the pen and the baseline to the right and down; nil if nothing is.
    func ink(_ text: [UInt32], isBold: Bool) -> CardRect?
}

extension TextMeasure {
    func width(_ text: String, _ font: CardFont) -> Double {
        advances(CardText.scalars(text), isBold: font.isBold).reduce(0, +) * font.size
    }
}

/// Text in lines that are no wider than asked for.
struct TextBlock {
    var lines: [[UInt32]]
    var widths: [Double]
    var font: CardFont
    /// From baseline to baseline.
    var lineHeight: Double
    /// Whether there is more text than the lines have.
    var isCut: Bool
    /// nil: no letter has a direction.
    var isRightToLeft: Bool?

    var height: Double { Double(lines.count) * lineHeight }
    var width: Double { widths.max() ?? 0 }

    /// Breaks as ``LineWrapping`` does; what does not fit the last line ends in `…`.
    init(
        _ text: String, _ font: CardFont, lineHeight: Double = 1.375, width: Double, lineLimit: Int,
        _ measure: some TextMeasure
    ) {
        self.init(
            MeasuredText(text, isBold: font.isBold, measure), font, lineHeight: lineHeight, width: width,
            lineLimit: lineLimit)
    }

    init(_ text: MeasuredText, _ font: CardFont, lineHeight: Double, width: Double, lineLimit: Int) {
        self.font = font
        self.lineHeight = (font.size * lineHeight).rounded()
        var (characters, advances) = (text.characters, text.advances.map { $0 * font.size })
        // A character that alone is too wide would stick out.
        for index in advances.indices where advances[index] > width { (advances[index], characters[index]) = (0, 0x20) }
        let ellipsis = text.ellipsis * font.size
        let wrapping = LineWrapping(
            characters, advances: advances, width: width, ellipsis: ellipsis, lineLimit: lineLimit)
        isCut = wrapping.isCut
        isRightToLeft = text.isRightToLeft
        lines = wrapping.lines.map { Array(characters[$0]) }
        widths = wrapping.lines.map { advances[$0].reduce(0, +) }
        if isCut, let last = lines.indices.last {
            lines[last].append(0x2026)
            widths[last] += ellipsis
        }
        // A line for itself has the direction of the whole.
        if let mark = text.directionMark { lines = lines.map { [mark] + $0 } }
    }
}

/// A text, and how far its characters move the pen, in ems.
struct MeasuredText {
    let characters: [UInt32]
    let advances: [Double]
    let ellipsis: Double
    /// nil: no letter has a direction.
    let isRightToLeft: Bool?

    init(_ text: String, isBold: Bool, _ measure: some TextMeasure) {
        characters = CardText.scalars(text)
        advances = measure.advances(characters, isBold: isBold)
        ellipsis = measure.advances([0x2026], isBold: isBold).reduce(0, +)
        isRightToLeft = CardText.isRightToLeft(characters)
    }

    /// Whether it has letters with marks far above or below them, of Arabic and of scripts from India to Cambodia.
    var isTall: Bool {
        characters.contains { character in
            switch character {
            case 0x0600...0x109F, 0x1780...0x17FF, 0xFB50...0xFDFF, 0xFE70...0xFEFC: true
            default: false
            }
        }
    }

    var directionMark: UInt32? { isRightToLeft.map { $0 ? 0x200F : 0x200E } }
}
