import Bytes
import TextEngine

/// A range of 256 characters as renderers of maps load it: a message `glyphs` with one `fontstack`, whose glyphs are signed
/// distance fields of the machine's fonts.
enum GlyphRangeFile {
    static let count: UInt32 = 256
    /// From the baseline up to the line that the tops of glyphs are told from.
    private static let ascent = 26

    /// `first` is a multiple of 256, `stack` names of fonts joined by commas. Characters in no font are left out. Asks
    /// `shouldStop` before each glyph; nil if it says so.
    static func bytes(from first: UInt32, stack: String, fonts: FontSet, shouldStop: () -> Bool) -> [UInt8]? {
        let shaper = RunShaper(fonts: fonts)
        var list = Message()
        list.append(1, Array(stack.utf8))
        list.append(2, Array("\(first)-\(first + count - 1)".utf8))
        for character in first..<(first + count) where Unicode.Scalar(character) != nil {
            if shouldStop() { return nil }
            let shaped = shaper.glyphs(
                [character], Bidi.Run(range: 0..<1, isRightToLeft: false), fontStack: stack,
                language: RunShaper.language(of: [character]))
            if let glyph = shaped.first { list.append(3, message(character, glyph)) }
        }
        var file = Message()
        file.append(1, list.bytes)
        return file.bytes
    }

    private static func message(_ character: UInt32, _ shaped: ShapedGlyph) -> [UInt8] {
        let field = DistanceField(shaped.glyph, of: shaped.font)
        var glyph = Message()
        glyph.append(1, UInt64(character))
        if let field { glyph.append(2, field.texels) }
        glyph.append(3, UInt64(field?.width ?? 0))
        glyph.append(4, UInt64(field?.height ?? 0))
        glyph.append(5, signed: field?.left ?? 0)
        glyph.append(6, signed: (field?.top ?? 0) - ascent)
        glyph.append(7, UInt64(held: shaped.advance.rounded(), in: 0...255))
        return glyph.bytes
    }

    /// Fields of a message, written one after another.
    private struct Message {
        private(set) var bytes: [UInt8] = []

        mutating func append(_ field: UInt64, _ number: UInt64) {
            append(number: field << 3)
            append(number: number)
        }

        mutating func append(_ field: UInt64, signed number: Int) {
            append(field, UInt64(bitPattern: Int64(number << 1 ^ number >> 63)))
        }

        mutating func append(_ field: UInt64, _ content: [UInt8]) {
            append(number: field << 3 | 2)
            append(number: UInt64(content.count))
            bytes += content
        }

        private mutating func append(number: UInt64) {
            var rest = number
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(truncatingIfNeeded: rest))
        }
    }
}
