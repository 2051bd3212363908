import TextEngine
import TextLines

/// Text in lines, shaped. Lengths are in ems.
struct TextBlock {
    struct Line {
        /// From left to right.
        var glyphs: [ShapedGlyph]
        var width: Double
    }

    /// Of a shaped length to an em.
    static let unit = 1.0 / 24
    private static let ellipsis: UInt32 = 0x2026

    private(set) var lines: [Line] = []

    /// Empty if no font has anything of `text`.
    init(_ text: String, isBold: Bool, width: Double, lineLimit: Int, fonts: FontSet) {
        let characters = text.unicodeScalars.map(\.value)
        let shaping = Shaping(
            shaper: RunShaper(fonts: fonts), stack: isBold ? "Noto Sans Bold" : "Noto Sans Regular",
            language: RunShaper.language(of: characters))
        let ellipsis = shaping.lines([Self.ellipsis], ends: [1]).first?.width ?? 0
        let wrapping = LineWrapping(
            characters, advances: shaping.advances(characters), width: width, ellipsis: ellipsis, lineLimit: lineLimit)
        // Each line in its paragraph, so that letters join and directions are as in the whole.
        var kept = characters
        var ranges = wrapping.lines
        if wrapping.isCut, let last = ranges.last {
            kept = Array(kept[..<last.upperBound]) + [Self.ellipsis]
            ranges[ranges.count - 1] = last.lowerBound..<kept.count
        }
        lines = ranges.map { range in shaping.line(kept, range) }
        if lines.allSatisfy({ $0.glyphs.isEmpty }) { lines = [] }
    }
}

private struct Shaping {
    let shaper: RunShaper
    let stack: String
    let language: String

    /// For each character how far it moves the pen.
    func advances(_ text: [UInt32]) -> [Double] {
        var advances = [Double](repeating: 0, count: text.count)
        for line in lines(text, ends: [text.count]) {
            for glyph in line.glyphs where advances.indices.contains(glyph.cluster) {
                advances[glyph.cluster] += glyph.advance * TextBlock.unit
            }
        }
        return advances
    }

    /// What stands in `range`, which is within one paragraph.
    func line(_ text: [UInt32], _ range: Range<Int>) -> TextBlock.Line {
        guard !range.isEmpty else { return TextBlock.Line(glyphs: [], width: 0) }
        let start = (text[..<range.lowerBound].lastIndex { Bidi.endsParagraph($0) } ?? -1) + 1
        let end = text[range.upperBound...].firstIndex { Bidi.endsParagraph($0) } ?? text.count
        let paragraph = Array(text[start..<end])
        let (low, high) = (range.lowerBound - start, range.upperBound - start)
        let runs = Bidi.visualRuns(paragraph, ends: [low, high, paragraph.count].filter { $0 > 0 })
        return runs.dropFirst(low > 0 ? 1 : 0).first.map { shaped(paragraph, $0) }
            ?? TextBlock.Line(glyphs: [], width: 0)
    }

    func lines(_ text: [UInt32], ends: [Int]) -> [TextBlock.Line] {
        Bidi.visualRuns(text, ends: ends).map { shaped(text, $0) }
    }

    private func shaped(_ text: [UInt32], _ runs: [Bidi.Run]) -> TextBlock.Line {
        let glyphs = runs.flatMap { shaper.glyphs(text, $0, fontStack: stack, language: language) }
        return TextBlock.Line(glyphs: glyphs, width: glyphs.reduce(0) { $0 + $1.advance } * TextBlock.unit)
    }
}
