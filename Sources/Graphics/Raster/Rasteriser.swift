package import Bytes
package import Colors

/// A finished picture: RGBA8, premultiplied, row-major without padding, origin at the top left.
package struct PixelBuffer: Sendable {
    /// `widthPx` × `heightPx` × 4 bytes.
    package let pixels: SharedBytes
    package let widthPx: Int
    package let heightPx: Int
}

/// Draws display lists. A picture allocates its pixels and the cells of one band, nothing per command or feature; the buffers
/// for the outlines of strokes grow with the largest, up to a limit.
///
/// Coverage is the exact area in fixed point and blending is integer, and the outlines of strokes use only `+ − × ÷ √`
/// on doubles, which IEEE 754 defines to the last bit: the same list gives the same bytes on every CPU. Whether the same
/// list comes about is up to who makes it.
package enum Rasteriser {
    /// The longest side of a canvas: at most a gibibyte of pixels. A guard against wrong arithmetic, far above what a picture
    /// should have; who takes sizes from outside has a limit of its own.
    package static let sideLimit = 16384

    /// After so many points of a shape it is asked whether to stop.
    static let pointsPerQuestion = 4096
    /// After so many pixels of shapes that lie one over the other it is asked whether to stop.
    static let pixelsPerQuestion = 1 << 22

    /// The picture of `list` over `background`.
    ///
    /// Parts outside the canvas are clipped. `shouldStop` is asked before each command, each band of rows and each few
    /// thousand points of a shape.
    /// O(outline length + painted pixels). Throws `canvasOutOfRange` or `cancelled`.
    package static func draw(
        _ list: DisplayList, widthPx: Int, heightPx: Int, background: Color,
        shouldStop: @escaping () -> Bool = { false }
    ) throws(RasterError) -> PixelBuffer {
        guard (1...sideLimit).contains(widthPx), (1...sideLimit).contains(heightPx) else {
            throw .canvasOutOfRange(limit: sideLimit)
        }
        // Spans are worked on eight pixels at a time, of which the last may lie behind the picture.
        let memory = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: widthPx * heightPx + SpanBlender.width)
        memory.initialize(repeating: PixelBlender.packed(background).littleEndian)
        let pixels = UnsafeMutableBufferPointer(rebasing: memory[..<(widthPx * heightPx)])
        let shared = SharedBytes(
            adopting: pixels.baseAddress, count: widthPx * heightPx * 4,
            release: { UnsafeMutableRawPointer(mutating: $0).deallocate() })
        // `shared` owns the memory from here on, also when this throws; nobody reads it before it is returned.
        var pass = DrawPass(list, Canvas(pixels: pixels, widthPx: widthPx, heightPx: heightPx), shouldStop)
        try pass.run()
        return PixelBuffer(pixels: shared, widthPx: widthPx, heightPx: heightPx)
    }
}
