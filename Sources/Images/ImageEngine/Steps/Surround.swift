import Bytes
import CVips
import ImagePlan
import Parameters

/// Lays the image on a larger canvas that shows it once more: covering, blurred and a little darker (`background=blur`).
struct SurroundStage: PixelStage {
    private let canvas: PixelSize
    private let (x, y): (Int, Int)
    let name = "surround"

    init?(_ plan: ImagePlan) {
        for case .surround(let canvas, let x, let y) in plan.steps {
            (self.canvas, self.x, self.y) = (canvas, x, y)
            return
        }
        return nil
    }

    func apply(to image: consuming VipsImage, in work: inout StageWork) throws(ImageError) -> VipsImage {
        let picture = try FilterImage(image, in: work.context).release()
        let backdrop = try Backdrop.covering(canvas, with: picture, in: work.context)
        let pixels = try PixelBuffer(backdrop, in: work.context)
        try pixels.lay(PixelBuffer(picture, in: work.context), atX: x, y: y)
        let result = try pixels.image()
        if picture.needsProfile { unsafe cvips_copy_profile(picture.raw, result.raw) }
        return result
    }
}

/// The blurred copy is made this small and enlarged, which costs the same for any canvas and any blur.
private enum Backdrop {
    static let longerSidePx = 128
    /// Of the small copy: about 4 % of the longer side. With less, the grid of the small copy would show.
    static let filters: [ImageFilter] = [.blur(sigma: 5), .exposure(ev: -0.7)]

    /// As many bits and bands as `picture`.
    static func covering(
        _ canvas: PixelSize, with picture: borrowing VipsImage, in context: RenderContext
    ) throws(ImageError) -> VipsImage {
        let share = min(1, Double(longerSidePx) / Double(max(canvas.widthPx, canvas.heightPx)))
        let small = PixelSize(
            widthPx: side(Double(canvas.widthPx) * share, atLeast: 1),
            heightPx: side(Double(canvas.heightPx) * share, atLeast: 1))
        let factor = max(
            Double(small.widthPx) / Double(picture.widthPx), Double(small.heightPx) / Double(picture.heightPx))
        let covering = PixelSize(
            widthPx: side(Double(picture.widthPx) * factor, atLeast: small.widthPx),
            heightPx: side(Double(picture.heightPx) * factor, atLeast: small.heightPx))
        let window = PixelRect(
            x: (covering.widthPx - small.widthPx) / 2, y: (covering.heightPx - small.heightPx) / 2,
            widthPx: small.widthPx, heightPx: small.heightPx)
        let is16Bit = picture.is16Bit
        let reduced =
            is16Bit
            ? try picture.normalised().resampled(to: covering, window: window, in: context)
            : try picture.resampled(to: covering, window: window, in: context)
        let blurred = try Filters.apply(filters, to: reduced, in: context)
        let large = try blurred.resampled(to: canvas, window: PixelRect(covering: canvas), in: context)
        return is16Bit ? try large.in16Bits() : large
    }

    private static func side(_ length: Double, atLeast least: Int) -> Int {
        max(least, Int(held: length.rounded(), in: 1...(1 << 30)))
    }
}

extension PixelBuffer {
    /// Composites `part`, which has the same bands and fits there.
    fileprivate func lay(_ part: borrowing PixelBuffer, atX x: Int, y: Int) throws(ImageError) {
        guard hasAlpha else { return try copy(part, toX: x, y: y) }
        guard part.bands == bands, part.sampleByteCount == sampleByteCount, x >= 0, y >= 0,
            x + part.size.widthPx <= size.widthPx, y + part.size.heightPx <= size.heightPx
        else { throw .operationFailed(log: "the part differs in bands or juts out") }
        for index in 0..<part.size.heightPx {
            guard let target = unsafe row(y + index), let source = unsafe part.row(index) else { return }
            unsafe cvips_lay_row(
                target + x * bands * sampleByteCount, source, part.size.widthPx, bands.cInt, 1, sampleByteCount.cInt,
                65536)
        }
    }
}
