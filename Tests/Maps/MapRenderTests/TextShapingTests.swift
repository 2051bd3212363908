import Bytes
import MapStyle
import Raster
import Testing

@testable import MapRender

/// Glyphs of one width for every character but line feeds.
final class EvenGlyphs: GlyphSource {
    let glyph = GlyphImage(texture: nil, metrics: GlyphMetrics(width: 8, height: 12, left: 1, top: -5, advance: 12))
    func canSet(_ text: String) -> Bool { true }

    func prepare(_ text: inout TaggedText) {}

    func measure(_ text: TaggedText) -> TextMeasure {
        TextMeasure(advances: text.characters.map { $0 == 0x0A ? nil : 12 })
    }

    func lines(_ text: TaggedText, ends: [Int]) -> [[LineGlyph]] {
        var start = 0
        return ends.map { end in
            defer { start = end }
            return (start..<end).map { index in
                let character = text.characters[index]
                return LineGlyph(
                    character: character, sectionIndex: text.sectionIndexes[index],
                    glyph: character == 0x0A ? nil : glyph)
            }
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct TextShapingTests {
    private let shaper = TextShaper(glyphs: EvenGlyphs(), images: ImageSet())
    private let layout = TextLayout(fontStack: "Any")

    private func shape(_ text: String, _ change: (inout TextLayout) -> Void = { _ in }) throws -> ShapedText {
        var changed = layout
        change(&changed)
        return try #require(shaper.shape(FormattedText(text), changed))
    }

    private func isNear(_ value: Double, _ expected: Double) -> Bool { abs(value - expected) < 1e-9 }

    private func lineLengths(_ text: String, maxWidth: Double) throws -> [Int] {
        try shape(text) { $0.maxWidth = maxWidth }.lines.map(\.glyphs.count)
    }

    @Test func aShortTextIsOneLineAroundItsAnchor() throws {
        let text = try shape("abc")
        #expect(text.lines.count == 1)
        #expect(text.lines[0].glyphs.map(\.x) == [-18, -6, 6])
        #expect(text.lines[0].glyphs.map(\.y) == [-17, -17, -17])
        #expect([text.left, text.right] == [-18, 18])
        #expect(isNear(text.top, -14.4) && isNear(text.bottom, 14.4))
    }

    @Test func linesAreBrokenAtSpacesIntoAboutEqualLengths() throws {
        #expect(try lineLengths("aaaa bbbb cccc dddd", maxWidth: 120) == [9, 9])
        #expect(try lineLengths("aaaaaaaaaaaaaaaaaaaa", maxWidth: 24) == [20])
        #expect(shaper.shape(FormattedText(""), layout) == nil)
    }

    @Test func lineFeedsAlwaysBreak_andEmptyLinesCount() throws {
        let text = try shape("a\n\nb") { $0.maxWidth = 1000 }
        #expect(text.lines.map(\.glyphs.count) == [1, 0, 1])
        #expect(isNear(text.bottom - text.top, 3 * 28.8))
    }

    @Test func ideographsBreakAnywhere_butRatherAtZeroWidthSpaces() throws {
        #expect(try lineLengths("中中中中中中", maxWidth: 36) == [3, 3])
        #expect(try lineLengths("中中\u{200B}中中中中", maxWidth: 48) == [3, 4])
    }

    @Test func parenthesesStayWithWhatTheyHold() throws {
        #expect(try lineLengths("aaaaaa(bbbbbb)", maxWidth: 96) == [6, 8])
    }

    @Test func anchorsMoveTheBlockNotTheLinesInIt() throws {
        let text = try shape("aaaa bb") {
            $0.maxWidth = 60
            $0.anchor = .topLeft
            $0.justify = .right
            $0.offsetX = 5
            $0.offsetY = 7
        }
        #expect([text.left, text.top] == [5, 7])
        #expect(text.lines[0].glyphs[0].x == 0)
        #expect(text.lines[1].glyphs[0].x == 24)
        #expect(isNear(text.lines[0].glyphs[0].y, -17 + 14.4))
    }

    @Test func spacingStandsBetweenLettersOnly() throws {
        let text = try shape("ab") { $0.spacing = 6 }
        #expect(text.right - text.left == 30)
    }

    @Test func uprightCharactersOfVerticalLinesAreAnEmApart() throws {
        let text = try shape("中（a") { $0.writingMode = .vertical }
        #expect(text.isVerticalizable)
        #expect(text.lines[0].glyphs.map(\.isVertical) == [true, false, false])
        #expect(text.lines[0].glyphs[1].x - text.lines[0].glyphs[0].x == 24)
    }

    @Test func punctuationTurnsWithTheLineBetweenUprightCharacters() {
        func vertical(_ text: String) -> [UInt32] {
            var tagged = TaggedText(FormattedText(text), fontStack: "")
            tagged.verticalizePunctuation()
            return tagged.characters
        }
        #expect(vertical("中（中") == [0x4E2D, 0xFE35, 0x4E2D])
        #expect(vertical("中（a") == [0x4E2D, 0xFF08, 0x61])
        #expect(vertical("。、") == [0xFE12, 0xFE11])
    }

    @Test func imagesInLinesAreAsWideAsInPictures() throws {
        var images = ImageSet()
        let texture = try #require(
            Texture(widthPx: 16, heightPx: 32, format: .rgba, texels: SharedBytes([UInt8](repeating: 0, count: 2048))))
        images["i"] = StyleImage(texture: texture, pixelRatio: 1)
        var text = FormattedText("a")
        text.sections.append(text.sections[0])
        text.sections[1].text = ""
        text.sections[1].image = try image(named: "i")
        let shaped = try #require(TextShaper(glyphs: EvenGlyphs(), images: images).shape(text, layout))
        #expect(shaped.hasIcons)
        let icon = shaped.lines[0].glyphs[1]
        #expect(icon.imageName == "i")
        #expect(icon.scale == 1.5)
        // 12 for the letter, 16 CSS pixels at 16 CSS pixels an em for the image; one em taller than the letter.
        #expect(shaped.right - shaped.left == 36)
        #expect(shaped.lines[0].lineOffset == 24)
    }

    /// What `["image", name]` yields where there is such an image.
    private func image(named name: String) throws -> ResolvedImage? {
        let json = """
            {"version":8,"sources":{"a":{"type":"geojson","data":{"type":"FeatureCollection","features":[]}}},
            "layers":[{"id":"a","type":"symbol","source":"a","layout":{"icon-image":"\(name)"}}]}
            """
        let style = try Style.read(Array(json.utf8))
        guard case .image(let image) = style.layers[0][.iconImage].value(EvaluationContext()) else { return nil }
        return image
    }

    @Test func largerSectionsMakeTallerLines() throws {
        var text = FormattedText("a")
        text.sections.append(text.sections[0])
        text.sections[1].scale = 2
        let shaped = try #require(shaper.shape(text, layout))
        #expect(shaped.lines[0].lineOffset == 24)
        #expect(isNear(shaped.bottom - shaped.top, 57.6))
        #expect(shaped.lines[0].glyphs[0].y - shaped.lines[0].glyphs[1].y == 24)
    }

    @Test func absurdLayoutsAreHeld() throws {
        for width in [0, -1, .nan, .infinity, 1e300] {
            _ = try shape("aaa bbb 中中 (c)") { $0.maxWidth = width }
        }
        let long = String(repeating: "a b 中", count: 20000)
        #expect(try shape(long).lines.reduce(0) { $0 + $1.glyphs.count } <= TaggedText.characterLimit)
    }

    @Test func capitalsFollowUnicode() {
        #expect(TextTransform.uppercase.apply(FormattedText("straße ǆ")).text == "STRASSE Ǆ")
        #expect(TextTransform.lowercase.apply(FormattedText("ΑΣ İ")).text == "ας i̇")
    }

    @Test func scriptsTellWhatTheyAllow() {
        #expect(Script.allowsLetterSpacing("abc中"))
        #expect(!Script.allowsLetterSpacing("a\u{0628}"))
        // #15.27: a line along their tops joins these.
        for text in ["\u{0926}\u{0947}", "\u{0995}", "\u{0A15}"] { #expect(!Script.allowsLetterSpacing(text)) }
        #expect(Script.allowsVerticalWriting("a中"))
        #expect(!Script.allowsVerticalWriting("abc"))
        #expect(!Script.isLegibleLetterByLetter("\u{0926}\u{0947}"))
        #expect(Script.isLegibleLetterByLetter("\u{0628}"))
    }
}

@Suite(.timeLimit(.minutes(5))) struct ShapedTextCacheTests {
    /// Glyphs of a server whose ranges may change.
    private func glyphs(_ range: GlyphRange?) -> RangeGlyphs {
        RangeGlyphs(template: "a/{fontstack}/{range}") { _, _ in range }
    }

    private func range() throws -> GlyphRange {
        // One glyph: `a`, blank, 12 wide.
        try #require(GlyphRange(SharedBytes([0x0A, 0x06, 0x1A, 0x04, 0x08, 0x61, 0x38, 0x0C]), first: 0))
    }

    @Test func aTextIsShapedOnceForAllPictures_untilItsGlyphsChange() throws {
        let cache = SharedCache<ShapedTextKey, KeptText>(byteCapacity: 1 << 16)
        let (old, new) = (try range(), try range())
        func shape(_ range: GlyphRange?) -> ShapedText? {
            TextShaper(glyphs: glyphs(range), images: ImageSet(), cache: cache)
                .shape(FormattedText("aa"), TextLayout(fontStack: "F"))
        }
        let first = try #require(shape(old))
        #expect(first.right - first.left == 24)
        #expect(shape(old) === first)
        let changed = try #require(shape(new))
        #expect(changed !== first)
        #expect(shape(nil) == nil)
    }

    @Test func whatIsNoNumberIsNotKept() throws {
        let cache = SharedCache<ShapedTextKey, KeptText>(byteCapacity: 1 << 16)
        var layout = TextLayout(fontStack: "F")
        layout.lineHeight = .nan
        let shaper = TextShaper(glyphs: glyphs(try range()), images: ImageSet(), cache: cache)
        _ = shaper.shape(FormattedText("a"), layout)
        #expect(cache.byteCount == 0)
    }
}
