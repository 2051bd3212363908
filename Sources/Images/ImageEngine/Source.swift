import Bytes
import CVips
import ImagePlan

/// A picture whose header has been read and found within the limits.
struct Source: ~Copyable {
    let traits: SourceTraits
    let image: VipsImage

    /// Sniffs, loads the header by the loader of that format, and checks the limits. Nothing is decoded.
    ///
    /// A drawing has no header: its text is counted, then parsed. `admit` is asked before each, and may end the call.
    /// `bytes` must outlive this value and what is derived from it. `shouldStop` as for `load`; of drawings it is asked while
    /// they are counted.
    init(
        _ bytes: SharedBytes, limits: ImageLimits, admit: (PredictedCost) -> Admission = Admission.always,
        shouldStop: @escaping @Sendable () -> Bool = { false }
    ) throws(ImageError) {
        guard let format = ImageEngine.sniff(bytes) else { throw .unsupportedFormat }
        guard bytes.count <= limits.sourceByteCount else {
            throw .sourceTooLong(byteCount: bytes.count, limit: limits.sourceByteCount)
        }
        let scan = format == .jpeg ? JPEGScan(bytes.span, limit: limits.jpegScanCount) : nil
        if let scan, scan.scanCount > limits.jpegScanCount { throw .tooManyScans(limit: limits.jpegScanCount) }
        let isWhole = try Self.isDecodedWhole(bytes, format, limits, scan: scan)
        let drawing = try Self.drawing(bytes, format, admit: admit, shouldStop: shouldStop)
        let image = try Self.load(bytes, format, shouldStop: shouldStop)
        // libheif applies the turn of the container itself; an EXIF orientation beside it would be applied twice.
        let isUpright = format == .avif || format == .heic
        // The levels of a pyramid are one picture.
        let isPyramid = format == .tiff && TIFFReduction.areAllPages(bytes, of: image)
        var traits = SourceTraits(
            format: format, widthPx: image.widthPx, heightPx: image.heightPx,
            orientation: isUpright ? 1 : image.orientation, hasAlpha: image.hasAlpha,
            pageCount: isPyramid ? 1 : image.pageCount,
            isAnimated: image.pageCount > 1 && (format == .gif || format == .webp),
            bitDepth: image.sampleBits > 8 ? 16 : 8, isFlat: Self.isFlat(bytes.span, format, image))
        traits.drawing = drawing
        if isWhole, let scan { traits.heldScanCount = max(1, scan.scanCount) }
        if isWhole, format == .png { traits.heldScanCount = Self.interlacedScanCount }
        try limits.check(
            PageClaim(
                widthPx: traits.widthPx, heightPx: traits.heightPx, pageCount: traits.pageCount,
                isDecodedWhole: isWhole))
        // Its product is a number: the limits were checked.
        let scanLimit = limits.scanLimit(pixelCount: traits.widthPx * traits.heightPx)
        if let scan, scan.scanCount > scanLimit { throw .tooManyScans(limit: scanLimit) }
        self.traits = traits
        self.image = image
    }

    /// Of parts that have been checked before.
    init(traits: SourceTraits, image: consuming VipsImage) {
        self.traits = traits
        self.image = image
    }

    /// Adam7 has seven (ISO/IEC 15948 §8.2).
    private static let interlacedScanCount = 7

    /// What a drawing asks for, before a library parses it; nil for what is none. Throws `tooComplex`, `cancelled` and what
    /// `admit` answers.
    private static func drawing(
        _ bytes: SharedBytes, _ format: SourceFormat, admit: (PredictedCost) -> Admission, shouldStop: () -> Bool
    ) throws(ImageError) -> DrawingTraits? {
        guard format.isDrawing else { return nil }
        // Whoever opens a source has unpacked it: what is packed still was packed twice.
        if format == .svg, PackedDrawing.isPacked(bytes.span) { throw .tooComplex(.expansion) }
        let counting = PredictedCost.counting(format, byteCount: bytes.count)
        try admit(counting).check(counting)
        let traits =
            format == .svg
            ? try DrawingSurvey.traits(of: bytes, shouldStop: shouldStop)
            : try DocumentSurvey.traits(of: bytes, shouldStop: shouldStop)
        let parsing = PredictedCost.parsing(traits, format, byteCount: bytes.count)
        try admit(parsing).check(parsing)
        return traits
    }

    /// Whether the kind of the file says that it is no photograph: a palette, fewer than 8 bits, a drawing.
    private static func isFlat(_ bytes: RawSpan, _ format: SourceFormat, _ image: borrowing VipsImage) -> Bool {
        switch format {
        case .gif, .svg, .pdf: true
        // Bits of a sample and color type of IHDR (ISO/IEC 15948 §11.2.2): type 3 is the palette.
        case .png: (byte(bytes, 24) ?? 8) < 8 || byte(bytes, 25) == 3
        case .tiff: image.sampleBits < 8
        // Bits of a pixel; icons are drawn.
        case .bmp: bytes.little(28, 2) ?? 24 <= 8
        case .ico: true
        case .jpeg, .webp, .avif, .heic, .jxl: false
        }
    }

    /// Whether the decoder needs memory for the whole picture before it gives the first row.
    private static func isDecodedWhole(
        _ bytes: SharedBytes, _ format: SourceFormat, _ limits: ImageLimits, scan: JPEGScan?
    ) throws(ImageError) -> Bool {
        switch format {
        case .jpeg: return scan?.isDecodedWhole == true
        case .png:
            // The interlace method is the last byte of IHDR (ISO/IEC 15948 §11.2.2).
            return byte(bytes.span, 28) != 0
        case .gif:
            try checkScreen(bytes.span, limits)
            return true
        case .webp, .avif, .heic: return true
        case .jxl, .pdf, .svg, .bmp, .ico: return true
        case .tiff: return false
        }
    }

    /// The logical screen of a GIF, which libvips passes over when it finds it implausible (GIF89a §18).
    private static func checkScreen(_ bytes: RawSpan, _ limits: ImageLimits) throws(ImageError) {
        func side(_ offset: Int) -> Int { Int(byte(bytes, offset) ?? 0) | Int(byte(bytes, offset + 1) ?? 0) << 8 }
        try limits.check(PageClaim(widthPx: side(6), heightPx: side(8), pageCount: 1, isDecodedWhole: true))
    }
}
