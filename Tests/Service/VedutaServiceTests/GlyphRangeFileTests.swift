import Bytes
import Raster
import TextEngine
import Testing

@testable import MapRender
@testable import VedutaService

/// What `/fonts` gives out is what the engine draws with.
@Suite(.timeLimit(.minutes(5))) struct GlyphRangeFileTests {
    private static let fonts = FontSet()
    private static let hasFonts = !fonts.faces.isEmpty

    @Test(.enabled(if: hasFonts, "no fonts on this machine"), arguments: [UInt32(0), 0x0400])
    func glyphs_areThoseOfTheEngine(first: UInt32) throws {
        let bytes = try #require(
            GlyphRangeFile.bytes(from: first, stack: "Noto Sans Bold", fonts: Self.fonts) { false })
        let range = try #require(GlyphRange(SharedBytes(bytes), first: first))
        let local = LocalGlyphs(fonts: Self.fonts, cache: SharedCache(byteCapacity: 1 << 22))
        var count = 0
        for character in first..<(first + GlyphRangeFile.count) {
            guard let wanted = local.glyph(character, fontStack: "Noto Sans Bold") else {
                #expect(range[character] == nil)
                continue
            }
            let glyph = try #require(range[character])
            count += 1
            #expect(glyph.texture?.texels.count == wanted.texture?.texels.count)
            #expect(glyph.metrics.width == wanted.metrics.width && glyph.metrics.height == wanted.metrics.height)
            // A soft hyphen is the glyph of the space without its advance, and the engine keeps one advance for a glyph.
            #expect(character == 0xAD || abs(glyph.metrics.advance - wanted.metrics.advance) <= 0.5, "\(character)")
            guard wanted.texture != nil else { continue }
            #expect(glyph.metrics.left == wanted.metrics.left && glyph.metrics.top == wanted.metrics.top)
        }
        #expect(count > 90)
    }

    @Test func stopsWhenAsked() {
        #expect(GlyphRangeFile.bytes(from: 0, stack: "a", fonts: FontSet(folders: ["/nonexistent"])) { true } == nil)
    }
}
