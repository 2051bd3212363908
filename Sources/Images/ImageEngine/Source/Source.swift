import Bytes
import CVips
import ImagePlan

/// An image whose header has been read and found within the limits.
struct Source: ~Copyable {
    let header: ImageHeader
    let image: VipsImage

    /// Sniffs, loads the header by the loader of that format, and checks the limits. Nothing is decoded.
    ///
    /// A drawing has no header: its text is counted, then parsed. `context` admits each of the two, and may stop the counting.
    /// `bytes` must outlive this value and what is derived from it.
    init(_ bytes: SharedBytes, in context: RenderContext) throws(ImageError) {
        let limits = context.options.limits
        guard let format = ImageEngine.sniff(bytes) else { throw .unsupportedFormat }
        guard bytes.count <= limits.sourceByteCount else {
            throw .sourceTooLong(byteCount: bytes.count, limit: limits.sourceByteCount)
        }
        let scan = format == .jpeg ? JPEGScan(bytes.span, limit: limits.jpegScanCount) : nil
        if let scan, scan.scanCount > limits.jpegScanCount { throw .tooManyScans(limit: limits.jpegScanCount) }
        let isWhole = try Self.isDecodedWhole(bytes.span, format, limits, scan: scan)
        let drawing = try Self.drawing(bytes, format, in: context)
        let image = try Self.load(bytes, format, shouldStop: context.shouldStop)
        // libheif applies the turn of the container itself; an EXIF orientation beside it would be applied twice.
        let isUpright = format == .avif || format == .heic
        // The levels of a pyramid are one image.
        let isPyramid = format == .tiff && TIFFReduction.areAllPages(bytes, of: image)
        var header = ImageHeader(
            format: format, widthPx: image.widthPx, heightPx: image.heightPx,
            orientation: isUpright ? 1 : image.orientation, hasAlpha: image.hasAlpha,
            pageCount: isPyramid ? 1 : image.pageCount,
            isAnimated: image.pageCount > 1 && (format == .gif || format == .webp),
            bitDepth: image.sampleBits > 8 ? 16 : 8, isFlat: Self.isFlat(bytes.span, format, image))
        header.drawing = drawing
        if isWhole, let scan { header.heldScanCount = max(1, scan.scanCount) }
        if isWhole, format == .png { header.heldScanCount = Self.interlacedScanCount }
        try limits.check(
            PageClaim(
                widthPx: header.widthPx, heightPx: header.heightPx, pageCount: header.pageCount,
                isDecodedWhole: isWhole))
        // The product cannot overflow: the limits were checked.
        let scanLimit = limits.scanLimit(pixelCount: header.widthPx * header.heightPx)
        if let scan, scan.scanCount > scanLimit { throw .tooManyScans(limit: scanLimit) }
        self.init(header: header, image: image)
    }

    init(_ bytes: SharedBytes, limits: ImageLimits) throws(ImageError) {
        try self.init(bytes, in: RenderContext(options: RenderOptions(limits: limits)))
    }

    /// Of parts that have been checked before.
    init(header: ImageHeader, image: consuming VipsImage) {
        self.header = header
        self.image = image
    }

    /// Page `page`, counted from 0, of a file whose first page has `header`. Throws the limit that the page breaks.
    init(page: Int, of bytes: SharedBytes, like header: ImageHeader, limits: ImageLimits) throws(ImageError) {
        let image = try Source.load(bytes, header.format, page: page)
        var header = header
        header.widthPx = image.widthPx
        header.heightPx = image.heightPx
        if header.format == .tiff { header.orientation = image.orientation }
        header.hasAlpha = image.hasAlpha
        header.bitDepth = image.sampleBits > 8 ? 16 : 8
        try limits.check(
            PageClaim(
                widthPx: header.widthPx, heightPx: header.heightPx, pageCount: 1,
                isDecodedWhole: header.format != .tiff))
        self.init(header: header, image: image)
    }

    /// The same file at `page`, counted from 1: pages of documents may differ in whatever the header says. Throws the limit
    /// that the page breaks.
    consuming func at(page: Int?, of bytes: SharedBytes, limits: ImageLimits) throws(ImageError) -> Source {
        guard let page, page > 1, page <= header.pageCount, !header.isAnimated else { return self }
        return try Source(page: page - 1, of: bytes, like: header, limits: limits)
    }

    /// Adam7 has seven (ISO/IEC 15948 §8.2).
    private static let interlacedScanCount = 7

    /// What a drawing asks for, before a library parses it; nil for other formats. Throws `tooComplex`.
    private static func drawing(
        _ bytes: SharedBytes, _ format: SourceFormat, in context: RenderContext
    ) throws(ImageError) -> DrawingComplexity? {
        guard format.isDrawing else { return nil }
        // Sources are unpacked before they are opened: this one was packed twice.
        if format == .svg, CompressedSVG.isPacked(bytes.span) { throw .tooComplex(.expansion) }
        try context.admit(PredictedCost.counting(format, byteCount: bytes.count))
        let complexity =
            format == .svg
            ? try SVGInspector.complexity(of: bytes, in: context)
            : try PDFInspector.complexity(of: bytes, in: context)
        try context.admit(PredictedCost.parsing(complexity, format, byteCount: bytes.count))
        return complexity
    }

    /// Whether the kind of the file says that it is no photograph: a palette, fewer than 8 bits, a drawing.
    private static func isFlat(_ bytes: RawSpan, _ format: SourceFormat, _ image: borrowing VipsImage) -> Bool {
        switch format {
        case .gif, .svg, .pdf: true
        // Bits of a sample and color type of IHDR (ISO/IEC 15948 §11.2.2): type 3 is the palette.
        case .png: (bytes.byte(24) ?? 8) < 8 || bytes.byte(25) == 3
        case .tiff: image.sampleBits < 8
        // Bits of a pixel; icons are drawn.
        case .bmp: bytes.little(28, 2) ?? 24 <= 8
        case .ico: true
        case .jpeg, .webp, .avif, .heic, .jxl: false
        }
    }

    /// Whether the decoder needs memory for the whole image before it gives the first row.
    private static func isDecodedWhole(
        _ bytes: RawSpan, _ format: SourceFormat, _ limits: ImageLimits, scan: JPEGScan?
    ) throws(ImageError) -> Bool {
        switch format {
        case .jpeg: return scan?.isDecodedWhole == true
        // The interlace method is the last byte of IHDR (ISO/IEC 15948 §11.2.2).
        case .png: return bytes.byte(28) != 0
        case .gif:
            // The logical screen, which libvips passes over when it finds it implausible (GIF89a §18).
            try limits.check(
                PageClaim(
                    widthPx: bytes.little(6, 2) ?? 0, heightPx: bytes.little(8, 2) ?? 0, pageCount: 1,
                    isDecodedWhole: true))
            return true
        case .webp, .avif, .heic, .jxl, .pdf, .svg, .bmp, .ico: return true
        case .tiff: return false
        }
    }
}
