import Bytes
import Raster

/// The glyphs of 256 characters in a row, from a file of SDF glyphs.
final class GlyphRange: Sendable {
    static let count = 256
    private static let sideLimit: UInt64 = 256

    private let glyphs: [GlyphImage?]
    let byteCount: Int

    /// The characters from `first` on; others are left out. nil when the file is malformed. The format: message `glyphs
    /// { repeated fontstack = 1 }`, `fontstack { repeated glyph = 3 }`, `glyph { id = 1, bitmap = 2, width = 3, height
    /// = 4, sint left = 5, sint top = 6, advance = 7 }`.
    init?(_ bytes: SharedBytes, first: UInt32) {
        var glyphs = [GlyphImage?](repeating: nil, count: Self.count)
        do throws(ByteError) {
            var file = ByteCursor(bytes.span)
            while !file.isAtEnd {
                guard let stack = try Self.readField(&file, number: 1) else { continue }
                var stackCursor = ByteCursor(stack)
                while !stackCursor.isAtEnd {
                    guard let message = try Self.readField(&stackCursor, number: 3) else { continue }
                    guard let (id, glyph) = try Self.readGlyph(message) else { return nil }
                    let slot = Int64(bitPattern: id) &- Int64(first)
                    // Of glyphs that come twice the first counts: stacks are in the order of preference.
                    if glyphs.indices.contains(Int(slot)), glyphs[Int(slot)] == nil { glyphs[Int(slot)] = glyph }
                }
            }
        } catch {
            return nil
        }
        self.glyphs = glyphs
        byteCount = glyphs.reduce(Self.count * 8 + 64) { $0 + ($1?.byteCount ?? 0) }
    }

    subscript(character: UInt32) -> GlyphImage? { glyphs[Int(character & 255)] }

    @_lifetime(copy cursor)
    private static func readField(_ cursor: inout ByteCursor, number: UInt64) throws(ByteError) -> RawSpan? {
        let key = try cursor.readVarint()
        if key == number << 3 | 2 { return try readMessage(&cursor) }
        try skip(&cursor, key)
        return nil
    }

    @_lifetime(copy cursor)
    private static func readMessage(_ cursor: inout ByteCursor) throws(ByteError) -> RawSpan {
        let offset = cursor.offset
        guard let count = Int(exactly: try cursor.readVarint()) else { throw .truncated(offset: offset) }
        return try cursor.readSpan(count: count)
    }

    private static func skip(_ cursor: inout ByteCursor, _ key: UInt64) throws(ByteError) {
        switch key & 7 {
        case 0: _ = try cursor.readVarint()
        case 1: try cursor.skip(8)
        case 2: _ = try readMessage(&cursor)
        case 5: try cursor.skip(4)
        default: throw .truncated(offset: cursor.offset)
        }
    }

    /// nil when its numbers do not fit its bitmap.
    private static func readGlyph(_ message: RawSpan) throws(ByteError) -> (id: UInt64, glyph: GlyphImage)? {
        var cursor = ByteCursor(message)
        var (id, width, height, left, top, advance) = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        var bitmap: [UInt8] = []
        while !cursor.isAtEnd {
            let key = try cursor.readVarint()
            switch key {
            case 1 << 3: id = try cursor.readVarint()
            case 2 << 3 | 2:
                let span = try readMessage(&cursor)
                bitmap = span.withUnsafeBytes { [UInt8]($0) }
            case 3 << 3: width = try cursor.readVarint()
            case 4 << 3: height = try cursor.readVarint()
            case 5 << 3: left = try cursor.readVarint()
            case 6 << 3: top = try cursor.readVarint()
            case 7 << 3: advance = try cursor.readVarint()
            default: try skip(&cursor, key)
            }
        }
        guard width <= sideLimit, height <= sideLimit, advance <= sideLimit * 4,
            let left = signed(left), let top = signed(top)
        else { return nil }
        let metrics = GlyphMetrics(
            width: Double(width), height: Double(height), left: left, top: top, advance: Double(advance))
        guard !bitmap.isEmpty else { return (id, GlyphImage(texture: nil, metrics: metrics)) }
        guard
            let texture = Texture(
                widthPx: Int(width) + 2 * GlyphImage.border, heightPx: Int(height) + 2 * GlyphImage.border,
                format: .alpha, texels: SharedBytes(bitmap))
        else { return nil }
        return (id, GlyphImage(texture: texture, metrics: metrics))
    }

    private static func signed(_ value: UInt64) -> Double? {
        let number = Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
        return number.magnitude <= 4096 ? Double(number) : nil
    }
}
