struct LineGlyph {
    /// The first of its cluster.
    var character: UInt32
    var sectionIndex: Int
    /// nil for an image, and for a character without a glyph.
    var glyph: GlyphImage?
    var offsetX = 0.0
    var offsetY = 0.0
    /// When nil, as the glyph says.
    var advance: Double?
    /// The index in the text of its cluster's first character; -1 when every glyph is a cluster.
    var cluster = -1
    /// What is added between letters comes after it: not within a cluster.
    var takesSpacing = true
}

struct TextMeasure {
    /// In 1/24 em before scaling; nil where there is no glyph.
    var advances: [Double?]
    /// Whether a character belongs to the one before it; empty if none does.
    var joins: [Bool] = []
}

/// Where a picture gets its glyphs: ready ranges, or fonts. Belongs to one thread; its glyphs are shared.
protocol GlyphSource: AnyObject {
    var name: String { get }
    func forgetWitnesses()
    /// What texts were made of since `forgetWitnesses`, as far as it may change from picture to picture.
    var witnesses: [GlyphWitness] { get }
    func holds(_ witnesses: [GlyphWitness]) -> Bool
    func has(_ character: UInt32, of text: TaggedText, fontStack: String) -> Bool
    func canSet(_ text: String) -> Bool
    /// Replaces letters by the forms they have beside each other, if the source's glyphs are such forms.
    func prepare(_ text: inout TaggedText)
    func measure(_ text: TaggedText) -> TextMeasure
    /// The glyphs of lines from left to right. `ends` are those of lines, ascending; paragraphs end lines too.
    func lines(_ text: TaggedText, ends: [Int]) -> [[LineGlyph]]
}

extension GlyphSource {
    var name: String { "" }
    func forgetWitnesses() {}
    var witnesses: [GlyphWitness] { [] }
    func holds(_ witnesses: [GlyphWitness]) -> Bool { witnesses.isEmpty }
    func has(_ character: UInt32, of text: TaggedText, fontStack: String) -> Bool { true }

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
