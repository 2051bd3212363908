import Bytes
import MapStyle
import TextEngine
import Testing

@testable import MapRender

/// Lines of Arabic and Latin letters in several sections (#15.30): sections give colors, and no gaps.
@Suite(.timeLimit(.minutes(5))) struct MixedTextTests {
    private static let fonts = FontSet()
    private static let hasArabic = fonts.faces.contains { $0.font?.has(0x0628) == true }
    private static let stack = "Noto Sans Regular"

    private static let texts = [
        "Paris باريس Lyon", "باريس Paris", "القاهرة — Cairo, Egypt", "12 شارع Main", "لا إله", "(Cairo) القاهرة",
        "مَدِينَة Rome", "اب (cd) هو", "A/باريس", "אבג (abc) דהו",
    ]

    /// Glyphs of a server: each letter has a width of its own.
    private let ranges = RangeGlyphs(template: "{range}") { _, first in
        func number(_ value: UInt32) -> [UInt8] {
            value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + number(value >> 7)
        }
        let glyphs = (first..<(first + 256)).flatMap { character -> [UInt8] in
            let glyph = [0x08] + number(character) + [0x38] + number(3 + character % 61)
            return [0x1A, UInt8(glyph.count)] + glyph
        }
        return GlyphRange(SharedBytes([0x0A] + number(UInt32(glyphs.count)) + glyphs), first: first)
    }

    private let local = LocalGlyphs(fonts: Self.fonts, cache: SharedCache(byteCapacity: 1 << 22))

    private func shape(_ parts: [String], _ glyphs: any GlyphSource, scales: [Double] = []) throws -> ShapedText {
        var text = FormattedText("")
        let section = text.sections[0]
        text.sections = parts.indices.map { index in
            var part = section
            part.text = parts[index]
            part.scale = index < scales.count ? scales[index] : nil
            return part
        }
        var layout = TextLayout(fontStack: Self.stack)
        layout.maxWidth = .infinity
        return try #require(TextShaper(glyphs: glyphs, images: ImageSet()).shape(text, layout))
    }

    /// All ways to cut a text in two.
    private func cuts(_ text: String) -> [[String]] {
        let scalars = text.unicodeScalars
        return scalars.indices.dropFirst().map { [String(scalars[..<$0]), String(scalars[$0...])] }
    }

    private func expectSame(_ one: ShapedText, _ other: ShapedText, _ note: String) {
        let (one, other) = (one.lines.flatMap(\.glyphs), other.lines.flatMap(\.glyphs))
        #expect(one.count == other.count, "\(note)")
        for (glyph, same) in zip(one, other) {
            #expect(abs(glyph.x - same.x) < 1e-6 && glyph.metrics == same.metrics, "\(note)")
            #expect(glyph.y == same.y, "\(note)")
        }
    }

    @Test(.enabled(if: hasArabic, "no Arabic font on this machine"), arguments: texts)
    func sections_moveNoGlyph_ofFonts(_ text: String) throws {
        let whole = try shape([text], local)
        for cut in cuts(text) { expectSame(try shape(cut, local), whole, cut.joined(separator: "|")) }
        expectSame(try shape(text.unicodeScalars.map { String($0) }, local), whole, "each letter")
    }

    @Test(arguments: texts) func sections_moveNoGlyph_ofRanges(_ text: String) throws {
        let whole = try shape([text], ranges)
        for cut in cuts(text) { expectSame(try shape(cut, ranges), whole, cut.joined(separator: "|")) }
        expectSame(try shape(text.unicodeScalars.map { String($0) }, ranges), whole, "each letter")
    }

    @Test(.enabled(if: hasArabic, "no Arabic font on this machine"), arguments: texts)
    func aLine_isAsWideAsItsParts(_ text: String) throws {
        let characters = text.unicodeScalars.map(\.value)
        let setter = RunShaper(fonts: Self.fonts)
        let language = RunShaper.language(of: characters)
        let parts = Bidi.visualRuns(characters, ends: [characters.count]).joined().flatMap {
            setter.glyphs(characters, $0, fontStack: Self.stack, language: language)
        }
        for cut in [[text]] + cuts(text) {
            let line = try shape(cut, local)
            let sum = parts.reduce(0) { $0 + $1.advance }
            #expect(abs(line.right - line.left - sum) < 1e-6, "\(cut)")
            // Nothing lies between the end of a glyph and the next, and every blank is there once.
            let glyphs = line.lines.flatMap(\.glyphs)
            var pen = glyphs[0].x
            for (glyph, part) in zip(glyphs, parts) {
                #expect(abs(glyph.x - part.offsetX - pen) < 1e-6, "\(cut)")
                pen += glyph.metrics.advance
            }
            #expect(parts.count { characters[$0.cluster] == 0x20 } == characters.count { $0 == 0x20 })
        }
    }

    @Test(.enabled(if: hasArabic, "no Arabic font on this machine"))
    func sectionsOfAnotherSize_areSetInTheSameFonts() throws {
        let plain = try shape(["باريس", " Paris"], local)
        let mixed = try shape(["باريس", " Paris"], local, scales: [1, 2])
        let widths = plain.lines[0].glyphs.map(\.metrics.advance)
        #expect(mixed.lines[0].glyphs.map(\.metrics.advance) == widths)
        let latin = widths.prefix(6).reduce(0, +)
        #expect(abs(mixed.right - mixed.left - (plain.right - plain.left) - latin) < 1e-6)
        // One glyph has one size.
        #expect(try shape(["ل", "ا"], local, scales: [1, 2]).lines[0].glyphs.map(\.scale) == [2, 1])
    }

    /// The worst that a label may be: each letter a section of its own size.
    @Test func manySectionsOfManySizes_areSet() throws {
        let parts = (0..<TaggedText.characterLimit).map { $0 % 5 == 0 ? " " : "ب" }
        for glyphs in [local, ranges] as [any GlyphSource] {
            let text = try shape(parts, glyphs, scales: parts.indices.map { 1 + Double($0 % 7) / 10 })
            #expect(text.lines.count == 1)
        }
    }
}
