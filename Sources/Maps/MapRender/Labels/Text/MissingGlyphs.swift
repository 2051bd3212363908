/// A character of a text for which there is no glyph.
package struct MissingGlyph: Hashable, Sendable {
    package var character: UInt32
    /// The fonts that were asked, joined by commas.
    package var fontStack: String

    /// `U+65E5 in Noto Sans Regular`, for the log.
    package var text: String {
        let digits = String(character, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            + " in \(String(fontStack.prefix(80)))"
    }
}

/// Collects the glyphs that the texts of one picture lack. Belongs to one thread.
final class MissingGlyphs {
    /// How many are kept of a text, and of a picture.
    static let limit = 32

    /// Those of symbols that are shown, and of labels that lack all of theirs, each once.
    private(set) var shown: [MissingGlyph] = []
    /// Those of texts that were set, but whose place is not known yet.
    private var noted: [MissingGlyph] = []

    func note(_ glyphs: [MissingGlyph]) {
        for glyph in glyphs where noted.count < Self.limit && !noted.contains(glyph) { noted.append(glyph) }
    }

    /// Those noted since the last call.
    func takeNoted() -> [MissingGlyph] {
        defer { noted.removeAll(keepingCapacity: true) }
        return noted
    }

    /// Adds those of a text that is shown, or that would be but for them.
    func add(_ glyphs: [MissingGlyph]) {
        for glyph in glyphs where shown.count < Self.limit && !shown.contains(glyph) { shown.append(glyph) }
    }
}
