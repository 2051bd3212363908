import Bytes
import CVips
import Glibc
import ImagePlan

/// Mutable pixels in memory: packed rows of 1- or 2-byte samples, alpha straight and last.
@safe struct PixelBuffer: ~Copyable {
    let size: PixelSize
    let bands: Int
    let sampleByteCount: Int
    let hasAlpha: Bool
    let model: cvips_model
    private var pixels: UnsafeMutableRawPointer?

    /// All pixels of `image`. Throws `corrupt` for truncated sources, and `cancelled`.
    init(_ image: borrowing VipsImage, in context: RenderContext) throws(ImageError) {
        size = image.size
        bands = image.bands
        sampleByteCount = image.is16Bit ? 2 : 1
        hasAlpha = image.hasAlpha
        model = image.model
        unsafe pixels = nil
        var taken: UnsafeMutableRawPointer?
        try unsafe image.watched(in: context, { .corrupt(log: $0) }) { error in
            unsafe cvips_take_pixels(image.raw, &taken, error)
        }
        unsafe pixels = taken
    }

    init(rgbaOf image: consuming VipsImage, in context: RenderContext) throws(ImageError) {
        try self.init(image.inOutputColors().withColorAndAlpha(), in: context)
    }

    /// Zeros, in the layout of `other`.
    init(like other: borrowing PixelBuffer, size: PixelSize, rowCount: Int? = nil) throws(ImageError) {
        self.size = PixelSize(widthPx: size.widthPx, heightPx: rowCount ?? size.heightPx)
        bands = other.bands
        sampleByteCount = other.sampleByteCount
        hasAlpha = other.hasAlpha
        model = other.model
        let (row, isTooWide) = size.widthPx.multipliedReportingOverflow(by: bands * sampleByteCount)
        let (count, isTooHigh) = row.multipliedReportingOverflow(by: rowCount ?? size.heightPx)
        guard !isTooWide, !isTooHigh, count > 0, let memory = unsafe calloc(count, 1) else { throw .outOfMemory }
        unsafe pixels = memory
    }

    init(bytes: [UInt8], model: cvips_model) throws(ImageError) {
        size = PixelSize(widthPx: 1, heightPx: 1)
        bands = bytes.count
        sampleByteCount = 1
        hasAlpha = false
        self.model = model
        guard !bytes.isEmpty, let memory = unsafe malloc(bytes.count) else { throw .outOfMemory }
        unsafe memory.copyMemory(from: bytes, byteCount: bytes.count)
        unsafe pixels = memory
    }

    /// Straight RGBA of 8 bits. Throws `cancelled`.
    init(straight premultiplied: DecodedPixels, in context: RenderContext) throws(ImageError) {
        size = PixelSize(widthPx: premultiplied.widthPx, heightPx: premultiplied.heightPx)
        (bands, sampleByteCount, hasAlpha, model) = (4, 1, true, CVIPS_RGB)
        guard let memory = unsafe Self.straight(premultiplied, in: context) else {
            throw context.shouldStop() ? .cancelled : .outOfMemory
        }
        unsafe pixels = memory
    }

    /// From malloc; nil where memory is short, or after a stop.
    private static func straight(
        _ premultiplied: DecodedPixels, in context: RenderContext
    ) -> UnsafeMutableRawPointer? {
        guard let memory = unsafe malloc(premultiplied.rgba.count) else { return nil }
        let target = unsafe memory.assumingMemoryBound(to: UInt8.self)
        let step = 64 * 4 * premultiplied.widthPx
        for start in stride(from: 0, to: premultiplied.rgba.count, by: step) {
            if context.shouldStop() {
                unsafe free(memory)
                return nil
            }
            unsafe premultiplied.rgba.withUnsafeBytes { source in
                for pixel in stride(from: start, to: min(source.count, start + step), by: 4) {
                    let alpha = unsafe UInt32(source[pixel + 3])
                    for channel in pixel..<(pixel + 3) {
                        let level = unsafe alpha == 0 ? 0 : (UInt32(source[channel]) * 255 + alpha / 2) / alpha
                        unsafe target[channel] = UInt8(clamping: level)
                    }
                    unsafe target[pixel + 3] = UInt8(truncatingIfNeeded: alpha)
                }
            }
        }
        return unsafe memory
    }

