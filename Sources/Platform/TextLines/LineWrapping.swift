/// Breaks text into lines that are no wider than asked for: at spaces, hyphens and slashes, between ideographs, and within words that are
/// too long. Lines end at line feeds, too.
package struct LineWrapping {
    private static let lineFeed: UInt32 = 0x0A
    private static let space: UInt32 = 0x20

    /// Ranges of the text without the spaces around them.
    package private(set) var lines: [Range<Int>] = []
    /// Whether there is more text than `lines` have.
    package private(set) var isCut = false

    private let text: [UInt32]
    private let advances: [Double]
    private let width: Double

    /// `advances`: how far each character moves the pen; 0 for one that is drawn with another.
    package init(_ text: [UInt32], advances: [Double], width: Double, ellipsis: Double, lineLimit: Int) {
        (self.text, self.advances, self.width) = (text, advances, width)
        var start = 0
        while start < text.count {
            let end = lineEnd(start)
            let isLast = lines.count + 1 >= lineLimit
            isCut = isLast && text[end...].contains { $0 != Self.space && $0 != Self.lineFeed }
            let visible = trimmed(start..<(isCut ? min(end, cutEnd(start, ellipsis: ellipsis)) : end))
            lines.append(visible)
            if isLast { return }
            start = next(after: end)
        }
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound, text[end - 1] == Self.space || text[end - 1] == Self.lineFeed { end -= 1 }
        return range.lowerBound..<end
    }

    /// Behind the spaces and the line feed that end a line.
    private func next(after end: Int) -> Int {
        var start = end
        while start < text.count, text[start] == Self.space { start += 1 }
        if start < text.count, text[start] == Self.lineFeed { start += 1 }
        return start
    }

    private func lineEnd(_ start: Int) -> Int {
        var (used, lastBreak, lastCluster) = (0.0, start, start)
        for index in start..<text.count {
            if text[index] == Self.lineFeed { return index }
            if index > start, mayBreak(index) { lastBreak = index }
            if index > start, beginsCluster(index) { lastCluster = index }
            used += advances[index]
            guard used > width + 0.01, text[index] != Self.space else { continue }
            if lastBreak > start { return lastBreak }
            // A letter that alone is too wide has a line for itself.
            if lastCluster > start { return lastCluster }
        }
        return text.count
    }

    private func cutEnd(_ start: Int, ellipsis: Double) -> Int {
        var (used, end) = (0.0, start)
        for index in start..<text.count {
            if text[index] == Self.lineFeed { return index }
            if beginsCluster(index) { end = index }
            used += advances[index]
            if used + ellipsis > width { return end }
        }
        return text.count
    }

    /// Whether no mark, joiner or joined character stands there.
    private func beginsCluster(_ index: Int) -> Bool {
        guard advances[index] > 0 || text[index] == Self.space else { return false }
        // Skin tones belong to the emoji before them.
        return index == 0 || text[index - 1] != 0x200D && !(0x1F3FB...0x1F3FF).contains(text[index])
    }

    private func mayBreak(_ index: Int) -> Bool {
        let (before, after) = (text[index - 1], text[index])
        if before == Self.space { return after != Self.space }
        if before == 0x2D || before == 0x2F || before == 0x2010 || before == 0x2013 || before == 0x200B {
            return after != Self.space && index > 1 && text[index - 2] != Self.space
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
