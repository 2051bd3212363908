import CText

/// A face of a font file, mapped into memory. Any thread may use it.
@safe package final class Font: @unchecked Sendable {
    // Proof for `@unchecked Sendable`: the handle is set once, what it points to never changes (HarfBuzz marks the font
    // as immutable and guards its own lazily made tables), and it is closed after the last reference is gone.
    private let handle: OpaquePointer

    package let id: Int
    /// 1/24 em per unit of the font.
    let scale: Double

    /// nil when the file has no such face with outlines.
    init?(path: String, face: Int, id: Int) {
        guard let handle = unsafe ctext_font_open(path, Int32(face)) else { return nil }
        unsafe self.handle = handle
        self.id = id
        scale = 24 / Double(max(1, unsafe ctext_font_units(handle)))
    }

    deinit { unsafe ctext_font_close(handle) }

    package func has(_ character: UInt32) -> Bool { unsafe ctext_font_glyph(handle, character) != 0 }

    /// The glyphs of a run of one script and direction, from left to right. The surroundings in `text` matter. O(characters).
    package func shape(
        _ text: [UInt32], _ range: Range<Int>, isRightToLeft: Bool, script: UInt32, language: String
    ) -> [ShapedGlyph] {
        var glyphs: UnsafeMutablePointer<ctext_glyph>?
        let count = unsafe text.withUnsafeBufferPointer { buffer in
            unsafe ctext_shape(
                handle, buffer.baseAddress, Int32(buffer.count), Int32(range.lowerBound), Int32(range.upperBound),
                isRightToLeft, script, language, &glyphs)
        }
        defer { unsafe ctext_release(glyphs) }
        guard count > 0, let glyphs = unsafe glyphs else { return [] }
        return (0..<Int(count)).map { index in
            let glyph = unsafe glyphs[index]
            return ShapedGlyph(
                font: self, glyph: glyph.glyph, cluster: Int(glyph.cluster), advance: Double(glyph.advance) * scale,
                offsetX: Double(glyph.x_offset) * scale, offsetY: -Double(glyph.y_offset) * scale)
        }
    }

    /// In 1/24 em, y down from the baseline; empty for a blank or one too large.
    package func outline(_ glyph: UInt32) -> Outline {
        var segments: UnsafeMutablePointer<ctext_segment>?
        let count = unsafe ctext_outline(handle, glyph, &segments)
        defer { unsafe ctext_release(segments) }
        var outline = Outline()
        guard count > 0, let segments = unsafe segments else { return outline }
        for index in 0..<Int(count) {
            let segment = unsafe segments[index]
            func point(_ x: Float, _ y: Float) -> OutlinePoint {
                OutlinePoint(x: Double(x) * scale, y: -Double(y) * scale)
            }
            let end = point(segment.x, segment.y)
            switch segment.kind {
            case 0: outline.move(to: end)
            case 1: outline.line(to: end)
            case 2: outline.curve(to: end, by: point(segment.x1, segment.y1))
            default: outline.curve(to: end, by: point(segment.x1, segment.y1), and: point(segment.x2, segment.y2))
            }
        }
        outline.close()
        return outline
    }
}

/// Lengths are in 1/24 em.
package struct ShapedGlyph: Sendable {
    package var font: Font
    /// In the font; 0 stands for a missing glyph.
    package var glyph: UInt32
    /// The index in the text of its first character.
    package var cluster: Int
    package var advance: Double
    /// From the pen, to the right and down.
    package var offsetX: Double, offsetY: Double
}
