import MapStyle

/// What a shaped text is kept under.
struct ShapedTextKey: Hashable, Sendable {
    /// Where its glyphs come from: a template of addresses; empty for local fonts.
    var source: String
    var text: FormattedText
    var layout: TextLayout

    var textByteCount: Int { text.sections.reduce(0) { $0 + $1.text.utf8.count } }

    /// Whether the key can be found again: numbers that are none equal nothing, not even themselves.
    var isFindable: Bool { self == self }
}

/// A range of glyphs that a text was made of. Servers may replace their glyphs: what was made of others is not used.
struct GlyphWitness: Sendable {
    /// The fonts, joined by commas.
    var fontStack: String
    var index: Int
    var range: GlyphRange?
}

/// A shaped text and what it was made of.
struct KeptText: Sendable {
    /// The text; nil when nothing of it has a glyph.
    var text: ShapedText?
    /// The ranges of glyphs that were asked.
    var witnesses: [GlyphWitness]
    var missing: [MissingGlyph]

    /// About how many bytes it holds, the pictures of glyphs aside.
    var byteCount: Int {
        let lines = text?.lines.reduce(0) { $0 + 48 + $1.glyphs.count * MemoryLayout<PositionedGlyph>.stride } ?? 0
        return 512 + lines + (witnesses.count + missing.count) * 48 + 2 * (text?.text.utf8.count ?? 0)
    }
}
