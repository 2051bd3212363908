import Bytes
import CardGrammar

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

    var height: Double { Double(lines.count) * lineHeight }
    var width: Double { widths.max() ?? 0 }

    /// Breaks at spaces, between ideographs, and within words that are too long; what does not fit the last line ends in `…`.
    init(
        _ text: String, _ font: CardFont, lineHeight: Double = 1.375, width: Double, lineLimit: Int,
        _ measure: some TextMeasure
    ) {
        self.font = font
        self.lineHeight = (font.size * lineHeight).rounded()
        let scalars = CardText.scalars(text)
        var wrapping = Wrapping(
            text: scalars, advances: measure.advances(scalars, isBold: font.isBold).map { $0 * font.size },
            width: width,
            ellipsis: measure.width("…", font))
        (lines, widths) = wrapping.lines(lineLimit)
        // A line for itself has the direction of the whole.
        let mark: UInt32? = CardText.isRightToLeft(scalars).map { $0 ? 0x200F : 0x200E }
        if let mark { lines = lines.map { [mark] + $0 } }
    }
}

private struct Wrapping {
    var text: [UInt32]
    var advances: [Double]
    var width: Double
    var ellipsis: Double

    /// The lines and their widths.
    mutating func lines(_ limit: Int) -> ([[UInt32]], [Double]) {
        // A character that alone is too wide would stick out.
        for index in advances.indices where advances[index] > width { (advances[index], text[index]) = (0, 0x20) }
        var (lines, widths): ([[UInt32]], [Double]) = ([], [])
        var start = 0
        while start < text.count {
            var end = lineEnd(start)
            let isCut = lines.count == limit - 1 && end < text.count
            if isCut { end = cutEnd(start) }
            var last = end
            while last > start, text[last - 1] == 0x20 { last -= 1 }
            lines.append(Array(text[start..<last]) + (isCut ? [0x2026] : []))
            widths.append(advances[start..<last].reduce(0, +) + (isCut ? ellipsis : 0))
            if lines.count == limit { break }
            start = end
            while start < text.count, text[start] == 0x20 { start += 1 }
        }
        return (lines, widths)
    }

    private func lineEnd(_ start: Int) -> Int {
        var (used, lastBreak, lastCluster) = (0.0, start, start)
        for index in start..<text.count {
            if index > start, mayBreak(index) { lastBreak = index }
            if index > start, beginsCluster(index) { lastCluster = index }
            used += advances[index]
            if used > width + 0.01, text[index] != 0x20 {
                if lastBreak > start { return lastBreak }
                return lastCluster > start ? lastCluster : index + 1
            }
        }
        return text.count
    }

    private func cutEnd(_ start: Int) -> Int {
        var (used, end) = (0.0, start)
        for index in start..<text.count {
            if beginsCluster(index) { end = index }
            used += advances[index]
            if used + ellipsis > width { return end }
        }
        return text.count
    }

    /// Whether no mark, joiner or joined character stands there.
    private func beginsCluster(_ index: Int) -> Bool {
        guard advances[index] > 0 || text[index] == 0x20 else { return false }
        let before = index > 0 ? text[index - 1] : 0
        return before != 0x200D && !(0x1F3FB...0x1F3FF).contains(text[index])
    }

    private func mayBreak(_ index: Int) -> Bool {
        let (before, after) = (text[index - 1], text[index])
        if before == 0x20 { return after != 0x20 }
        if before == 0x2D || before == 0x2F || before == 0x2010 || before == 0x200B {
            return after != 0x20 && index > 1
        }
        return (Self.isIdeographic(before) || Self.isIdeographic(after)) && beginsCluster(index)
            && !Self.closing.contains(after) && !Self.opening.contains(before)
    }

    private static func isIdeographic(_ character: UInt32) -> Bool {
        switch character {
        case 0x2E80...0x9FFF, 0xF900...0xFAFF, 0xFF00...0xFFEF, 0x20000...0x3FFFF: true
        default: false
        }
    }

    /// What begins no line, and what ends none.
    private static let closing = Set("、。，．：；？！）」』】〉》〕”’!?,.:;)ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々".unicodeScalars.map(\.value))
    private static let opening = Set("（「『【〈《〔“‘(".unicodeScalars.map(\.value))
}
