import Testing

@testable import TextEngine

/// Text in the machine's own fonts. What needs fonts of a script is skipped where there are none.
@Suite(.timeLimit(.minutes(5))) struct LocalTextTests {
    private static let fonts = FontSet()

    private static func has(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            fonts.faces.contains { $0.mayHave(scalar.value) && $0.font?.has(scalar.value) == true }
        }
    }

    private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

    private func set(_ text: String, isRightToLeft: Bool = false, stack: String = "Noto Sans Regular") -> [ShapedGlyph]
    {
        let characters = scalars(text)
        return RunShaper(fonts: Self.fonts).glyphs(
            characters, Bidi.Run(range: characters.indices, isRightToLeft: isRightToLeft), fontStack: stack,
            language: RunShaper.language(of: characters))
    }

    @Test func namesEndInStyles() {
        #expect(FontStyle.split("Noto Sans Regular").family == "noto sans")
        #expect(FontStyle.split("Open Sans Semi Bold Italic") == ("open sans", FontStyle(weight: 600, isItalic: true)))
        #expect(FontStyle.split("Arial Unicode MS Bold") == ("arial unicode ms", FontStyle(weight: 700)))
        #expect(FontStyle.split("Black").family == "black")
        #expect(FontStyle.split("").family == "")
    }

    @Test func chineseIsToldFromJapaneseAndKoreanByTheLettersBeside() {
        #expect(RunShaper.language(of: scalars("東京")) == "zh-Hans")
        #expect(RunShaper.language(of: scalars("東京の")) == "ja")
        #expect(RunShaper.language(of: scalars("서울 中")) == "ko")
        #expect(RunShaper.language(of: scalars("Rome")) == "en")
    }

    @Test(.enabled(if: has("A"))) func latinHasAGlyphForEachLetter() {
        let glyphs = set("Maps")
        #expect(glyphs.map(\.cluster) == [0, 1, 2, 3])
        #expect(glyphs.allSatisfy { $0.advance > 3 && $0.advance < 30 })
    }

    @Test(.enabled(if: has("A"))) func keptOutlinesAreThoseOfTheFont() throws {
        for glyph in set("AgA") {
            let (kept, made) = (Self.fonts.outline(of: glyph), glyph.font.outline(glyph.glyph))
            #expect(!made.edges.isEmpty && kept.edges.map(\.end) == made.edges.map(\.end))
        }
    }

    @Test func answersAreFoundOutOnce_withinALimit() {
        let memo = Memo<Int, Int?>(limit: 4)
        var asked: [Int] = []
        for key in [1, 1, 2, 2, 3, 4, 1, 5, 5, 1] {
            let value = memo.value(key) {
                asked.append(key)
                return key == 1 ? nil : key
            }
            #expect(value == (key == 1 ? nil : key))
        }
        #expect(asked == [1, 2, 3, 4, 5, 1])
    }

    @Test(.enabled(if: has("\u{0915}\u{093F}"))) func hindiVowelsAreDrawnBeforeTheirConsonant() {
        // KA and vowel sign I are one cluster: the sign comes first.
        let glyphs = set("\u{0915}\u{093F}")
        #expect(glyphs.count == 2)
        #expect(glyphs.allSatisfy { $0.cluster == 0 })
        let sign = set("\u{0928}\u{093F}")
        #expect(glyphs[1].glyph != sign[1].glyph)
    }

    @Test(.enabled(if: has("\u{0628}"))) func arabicIsJoinedAndRunsFromTheRight() {
        let glyphs = set("\u{0628}\u{0628}\u{0628}", isRightToLeft: true)
        #expect(glyphs.last?.cluster == 0)
        #expect(Set(glyphs.map(\.glyph)).count >= 3)
    }

    @Test func whatNoFontHasIsLeftOut() {
        #expect(set("\u{10FFFD}\u{E0001}\n").isEmpty)
        #expect(
            RunShaper(fonts: FontSet(folders: ["/nonexistent"])).glyphs(
                [65], Bidi.Run(range: 0..<1, isRightToLeft: false), fontStack: "", language: "en"
            ).isEmpty)
    }

    @Test func aSquareHasItsEdgesWhereTheyAre() throws {
        var outline = Outline()
        outline.move(to: OutlinePoint(x: 2, y: -10))
        outline.line(to: OutlinePoint(x: 12, y: -10))
        outline.line(to: OutlinePoint(x: 12, y: 0))
        outline.line(to: OutlinePoint(x: 2, y: 0))
        outline.close()
        let field = try #require(DistanceField(outline))
        #expect([field.left, field.top, field.width, field.height] == [2, 10, 10, 10])
        #expect(field.texels.count == 256)
        // Half a pixel outside, half a pixel inside, and the middle.
        #expect(field.texels[8 * 16 + 2] == 175)
        #expect(field.texels[8 * 16 + 3] == 207)
        #expect(field.texels[8 * 16 + 8] == 255)
    }

    @Test func overlappingContoursHaveNoSeam() throws {
        var outline = Outline()
        for x in [0.0, 8] {
            outline.move(to: OutlinePoint(x: x, y: -20))
            outline.line(to: OutlinePoint(x: x + 12, y: -20))
            outline.line(to: OutlinePoint(x: x + 12, y: 0))
            outline.line(to: OutlinePoint(x: x, y: 0))
            outline.close()
        }
        let field = try #require(DistanceField(outline))
        let row = 13 * (field.width + 6)
        #expect(field.texels[(row + 9)..<(row + 17)].allSatisfy { $0 == 255 })
    }

    @Test func absurdOutlinesAreBlank() {
        var outline = Outline()
        #expect(DistanceField(outline) == nil)
        outline.move(to: OutlinePoint(x: .nan, y: 0))
        outline.line(to: OutlinePoint(x: .infinity, y: 1e300))
        outline.curve(to: OutlinePoint(x: 1, y: .nan), by: OutlinePoint(x: .infinity, y: 0))
        outline.close()
        #expect(DistanceField(outline) == nil)
    }
}
