import CVips
import ImagePlan
import Parameters

#if canImport(Glibc)
    import Glibc
#endif

extension VipsImage {
    /// Turned clockwise around the middle, on or cut to `canvas` around the same middle. In memory.
    ///
    /// Neighbours are weighed premultiplied by Catmull-Rom, which keeps more detail than a linear kernel and rings less
    /// than a longer one; where the picture ends its edge is smooth. `background` has one level of 0–1 per band.
    consuming func turned(
        degrees: Double, canvas: PixelSize, background: [Float], shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> VipsImage {
        guard bands <= 4, background.count == bands else { throw .operationFailed(log: "background and bands differ") }
        let source = try PixelBuffer(self, shouldStop: shouldStop)
        let result = try PixelBuffer(like: source, size: canvas)
        let angle = degrees * .pi / 180
        var view = unsafe source.view
        for y in 0..<canvas.heightPx {
            if y % 32 == 0, shouldStop() { throw .cancelled }
            unsafe cvips_turn_row(
                &view, sin(angle), cos(angle), Int32(clamping: y), Int32(clamping: canvas.widthPx),
                Int32(clamping: canvas.heightPx), background, result.row(y))
        }
        return try result.image()
    }
}
