package struct MissingGlyph: Hashable, Sendable {
    package var character: UInt32
    /// Joined by commas.
    package var fontStack: String

    /// For the log: `U+65E5 in Noto Sans Regular`.
    package var text: String {
        let digits = String(character, radix: 16, uppercase: true)
        let code = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "U+\(code) in \(fontStack.prefix(80))"
    }
}

final class MissingGlyphs {
    /// Of a text, and of a picture.
    static let limit = 32

    private(set) var shown: [MissingGlyph] = []
    /// Of texts whose place is not known yet.
    private var noted: [MissingGlyph] = []

    func note(_ glyphs: [MissingGlyph]) {
        for glyph in glyphs where noted.count < Self.limit && !noted.contains(glyph) { noted.append(glyph) }
    }

    func takeNoted() -> [MissingGlyph] {
        defer { noted.removeAll(keepingCapacity: true) }
        return noted
    }

    func add(_ glyphs: [MissingGlyph]) {
        for glyph in glyphs where shown.count < Self.limit && !shown.contains(glyph) { shown.append(glyph) }
    }
}
