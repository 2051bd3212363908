/// A glyph of a line in the making.
struct LineGlyph {
    /// The character that it stands for: the first of its cluster.
    var character: UInt32
    var sectionIndex: Int
    /// The glyph; nil for an image, and for a character that has none.
    var glyph: GlyphImage?
    /// How far it is moved to the right of the pen, in 1/24 em, before it is scaled.
    var offsetX = 0.0
    var offsetY = 0.0
    /// How far the pen moves on; nil is what the glyph says.
    var advance: Double?
    /// The index in the text of the first character of its cluster; -1 where every glyph is a cluster of its own.
    var cluster = -1
    /// Whether what is added between letters comes after it: not within a cluster.
    var takesSpacing = true
}

/// The widths of a text's characters, and which of them belong together.
struct TextMeasure {
    /// In 1/24 em before scaling; nil where there is no glyph.
    var advances: [Double?]
    /// Whether a character is one with that before it; empty if none is.
    var joins: [Bool] = []
}

/// Where a picture gets its glyphs from: ranges of ready glyphs, or fonts. Belongs to one thread; what it hands out is shared.
protocol GlyphSource: AnyObject {
    /// What tells texts of this source apart from others'; empty for local fonts.
    var name: String { get }
    /// Forgets what texts so far were made of.
    func forgetWitnesses()
    /// What texts were made of since then, as far as it may change from picture to picture.
    var witnesses: [GlyphWitness] { get }
    /// Whether a text made of `witnesses` would be made of the same now.
    func holds(_ witnesses: [GlyphWitness]) -> Bool
    func has(_ character: UInt32, of text: TaggedText, fontStack: String) -> Bool
    /// Whether `text` can be set legibly.
    func canSet(_ text: String) -> Bool
    /// Puts the forms that letters have beside each other in the place of these, if the source's glyphs are such forms.
    func prepare(_ text: inout TaggedText)
    func measure(_ text: TaggedText) -> TextMeasure
    /// The glyphs of lines from left to right, as a reader expects them. `ends` are those of lines, ascending; paragraphs end
    /// lines too.
    func lines(_ text: TaggedText, ends: [Int]) -> [[LineGlyph]]
}

extension GlyphSource {
    var name: String { "" }

    func forgetWitnesses() {}

    var witnesses: [GlyphWitness] { [] }

    func holds(_ witnesses: [GlyphWitness]) -> Bool { witnesses.isEmpty }

    func has(_ character: UInt32, of text: TaggedText, fontStack: String) -> Bool { true }

    /// The characters of `text` that ought to be seen and have no glyph, each once.
    func missing(of text: TaggedText) -> [MissingGlyph] {
        var missing: [MissingGlyph] = []
        for index in text.characters.indices where !text.isImage(at: index) {
            let character = text.characters[index]
            guard !Script.isInvisible(character) else { continue }
            let stack = text.section(at: index).fontStack
            guard !has(character, of: text, fontStack: stack) else { continue }
            let glyph = MissingGlyph(character: character, fontStack: stack)
            if missing.count < MissingGlyphs.limit, !missing.contains(glyph) { missing.append(glyph) }
        }
        return missing
    }
}
