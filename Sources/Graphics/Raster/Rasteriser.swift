package import Bytes
package import Colors

/// RGBA8, premultiplied, row-major without padding, origin at the top left.
package struct PixelBuffer: Sendable {
    package let pixels: SharedBytes
    package let widthPx: Int, heightPx: Int
}

/// Draws display lists. A picture allocates its pixels and the cells of one band, nothing per command or feature; the
/// buffers for outlines of strokes grow with the largest, up to a limit. Coverage is the exact area in fixed point,
/// blending is integer, and outlines of strokes use only `+ − × ÷ √` on doubles, which IEEE 754 defines to the last bit:
/// the same list gives the same bytes on every CPU.
package enum Rasteriser {
    /// At most a gibibyte of pixels. Guards against wrong arithmetic; code that accepts sizes from requests has a lower limit.
    package static let sideLimit = 16384

    /// Points of a shape after which it is asked whether to stop.
    static let pointsPerQuestion = 4096
    /// Pixels of shapes one over the other after which it is asked whether to stop.
    static let pixelsPerQuestion = 1 << 22

    /// Clips parts outside the canvas. `shouldStop` is asked before each command, band of rows and few thousand points.
    /// O(outline length + painted pixels). Throws `canvasOutOfRange` or `cancelled`.
    package static func draw(
        _ list: DisplayList, widthPx: Int, heightPx: Int, background: Color,
        shouldStop: @escaping () -> Bool = { false }
    ) throws(RasterError) -> PixelBuffer {
        guard (1...sideLimit).contains(widthPx), (1...sideLimit).contains(heightPx) else {
            throw .canvasOutOfRange(limit: sideLimit)
        }
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
