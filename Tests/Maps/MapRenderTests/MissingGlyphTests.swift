import Bytes
import MapStyle
import TextEngine
import Raster
import Testing

@testable import MapRender

/// #15.29: texts whose glyphs are in no range and in no font are told, where they were missing without a word.
@Suite(.timeLimit(.minutes(5))) struct MissingGlyphTests {
    /// Glyph ranges by their address.
    private struct Glyphs: MapResources {
        var files: [String: [UInt8]] = [:]

        func bytes(at address: String) throws(ResourceError) -> SharedBytes? { files[address].map { SharedBytes($0) } }
    }

    /// A character that no font has: the last one for private use.
    private static let nowhere = "\u{10FFFD}"
    private static let noFonts = FontSet(folders: ["/nonexistent"])

    /// A range with one black square of two pixels, eight wide.
    private func range(_ character: UInt8) -> [UInt8] {
        var glyph: [UInt8] = [1 << 3, character, 2 << 3 | 2, 64]
        glyph += [UInt8](repeating: 255, count: 64)
        glyph += [3 << 3, 2, 4 << 3, 2, 5 << 3, 0, 6 << 3, 9, 7 << 3, 8] as [UInt8]
        let stack: [UInt8] = [3 << 3 | 2, UInt8(glyph.count)] + glyph
        return [1 << 3 | 2, UInt8(stack.count)] + stack
    }

    private func map(
        _ text: String, at longitude: Double = 0, glyphs: Glyphs? = Glyphs(),
        fonts: FontSet = MissingGlyphTests.noFonts,
        engine known: MapEngine? = nil
    ) throws -> RenderedMap {
        let address = glyphs == nil ? "" : #""glyphs": "{fontstack}/{range}","#
        let style = try Style.read(
            Array(
                """
                {"version": 8, \(address) "sources": {"s": {"type": "geojson", "data": {
                  "type": "Point", "coordinates": [\(longitude), 0]}}},
                 "layers": [{"id": "l", "type": "symbol", "source": "s",
                   "layout": {"text-field": "\(text)", "text-font": ["A", "B"]}}]}
                """.utf8))
        let engine = known ?? MapEngine(resources: glyphs ?? Glyphs(), fonts: fonts)
        return try engine.render(style, Camera(longitude: 0, latitude: 0, zoom: 8, width: 64, height: 64))
    }

    private func bytes(_ map: RenderedMap) -> [UInt8] { map.pixels.withUnsafeBytes { Array($0) } }

    private func isBlank(_ map: RenderedMap) -> Bool { map.pixels.withUnsafeBytes { $0.allSatisfy { $0 == 0 } } }

    @Test func fontsOfAStack_areJoined() throws {
        let both = Glyphs(files: ["A/0-255": range(97), "B/0-255": range(98)])
        let map = try map("ab", glyphs: both)
        #expect(!isBlank(map) && map.missingGlyphs.isEmpty && !map.isIncomplete)
        let wholeStack = Glyphs(files: ["A,B/0-255": range(97)])
        #expect(try bytes(self.map("aa", glyphs: wholeStack)) == bytes(self.map("aa", glyphs: both)))
    }

    @Test func whatNoFontHas_isTold_everyTime() throws {
        let glyphs = Glyphs(files: ["A/0-255": range(97)])
        let engine = MapEngine(resources: glyphs, fonts: Self.noFonts)
        for _ in 0..<2 {
            // The second time the text comes from memory.
            let map = try map("aba", glyphs: glyphs, engine: engine)
            #expect(map.missingGlyphs == [MissingGlyph(character: 98, fontStack: "A,B")])
            #expect(map.missingGlyphs.first?.text == "U+0062 in A,B")
            #expect(map.isIncomplete && !map.hasPassingFaults && map.faults.isEmpty && !isBlank(map))
        }
    }

    @Test func labelsWithoutAGlyph_areTold() throws {
        let map = try map("ab")
        #expect(isBlank(map) && map.missingGlyphs.map(\.character) == [97, 98])
        // Far from the picture nothing is missing in it.
        #expect(try self.map("ab", at: 90).missingGlyphs.isEmpty)
    }

    /// Of two names at one place one is shown; what the other lacks is not missed.
    @Test func namesThatAreNotShown_missNothing() throws {
        let glyphs = Glyphs(files: ["A/0-255": range(97)])
        func map(_ texts: [String]) throws -> RenderedMap {
            let features = texts.map { text in
                #"{"type": "Feature", "properties": {"name": "\#(text)"}, "#
                    + #""geometry": {"type": "Point", "coordinates": [0, 0]}}"#
            }
            let style = try Style.read(
                Array(
                    """
                    {"version": 8, "glyphs": "{fontstack}/{range}", "sources": {"s": {"type": "geojson", "data": {
                      "type": "FeatureCollection", "features": [\(features.joined(separator: ","))]}}},
                     "layers": [{"id": "l", "type": "symbol", "source": "s",
                       "layout": {"text-field": ["get", "name"], "text-font": ["A", "B"]}}]}
                    """.utf8))
            return try MapEngine(resources: glyphs, fonts: Self.noFonts).render(
                style, Camera(longitude: 0, latitude: 0, zoom: 8, width: 64, height: 64))
        }
        #expect(try map(["aa", "ab"]).missingGlyphs.isEmpty)
        #expect(try map(["ab", "ac"]).missingGlyphs.map(\.character) == [98])
    }

    @Test func blanksAndControls_areNotMissed() throws {
        let glyphs = Glyphs(files: ["A/0-255": range(97)])
        #expect(try map("a a\u{AD}\u{200E}\u{FE0F}", glyphs: glyphs).missingGlyphs.isEmpty)
    }

    @Test func machinesWithoutFonts_areNotSilent() throws {
        let map = try map("ab", glyphs: nil)
        #expect(isBlank(map) && map.missingGlyphs.map(\.character) == [97, 98])
    }

    @Test(.enabled(if: !FontSet().faces.isEmpty, "no fonts on this machine"))
    func machinesFonts_standInForRanges() throws {
        let glyphs = Glyphs(files: ["A/0-255": range(97)])
        let map = try map("ab", glyphs: glyphs, fonts: FontSet())
        #expect(map.missingGlyphs.isEmpty)
        #expect(try bytes(map) != bytes(self.map("ab", glyphs: glyphs)))
        #expect(try self.map(Self.nowhere, glyphs: glyphs, fonts: FontSet()).missingGlyphs.count == 1)
    }

    /// Letters that join each other are set together, by the rules of a font.
    @Test(.enabled(if: FontSet().faces.contains { $0.family.contains("Arabic") }, "no Arabic font on this machine"))
    func machinesFonts_joinLetters() throws {
        let fromFont = try map("\u{628}\u{628}", glyphs: nil, fonts: FontSet())
        let standingIn = try map("\u{628}\u{628}", fonts: FontSet())
        #expect(standingIn.missingGlyphs.isEmpty && bytes(standingIn) == bytes(fromFont))
    }
}
