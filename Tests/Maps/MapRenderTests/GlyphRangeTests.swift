import Bytes
import MapStyle
import Raster
import Testing

@testable import MapRender

@Suite(.timeLimit(.minutes(5))) struct GlyphRangeTests {
    /// A message's field of bytes.
    private func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        let count = bytes.count
        return [number << 3 | 2] + (count < 128 ? [UInt8(count)] : [UInt8(count & 127) | 128, UInt8(count >> 7)])
            + bytes
    }

    private func glyph(
        id: UInt8, width: UInt8, height: UInt8, advance: UInt8, left: UInt8 = 1, top: UInt8 = 9, bitmap: [UInt8]? = nil
    ) -> [UInt8] {
        let texels = bitmap ?? [UInt8](repeating: 7, count: (Int(width) + 6) * (Int(height) + 6))
        return [1 << 3, id] + (texels.isEmpty ? [] : field(2, texels))
            + [3 << 3, width, 4 << 3, height, 5 << 3, left, 6 << 3, top, 7 << 3, advance]
    }

    private func file(_ glyphs: [[UInt8]]) -> [UInt8] {
        field(1, field(1, Array("Any".utf8)) + field(2, Array("0-255".utf8)) + glyphs.flatMap { field(3, $0) })
    }

    private func range(_ bytes: [UInt8]) -> GlyphRange? { GlyphRange(SharedBytes(bytes), first: 0) }

    @Test func glyphsHaveTheirSizesAndDistances() throws {
        let glyphs = try #require(
            range(
                file([
                    glyph(id: 65, width: 2, height: 3, advance: 11),
                    glyph(id: 32, width: 0, height: 0, advance: 6, bitmap: []),
                ])))
        let letter = try #require(glyphs[65])
        #expect(letter.metrics == GlyphMetrics(width: 2, height: 3, left: -1, top: -5, advance: 11))
        #expect(letter.texture?.widthPx == 8)
        #expect(letter.texture?.heightPx == 9)
        let space = try #require(glyphs[32])
        #expect(space.texture == nil)
        #expect(space.metrics.advance == 6)
        #expect(glyphs[66] == nil)
    }

    @Test func everyTruncationIsRefusedOrWhole() {
        let bytes = file([glyph(id: 65, width: 2, height: 3, advance: 11)])
        for count in 1..<bytes.count { #expect(range(Array(bytes[..<count])) == nil) }
        #expect(range([]) != nil)
    }

    @Test func everyChangedByteIsSurvived() {
        let bytes = file([glyph(id: 65, width: 2, height: 3, advance: 11)])
        for index in bytes.indices {
            for byte in [UInt8(0), 0x7F, 0x80, 0xFF] {
                var changed = bytes
                changed[index] = byte
                _ = range(changed)
            }
        }
    }

    @Test func bitmapsThatDoNotFitAreRefused() {
        #expect(range(file([glyph(id: 65, width: 2, height: 3, advance: 11, bitmap: [1, 2, 3])])) == nil)
        let huge: [UInt8] = [1 << 3, 65, 3 << 3, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 4 << 3, 1]
        #expect(range(field(1, field(3, huge))) == nil)
    }

    @Test(arguments: [UInt8(5), 6]) func offsetsBeyondReasonAreRefused(_ number: UInt8) {
        let most: [UInt8] = [UInt8](repeating: 0xFF, count: 9) + [1]
        let glyph: [UInt8] = [1 << 3, 65, 3 << 3, 0, 4 << 3, 0, number << 3] + most + [7 << 3, 6]
        #expect(range(file([glyph])) == nil)
    }

    @Test func rangesAreAskedForOnceByTheirAddress() {
        var addresses: [String] = []
        let glyphs = RangeGlyphs(template: "a/{fontstack}/{range}.pbf?{range}") { address, _ in
            addresses.append(address)
            return nil
        }
        for character: UInt32 in [0x41, 0x42, 0x4E2D, 0x1F600, 0x43] {
            #expect(glyphs.glyph(character, fontStack: "Noto {range}") == nil)
        }
        #expect(addresses == ["a/Noto {range}/0-255.pbf?0-255", "a/Noto {range}/19968-20223.pbf?19968-20223"])
    }

    /// #15.29: a folder has a range for each font and none for a stack of them, and the whole map came without a label.
    @Test func stacks_areJoinedFromTheRangesOfTheirFonts() throws {
        let files = [
            "A/0-255": file([glyph(id: 65, width: 2, height: 3, advance: 11)]),
            "B/0-255": file([
                glyph(id: 65, width: 2, height: 3, advance: 12), glyph(id: 66, width: 2, height: 3, advance: 13),
            ]),
            "A,C/0-255": file([glyph(id: 67, width: 2, height: 3, advance: 14)]),
        ].mapValues { SharedBytes($0) }
        var addresses: [String] = []
        let glyphs = RangeGlyphs(template: "{fontstack}/{range}") { address, first in
            addresses.append(address)
            return files[address].flatMap { GlyphRange($0, first: first) }
        }
        func advance(_ character: UInt32, _ stack: String) -> Double? {
            glyphs.glyph(character, fontStack: stack)?.metrics.advance
        }
        // The first font that has a character counts.
        #expect(advance(65, "A,B") == 11 && advance(66, "A,B") == 13 && advance(67, "A,B") == nil)
        #expect(advance(65, "B,A") == 12)
        #expect(addresses == ["A,B/0-255", "A/0-255", "B/0-255", "B,A/0-255"])
        // A range of the whole stack, as servers have them, is all that counts.
        #expect(advance(67, "A,C") == 14 && advance(65, "A,C") == nil)
    }
}
