import Bytes
import Colors
import Raster
import SeededRandom
import TextEngine
import Testing

@testable import TextDrawing

/// Texts in the machine's own fonts; skipped where there are none.
@Suite(.timeLimit(.minutes(5))) struct TextDrawingTests {
    private static let fonts = FontSet()
    static let hasFonts = !fonts.faces.isEmpty

    private func style(_ size: Double = 20, width: Double = 400, lines: Int = 100, color: Color = .black) -> TextStyle {
        TextStyle(size: size, lineHeight: size * 1.3, color: color, width: width, lineLimit: lines)
    }

    private func draw(_ text: String, _ style: TextStyle) throws -> PixelBuffer? {
        try TextDrawing.draw(text, style, fonts: Self.fonts)
    }

    private func block(_ text: String, ems width: Double, lines: Int = 100) -> TextBlock {
        TextBlock(text, isBold: false, width: width, lineLimit: lines, fonts: Self.fonts)
    }

    private func pixel(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> [UInt8] {
        buffer.pixels.withUnsafeBytes { Array($0[(4 * (y * buffer.widthPx + x))..<(4 * (y * buffer.widthPx + x) + 4)]) }
    }

    /// The sum of alpha, in opaque pixels.
    private func ink(_ buffer: PixelBuffer?) -> Double {
        guard let buffer else { return 0 }
        return buffer.pixels.withUnsafeBytes { bytes in
            stride(from: 3, to: bytes.count, by: 4).reduce(0.0) { $0 + Double(bytes[$1]) / 255 }
        }
    }

    @Test(.enabled(if: hasFonts)) func boxesFitTheirLines() throws {
        let one = try #require(try draw("Veduta", style()))
        #expect(one.heightPx == 26 && (40...90).contains(one.widthPx))
        let two = try #require(try draw("Veduta\nVeduta", style()))
        #expect(two.heightPx == 52 && two.widthPx == one.widthPx)
        #expect(abs(ink(two) - 2 * ink(one)) < 2)
        let large = try #require(try draw("Veduta", style(40)))
        #expect(abs(ink(large) - 4 * ink(one)) < ink(one) / 5)
        #expect(try draw("", style()) == nil)
        #expect(try draw(" ", style()).map(ink) ?? 0 == 0)
    }

    @Test(.enabled(if: hasFonts)) func linesAreNoWiderThanAskedFor() throws {
        let words = "The quick brown fox jumps over the lazy dog, and over everything that is in its way"
        for ems in [3.0, 5, 8, 13, 100] {
            let lines = block(words, ems: ems).lines
            #expect(lines.allSatisfy { $0.width <= ems + 0.02 }, "\(ems)")
            #expect(lines.reduce(0) { $0 + $1.glyphs.count } >= words.count - lines.count)
        }
        // A word that is too long is broken, a letter is not.
        #expect(block("Donaudampfschifffahrt", ems: 4).lines.count > 2)
        #expect(block("WWW", ems: 0.1).lines.map(\.glyphs.count) == [1, 1, 1])
    }

    @Test(.enabled(if: hasFonts)) func whatIsTooMuch_endsInAnEllipsis() throws {
        let words = "one two three four five six seven"
        let cut = block(words, ems: 5, lines: 2)
        #expect(cut.lines.count == 2 && cut.lines.allSatisfy { $0.width <= 5.02 })
        let ellipsis = try #require(block("…", ems: 5).lines.first?.glyphs.first)
        #expect(cut.lines.last?.glyphs.last?.glyph == ellipsis.glyph)
        #expect(block(words, ems: 5, lines: 1).lines.count == 1)
        let whole = block("one two", ems: 50, lines: 1)
        #expect(whole.lines.first?.glyphs.contains { $0.glyph == ellipsis.glyph } == false)
        #expect(block("one\ntwo", ems: 50, lines: 1).lines.first?.glyphs.last?.glyph == ellipsis.glyph)
        #expect(block("one\n", ems: 50, lines: 1).lines.first?.glyphs.last?.glyph != ellipsis.glyph)
    }

    @Test(.enabled(if: hasFonts)) func rightToLeftLinesReadFromTheRight() throws {
        let hebrew = "\u{5D0}\u{5D1}\u{5D2} abc"
        let glyphs = try #require(block(hebrew, ems: 50).lines.first?.glyphs)
        guard glyphs.count == 7 else { return }  // no font has Hebrew
        // Latin letters stand on the left in their own order.
        #expect(glyphs.map(\.cluster) == [4, 5, 6, 3, 2, 1, 0])
        let lines = block("\u{5D0}\u{5D1}\u{5D2} \u{5D3}\u{5D4}\u{5D5}", ems: 2.5).lines
        #expect(lines.map { $0.glyphs.map(\.cluster) } == [[2, 1, 0], [6, 5, 4]])
    }

    @Test(.enabled(if: hasFonts)) func outlinesAndBackgroundsLieBelow() throws {
        var style = style(40, color: .white)
        style.outline = TextStyle.Outline(color: .black, width: 3)
        let plain = try #require(try draw("I", self.style(40, color: .white)))
        let outlined = try #require(try draw("I", style))
        #expect(ink(outlined) > ink(plain) * 1.5)
        style.background = TextStyle.Background(color: Color(red: 255, green: 0, blue: 0), padding: 10)
        let boxed = try #require(try draw("I", style))
        #expect(boxed.heightPx == 72 && pixel(boxed, 0, 0) == [255, 0, 0, 255])
        #expect(ink(boxed) == Double(boxed.widthPx * boxed.heightPx))
        let white = (0..<boxed.widthPx).filter { pixel(boxed, $0, 36) == [255, 255, 255, 255] }
        #expect(!white.isEmpty)
    }

    @Test(.enabled(if: hasFonts)) func linesAreAligned() throws {
        func firstColumn(_ alignment: TextStyle.Alignment) throws -> Int {
            var style = style()
            style.alignment = alignment
            let drawn = try #require(try draw("wide line\ni", style))
            let row = 26 + 14
            return try #require((0..<drawn.widthPx).first { pixel(drawn, $0, row)[3] > 0 })
        }
        let columns = try [firstColumn(.left), firstColumn(.center), firstColumn(.right)]
        #expect(columns[0] < 5 && columns[1] > columns[0] + 20 && columns[2] > columns[1] + 20, "\(columns)")
    }

    /// Twenty scripts: something is drawn of each that the machine has a font for, and nothing outside its box.
    @Test(
        .enabled(if: hasFonts),
        arguments: [
            "Veduta", "Ведута", "Βεντούτα", "վեդուտա", "ვედუტა", "וידוטה", "فيدوتا", "वेदुता", "বেদুতা", "ਵੇਦੁਤਾ", "વેદુતા", "ଭେଦୁତା",
            "வேதுதா", "వేదుతా", "ವೇದುತಾ", "വേദുതാ", "වේදුතා", "เวดูตา", "ເວດູຕາ", "བེ་དུ་ཏ།", "ဗေဒုတာ", "ቬዱታ", "វេឌូតា", "景观画",
            "ヴェドゥータ", "베두타", "ᠸᠡᠳ᠋ᠦᠲᠠ", "نستعلیق",
        ])
    func scripts_areDrawn(_ word: String) throws {
        let scalars = word.unicodeScalars.map(\.value)
        let isKnown = scalars.allSatisfy { RunShaper(fonts: Self.fonts).canSet($0, fontStack: "Noto Sans Regular") }
        let drawn = try draw(word + " " + word, style(30, width: 120, lines: 4))
        if isKnown { #expect(ink(drawn) > 100) }
        if let drawn { #expect(drawn.widthPx <= 400 && drawn.heightPx <= 400) }
    }

    /// Any text at all: a picture of bounded size, or none.
    @Test(.enabled(if: hasFonts)) func randomTexts_breakNothing() throws {
        var generator = SeededGenerator(state: 5)
        let limits: [UInt32] = [0x80, 0x700, 0x1000, 0x3100, 0x20000, 0x110000]
        for _ in 0..<10_000 {
            var text = String.UnicodeScalarView()
            let limit = limits[Int.random(in: 0..<limits.count, using: &generator)]
            for _ in 0..<Int.random(in: 0..<24, using: &generator) {
                if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) { text.append(scalar) }
            }
            let lines = Int.random(in: 1...4, using: &generator)
            let style = style(10, width: Double.random(in: 0...80, using: &generator), lines: lines)
            let drawn = try TextDrawing.draw(String(text), style, fonts: Self.fonts)
            #expect((drawn?.heightPx ?? 0) <= 13 * lines + 60 && (drawn?.widthPx ?? 0) <= 200)
        }
    }

    /// Control characters, one long word, marks in towers, nested directions.
    @Test(
        .enabled(if: hasFonts),
        arguments: [
            String(decoding: 0..<32, as: UTF8.self), String(repeating: "\n", count: 500),
            String(repeating: "W", count: 500),
            "a" + String(repeating: "\u{301}", count: 499), String(repeating: "\u{202E}a", count: 250),
            String(repeating: "\u{2067}\u{5D0}", count: 250), String(repeating: "\u{FDFA}", count: 500),
            String(repeating: "\u{200D}", count: 500), String(repeating: "👩‍👩‍👧‍👦", count: 70),
            String(repeating: "\u{0F40}\u{0F90}", count: 250), String(repeating: " ", count: 500),
            String(repeating: "\u{0BCD}\u{0B95}", count: 250), String(repeating: "\u{E0061}", count: 500),
        ])
    func hostileTexts_staySmall(_ text: String) throws {
        let drawn = try draw(text, style(16, width: 300, lines: 10))
        #expect((drawn?.widthPx ?? 0) <= 500 && (drawn?.heightPx ?? 0) <= 400)
    }

    @Test(.enabled(if: hasFonts)) func whatIsTooLarge_isRefused_andCancelledWhenAsked() throws {
        #expect(throws: TextDrawingError.tooLarge) {
            try draw(String(repeating: "W ", count: 250), style(4000, width: 16_000, lines: 20))
        }
        #expect(throws: TextDrawingError.cancelled) {
            try TextDrawing.draw("a", style(), fonts: Self.fonts, shouldStop: { true })
        }
        let banner = style(3000, width: 16_384, lines: 1)
        #expect(throws: TextDrawingError.tooLarge) {
            try TextDrawing.draw("WWWWW", banner, fonts: Self.fonts, pixelLimit: 1_524_288)
        }
        let word = try #require(try draw("Veduta", style()))
        let count = word.widthPx * word.heightPx
        #expect(try TextDrawing.draw("Veduta", style(), fonts: Self.fonts, pixelLimit: count)?.widthPx == word.widthPx)
        #expect(throws: TextDrawingError.tooLarge) {
            try TextDrawing.draw("Veduta", style(), fonts: Self.fonts, pixelLimit: count - 1)
        }
        #expect(try draw("a", style(.nan, width: .nan)) != nil)
        #expect(try draw("a", style(20, width: -.infinity, lines: -3)) != nil)
        #expect(throws: TextDrawingError.tooLarge) { try draw("a", style(.infinity, width: .infinity)) }
    }
}