    deinit { unsafe free(pixels) }
    var rowByteCount: Int { size.widthPx * bands * sampleByteCount }
    var byteCount: Int { rowByteCount * size.heightPx }

    /// `y` must be a row of the buffer.
    func row(_ y: Int) -> UnsafeMutableRawPointer? {
        precondition(y >= 0 && y < size.heightPx)
        return unsafe pixels.map { unsafe $0 + y * rowByteCount }
    }

    /// Copies all rows of `part`, which has the same bands and columns, to row `y` and below.
    func copy(_ part: borrowing PixelBuffer, toRow y: Int) throws(ImageError) {
        guard part.rowByteCount == rowByteCount, y >= 0, y + part.size.heightPx <= size.heightPx,
            let target = unsafe row(y), let source = unsafe part.row(0)
        else { throw .operationFailed(log: "frames differ in size or bands") }
        unsafe target.copyMemory(from: source, byteCount: part.byteCount)
    }

    /// Copies `part`, which has the same bands and fits there.
    func copy(_ part: borrowing PixelBuffer, toX x: Int, y: Int) throws(ImageError) {
        let pixelByteCount = bands * sampleByteCount
        guard part.bands == bands, part.sampleByteCount == sampleByteCount, x >= 0, y >= 0,
            x + part.size.widthPx <= size.widthPx, y + part.size.heightPx <= size.heightPx
        else { throw .operationFailed(log: "the part differs in bands or juts out") }
        for index in 0..<part.size.heightPx {
            guard let target = unsafe row(y + index), let source = unsafe part.row(index) else { return }
            unsafe (target + x * pixelByteCount).copyMemory(from: source, byteCount: part.rowByteCount)
        }
    }

    /// Converts to an image, which takes over the memory.
    consuming func image() throws(ImageError) -> VipsImage {
        let taken = unsafe pixels
        unsafe pixels = nil
        guard let taken = unsafe taken else { throw .operationFailed(log: "no pixels") }
        let (size, bands, bytes, model) = (size, bands, sampleByteCount, model)
        return try unsafe VipsImage.made({ .operationFailed(log: $0) }) { out, error in
            unsafe cvips_adopt_pixels(
                taken, size.widthPx.cInt, size.heightPx.cInt, bands.cInt, bytes.cInt, model, out, error)
        }
    }

    var view: cvips_picture {
        unsafe cvips_picture(
            pixels: pixels, width: size.widthPx.cInt, height: size.heightPx.cInt,
            bands: bands.cInt, has_alpha: hasAlpha ? 1 : 0, bytes: sampleByteCount.cInt)
    }
}

extension VipsImage {
    /// Takes over packed bytes from malloc, and the color profile of `source` if it still matters.
    init(
        adoptingPixels pixels: UnsafeMutablePointer<UInt8>, widthPx: Int, heightPx: Int, bands: Int, model: cvips_model,
        profileOf source: borrowing VipsImage
    ) throws(ImageError) {
        self = try unsafe Self.made({ .operationFailed(log: $0) }) { out, error in
            unsafe cvips_image_adopt(pixels, widthPx.cInt, heightPx.cInt, bands.cInt, model, out, error)
        }
        if source.needsProfile { unsafe cvips_copy_profile(source.raw, raw) }
    }

    consuming func withColorAndAlpha() throws(ImageError) -> VipsImage {
        let color = model == CVIPS_GREY ? try inSRGB() : self
        return color.hasAlpha ? color : try color.withAlpha()
    }

    var size: PixelSize { PixelSize(widthPx: widthPx, heightPx: heightPx) }
    var is16Bit: Bool { unsafe cvips_is_16bit(raw) != 0 }

    /// 255 or 65535.
    var fullLevel: Double { is16Bit ? 65535 : 255 }
}
