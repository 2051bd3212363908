import CVips
import ImagePlan

import Glibc

/// Pixels in memory that are ours to change: packed rows of samples of one or two bytes, alpha straight and last.
@safe struct PixelBuffer: ~Copyable {
    let size: PixelSize
    let bands: Int
    /// Bytes per sample: 1 or 2.
    let sampleByteCount: Int
    let hasAlpha: Bool
    let model: cvips_model
    private var pixels: UnsafeMutableRawPointer?

    /// Works out all pixels of `image`. Throws `corrupt` where its source breaks off, `cancelled`.
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

    /// `image`, worked out, in sRGB with alpha.
    init(rgbaOf image: consuming VipsImage, in context: RenderContext) throws(ImageError) {
        try self.init(image.inOutputColors().withColorAndAlpha(), in: context)
    }

    /// Zeros, of the kind of `other`.
    init(like other: borrowing PixelBuffer, size: PixelSize, rowCount: Int? = nil) throws(ImageError) {
        self.size = PixelSize(widthPx: size.widthPx, heightPx: rowCount ?? size.heightPx)
        bands = other.bands
        sampleByteCount = other.sampleByteCount
        hasAlpha = other.hasAlpha
        model = other.model
        let (row, isTooWide) = size.widthPx.multipliedReportingOverflow(by: bands * sampleByteCount)
        let (count, isTooHigh) = row.multipliedReportingOverflow(by: rowCount ?? size.heightPx)
        guard !isTooWide, !isTooHigh, count > 0, let memory = unsafe calloc(count, 1) else {
            throw .outOfMemory
        }
        unsafe pixels = memory
    }

    /// One pixel of 8 bits.
    init(bytes: [UInt8], model: cvips_model) throws(ImageError) {
        size = PixelSize(widthPx: 1, heightPx: 1)
        bands = bytes.count
        sampleByteCount = 1
        hasAlpha = false
        self.model = model
        guard !bytes.isEmpty, let memory = unsafe malloc(bytes.count) else {
            throw .outOfMemory
        }
        unsafe memory.copyMemory(from: bytes, byteCount: bytes.count)
        unsafe pixels = memory
    }

    deinit {
        unsafe free(pixels)
    }

    var rowByteCount: Int { size.widthPx * bands * sampleByteCount }

    var byteCount: Int { rowByteCount * size.heightPx }

    /// Row `y`, which must be there.
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

    /// The same pixels as an image, which takes them over.
    consuming func image() throws(ImageError) -> VipsImage {
        let taken = unsafe pixels
        unsafe pixels = nil
        guard let taken = unsafe taken else { throw .operationFailed(log: "no pixels") }
        let (size, bands, bytes, model) = (size, bands, sampleByteCount, model)
        return try unsafe VipsImage.made({ .operationFailed(log: $0) }) { out, error in
            unsafe cvips_adopt_pixels(
                taken, Int32(clamping: size.widthPx), Int32(clamping: size.heightPx), Int32(clamping: bands),
                Int32(clamping: bytes), model, out, error)
        }
    }

    /// How the C loops see it; valid as long as the buffer.
    var view: cvips_picture {
        unsafe cvips_picture(
            pixels: pixels, width: Int32(clamping: size.widthPx), height: Int32(clamping: size.heightPx),
            bands: Int32(clamping: bands), has_alpha: hasAlpha ? 1 : 0, bytes: Int32(clamping: sampleByteCount))
    }
}

extension VipsImage {
    /// Takes over packed bytes from malloc, and the color profile of `source` where it still matters.
    init(
        adoptingPixels pixels: UnsafeMutablePointer<UInt8>, widthPx: Int, heightPx: Int, bands: Int, model: cvips_model,
        profileOf source: borrowing VipsImage
    ) throws(ImageError) {
        self = try unsafe Self.made({ .operationFailed(log: $0) }) { out, error in
            unsafe cvips_image_adopt(
                pixels, Int32(clamping: widthPx), Int32(clamping: heightPx), Int32(clamping: bands), model, out, error)
        }
        if source.needsProfile { unsafe cvips_copy_profile(source.raw, raw) }
    }

    /// RGB where it was grey, with alpha.
    consuming func withColorAndAlpha() throws(ImageError) -> VipsImage {
        let color = model == CVIPS_GREY ? try inSRGB() : self
        return color.hasAlpha ? color : try color.withAlpha()
    }

    var size: PixelSize { PixelSize(widthPx: widthPx, heightPx: heightPx) }

    var is16Bit: Bool { unsafe cvips_is_16bit(raw) != 0 }

    /// What stands for full: 255 or 65535.
    var fullLevel: Double { is16Bit ? 65535 : 255 }
}
