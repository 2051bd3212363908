import CVips
import Glibc

/// An image with its pixels in memory, packed, as filters read them.
@safe struct FilterImage: ~Copyable {
    private let image: VipsImage
    let shape: cvips_pixels
    let pixels: UnsafeRawPointer
    let context: RenderContext

    /// Rows between checks for a stop, at least.
    static let stepRowCount = 32

    /// Computes the pixels of `image` unless they are in memory.
    init(_ image: consuming VipsImage, in context: RenderContext) throws(ImageError) {
        if unsafe cvips_memory(image.raw) == nil { image = try Self.pulled(image, in: context) }
        guard let pixels = unsafe cvips_memory(image.raw) else { throw .operationFailed(log: "no pixels in memory") }
        self.shape = Self.shape(of: image)
        unsafe self.pixels = pixels
        self.image = image
        self.context = context
    }

    var model: cvips_model { image.model }
    var colorBands: Int { Int(shape.bands - shape.has_alpha) }
    consuming func release() -> VipsImage { image }

    func shape(colorBands: Int, isWide: Bool) -> cvips_pixels {
        cvips_pixels(
            width: shape.width, height: shape.height, bands: colorBands.cInt + shape.has_alpha,
            has_alpha: shape.has_alpha, is_wide: isWide ? 1 : 0)
    }

    /// Calls `work` for successive rows, with these pixels and their shape, the pixels of the result, the first row and
    /// the end. Keeps the profile if the model stays.
    func made(
        _ result: cvips_pixels, _ model: cvips_model, stepRowCount: Int = Self.stepRowCount,
        _ work: (UnsafeRawPointer, UnsafePointer<cvips_pixels>, UnsafeMutableRawPointer, Int32, Int32) -> Void
    ) throws(ImageError) -> VipsImage {
        let made = try unsafe Self.filled(result, model, stepRowCount: stepRowCount, in: context) {
            (out, first, end) throws(ImageError) in
            unsafe withUnsafePointer(to: shape) { unsafe work(pixels, $0, out, first, end) }
        }
        if model == image.model, image.needsProfile { unsafe cvips_copy_profile(image.raw, made.raw) }
        return made
    }

    private static func shape(of image: borrowing VipsImage) -> cvips_pixels {
        cvips_pixels(
            width: image.widthPx.cInt, height: image.heightPx.cInt,
            bands: image.bands.cInt, has_alpha: image.hasAlpha ? 1 : 0, is_wide: image.is8Bit ? 0 : 1)
    }

    private static func pulled(_ image: borrowing VipsImage, in context: RenderContext) throws(ImageError) -> VipsImage
    {
        let rows = try RowSource(image)
        let rowLength = image.widthPx * image.bands * (image.is8Bit ? 1 : 2)
        let width = image.widthPx
        let made = try unsafe filled(shape(of: image), image.model, stepRowCount: stepRowCount, in: context) {
            (out, first, end) throws(ImageError) in
            let strip = try unsafe rows.strip(left: 0, top: Int(first), width: width, height: Int(end - first))
            for row in 0..<Int(end - first) {
                unsafe memcpy(out + (Int(first) + row) * rowLength, strip.first + row * strip.stride, rowLength)
            }
        }
        if image.needsProfile { unsafe cvips_copy_profile(image.raw, made.raw) }
        return made
    }

    private static func filled(
        _ shape: cvips_pixels, _ model: cvips_model, stepRowCount: Int, in context: RenderContext,
        _ work: (UnsafeMutableRawPointer, Int32, Int32) throws(ImageError) -> Void
    ) throws(ImageError) -> VipsImage {
        let length = Int(shape.width) * Int(shape.height) * Int(shape.bands) * (shape.is_wide != 0 ? 2 : 1)
        let memory = try PixelMemory(byteCount: length)
        for first in stride(from: 0, to: Int(shape.height), by: stepRowCount) {
            try context.checkStop()
            let end = min(first + stepRowCount, Int(shape.height))
            try unsafe work(memory.first, first.cInt, end.cInt)
        }
        let out = unsafe memory.handOver()
        return try unsafe VipsImage.made({ .operationFailed(log: $0) }) { image, error in
            var shape = shape
            return unsafe cvips_adopt_samples(out, &shape, model, image, error)
        }
    }
}
