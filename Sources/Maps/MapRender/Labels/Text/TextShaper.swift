import MapStyle

/// Breaks texts into lines, orders them visually and sets them around the anchor, exactly as MapLibre does.
struct TextShaper {
    static let baselineOffset = -17.0

    let glyphs: any GlyphSource
    let images: ImageSet
    var cache: SharedCache<ShapedTextKey, KeptText>?
    var missing = MissingGlyphs()
    var witnesses = WitnessBook()

    /// nil when nothing of `text` has a glyph. O(characters), more for breaking long texts.
    func shape(_ text: FormattedText, _ layout: TextLayout) -> ShapedText? {
        // Images are the style's, and change with it.
        guard let cache, text.sections.allSatisfy({ $0.image == nil }) else { return noted(witnessed(text, layout)) }
        var plainLayout = layout
        plainLayout.textSize = GlyphImage.em
        plainLayout.textSizeThisZoom = GlyphImage.em
        let key = ShapedTextKey(source: glyphs.name, text: text, layout: plainLayout)
        guard key.isFindable else { return noted(witnessed(text, layout)) }
        let kept = cache.value(for: key) {
            let kept = witnessed(text, layout)
            return SharedCache.Weighed(kept, byteCount: kept.byteCount + 2 * key.textByteCount)
        }
        return noted(glyphs.holds(kept.witnesses) ? kept : witnessed(text, layout))
    }

    private func noted(_ made: KeptText) -> ShapedText? {
        missing.note(made.missing)
        witnesses.note(made.witnesses)
        return made.text
    }

    private func witnessed(_ text: FormattedText, _ layout: TextLayout) -> KeptText {
        glyphs.forgetWitnesses()
        var made = make(text, layout)
        made.witnesses = glyphs.witnesses
        return made
    }

    private func make(_ text: FormattedText, _ layout: TextLayout) -> KeptText {
        var tagged = TaggedText(text, fontStack: layout.fontStack)
        glyphs.prepare(&tagged)
        if layout.writingMode == .vertical { tagged.verticalizePunctuation() }
        let ends = lineEnds(tagged, layout)
        var block = TextBlock(sections: tagged.sections, images: images, layout: layout)
        for line in glyphs.lines(tagged, ends: ends) { block.add(line) }
        return KeptText(text: block.finish(text: tagged.string), witnesses: [], missing: glyphs.missing(of: tagged))
    }

    private func lineEnds(_ text: TaggedText, _ layout: TextLayout) -> [Int] {
        // Along lines only a line feed breaks a text.
        if layout.maxWidth == .infinity, !text.characters.contains(0x0A) { return [text.characters.count] }
        let measure = glyphs.measure(text)
        let imageScale = GlyphImage.em / max(0.01, layout.textSize)
        let advances = text.characters.indices.map { index -> Double in
            if text.isImage(at: index) {
                let section = text.section(at: index)
                guard let image = section.imageName.flatMap({ images[$0] }) else { return 0 }
                return image.width * section.scale * imageScale + layout.spacing
            }
            guard let advance = measure.advances[index] else { return 0 }
            let isJoined = !measure.joins.isEmpty && measure.joins[index]
            return advance * text.sections[text.sectionIndexes[index]].scale + (isJoined ? 0 : layout.spacing)
        }
        return LineBreaker.breaks(text, advances: advances, maxWidth: layout.maxWidth, joins: measure.joins)
    }
}
