import MapStyle

struct ShapedTextKey: Hashable, Sendable {
    /// A template of addresses; empty for local fonts.
    var source: String
    var text: FormattedText
    var layout: TextLayout

    var textByteCount: Int { text.sections.reduce(0) { $0 + $1.text.utf8.count } }

    /// Not a number equals nothing, not even itself.
    var isFindable: Bool { self == self }
}

struct GlyphWitness: Sendable {
    var fontStack: String
    var index: Int
    var range: GlyphRange?
}

struct KeptText: Sendable {
    /// nil when nothing of it has a glyph.
    var text: ShapedText?
    var witnesses: [GlyphWitness]
    var missing: [MissingGlyph]

    var byteCount: Int {
        let lines = text?.lines.reduce(0) { $0 + 48 + $1.glyphs.count * MemoryLayout<PositionedGlyph>.stride } ?? 0
        return 512 + lines + (witnesses.count + missing.count) * 48 + 2 * (text?.text.utf8.count ?? 0)
    }
}
