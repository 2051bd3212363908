import Bytes
import CVips
import ImagePlan

/// An image whose header has been read and is within the limits.
struct Source: ~Copyable {
    let header: ImageHeader
    let image: VipsImage

    /// Sniffs, reads the header and checks the limits. Nothing is decoded. `bytes` must outlive this value. `context`
    /// admits counting and parsing the text of a drawing, which has no header.
    init(_ bytes: SharedBytes, in context: RenderContext) throws(ImageError) {
        let limits = context.options.limits
        guard let format = ImageEngine.sniff(bytes) else { throw .unsupportedFormat }
        let isHEIF = format == .avif || format == .heic
        let items: HEIFItems? = isHEIF ? try HEIFItems(bytes.span) : nil
        if let items, items.areOfOtherCodec { throw .unsupportedFormat }
        guard bytes.count <= limits.sourceByteCount else {
            throw .sourceTooLong(byteCount: bytes.count, limit: limits.sourceByteCount)
        }
        let partPixelCount = try items?.partPixelCount() ?? 0
        let scan = format == .jpeg ? JPEGScan(bytes.span, limit: limits.jpegScanCount) : nil
        if let scan, scan.scanCount > limits.jpegScanCount { throw .tooManyScans(limit: limits.jpegScanCount) }
        // Decoders pass over fill bytes, and would make passes that were not counted.
        if let scan, scan.isOverfilled { throw .corrupt(log: "more fill bytes between markers than are read") }
        let directoryCount = format == .tiff ? TIFFDirectories.count(in: bytes.span, limit: limits.pageCount) : 0
        if directoryCount > limits.pageCount { throw .tooManyPages(limit: limits.pageCount) }
        let isWhole = try Self.isDecodedWhole(bytes.span, format, limits, scan: scan)
        let drawing = try Self.drawing(bytes, format, in: context)
        let image = try Self.load(bytes, format, shouldStop: context.shouldStop)
        let isPyramid = format == .tiff && TIFFReduction.areAllPages(of: bytes.span)
        var header = ImageHeader(
            format: format, widthPx: image.widthPx, heightPx: image.heightPx,
            // libheif applies the rotation of the container; an EXIF orientation would be applied a second time.
            orientation: isHEIF ? 1 : image.orientation, hasAlpha: image.hasAlpha,
            pageCount: isPyramid ? 1 : max(directoryCount, image.pageCount),
            isAnimated: image.pageCount > 1 && (format == .gif || format == .webp),
            bitDepth: image.sampleBits > 8 ? 16 : 8, isFlat: Self.isFlat(bytes.span, format, image))
        header.drawing = drawing
        if format == .tiff { header.countDirectories(ofPage: 0, in: bytes.span) }
        if isWhole, let scan { header.heldScanCount = max(1, scan.scanCount) }
        if let scan { header.gainMap = GainMapFile.find(in: bytes, end: scan.end, limits: limits)?.header }
        if Self.isInterlaced(bytes, format) { header.heldScanCount = Self.interlacedScanCount }
        if header.isAnimated, header.pageCount > limits.pageCount { throw .tooManyPages(limit: limits.pageCount) }
        try limits.check(header.size, pageCount: header.pageCount, isDecodedWhole: isWhole)
        if partPixelCount > header.widthPx * header.heightPx {
            try limits.check(partPixelCount: partPixelCount)
            header.partPixelCount = partPixelCount
        }
        // Cannot overflow within the limits.
        let scanLimit = limits.scanLimit(pixelCount: header.widthPx * header.heightPx)
        if let scan, scan.scanCount > scanLimit { throw .tooManyScans(limit: scanLimit) }
        self.init(header: header, image: image)
    }

    init(_ bytes: SharedBytes, limits: ImageLimits) throws(ImageError) {
        try self.init(bytes, in: RenderContext(options: RenderOptions(limits: limits)))
    }

    init(header: ImageHeader, image: consuming VipsImage) {
        self.header = header
        self.image = image
    }

    /// Page `page`, from 0, of a file whose first page has `header`. Throws the limit that the page breaks.
    init(page: Int, of bytes: SharedBytes, like header: ImageHeader, limits: ImageLimits) throws(ImageError) {
        let image = try Source.load(bytes, header.format, page: page)
        var header = header
        header.widthPx = image.widthPx
        header.heightPx = image.heightPx
        if header.format == .tiff {
            header.orientation = image.orientation
            header.countDirectories(ofPage: page, in: bytes.span)
        }
        header.hasAlpha = image.hasAlpha
        header.bitDepth = image.sampleBits > 8 ? 16 : 8
        try limits.check(header.size, isDecodedWhole: header.format != .tiff)
        self.init(header: header, image: image)
    }

    /// The same file at `page`, from 1; pages may differ in everything. Throws the limit that the page breaks.
    consuming func at(page: Int?, of bytes: SharedBytes, limits: ImageLimits) throws(ImageError) -> Source {
        guard let page, page > 1, page <= header.pageCount, !header.isAnimated else { return self }
        return try Source(page: page - 1, of: bytes, like: header, limits: limits)
    }

    private static let interlacedScanCount = 7

    /// Whether it is an interlaced PNG, or an icon that is one.
    private static func isInterlaced(_ bytes: SharedBytes, _ format: SourceFormat) -> Bool {
        if format == .png { return isInterlaced(bytes.span) }
        guard format == .ico, case .png(let part)? = Icon(bytes) else { return false }
        return isInterlaced(part.span)
    }

    /// The interlace method is the last byte of IHDR (ISO/IEC 15948 §11.2.2).
    private static func isInterlaced(_ png: RawSpan) -> Bool { png.byte(28) != 0 }

    /// The complexity of a drawing, before a library parses it. Throws `tooComplex`.
    private static func drawing(
        _ bytes: SharedBytes, _ format: SourceFormat, in context: RenderContext
    ) throws(ImageError) -> DrawingComplexity? {
        guard format.isDrawing else { return nil }
        // Sources are unpacked before they are opened, so this one was packed twice.
        if format == .svg, CompressedSVG.isPacked(bytes.span) { throw .tooComplex(.expansion) }
        try context.admit(PredictedCost.counting(format, byteCount: bytes.count))
        let complexity =
            format == .svg
            ? try SVGInspector.complexity(of: bytes, in: context)
            : try PDFInspector.complexity(of: bytes, in: context)
        try context.admit(PredictedCost.parsing(complexity, format, byteCount: bytes.count))
        return complexity
    }

    /// Whether the file cannot be a photograph: a palette, fewer than 8 bits, a drawing.
    private static func isFlat(_ bytes: RawSpan, _ format: SourceFormat, _ image: borrowing VipsImage) -> Bool {
        switch format {
        case .gif, .svg, .pdf: true
        // Bits of a sample and color type of IHDR (ISO/IEC 15948 §11.2.2): type 3 is the palette.
        case .png: (bytes.byte(24) ?? 8) < 8 || bytes.byte(25) == 3
        case .tiff: image.sampleBits < 8
        case .bmp: bytes.little(28, 2) ?? 24 <= 8
        case .ico: true
        case .jpeg, .webp, .avif, .heic, .jxl: false
        }
    }

    /// Whether the decoder holds the whole image before the first row.
    private static func isDecodedWhole(
        _ bytes: RawSpan, _ format: SourceFormat, _ limits: ImageLimits, scan: JPEGScan?
    ) throws(ImageError) -> Bool {
        switch format {
        case .jpeg: return scan?.isDecodedWhole == true
        case .png: return isInterlaced(bytes)
        case .gif:
            // The logical screen, which libvips ignores if it is implausible (GIF89a §18).
            let screen = PixelSize(widthPx: bytes.little(6, 2) ?? 0, heightPx: bytes.little(8, 2) ?? 0)
            try limits.check(screen, isDecodedWhole: true)
            return true
        case .webp, .avif, .heic, .jxl, .pdf, .svg, .bmp, .ico: return true
        case .tiff: return false
        }
    }

    /// Loads lazily: `pageCount` pages from `page` on, stacked in one image of `pageHeightPx` rows each. `shrink` (1,
    /// 2, 4, 8) is for JPEG, `scale` for drawings, `level` for the reductions inside a TIFF page, `shouldStop` for
    /// bitmaps. Throws `corrupt` or a better reason (``LoadDiagnosis``), and `pagesDiffer`.
    static func load(
        _ bytes: SharedBytes, _ format: SourceFormat, page: Int = 0, pageCount: Int = 1, shrink: Int = 1,
        scale: Double = 1, level: Int? = nil, shouldStop: @escaping @Sendable () -> Bool = { false }
    ) throws(ImageError) -> VipsImage {
        guard let loader = format.vips else { return try loadedByUs(bytes, format, shouldStop: shouldStop) }
        var options = cvips_load_options()
        options.page = page.cInt
        options.page_count = pageCount.cInt
        options.shrink = shrink.cInt
        options.scale = scale
        options.level = (level ?? -1).cInt
        if format == .tiff, pageCount == 1, let found = TIFFPage(page: page, of: bytes.span) {
            // libtiff sorts all it knows for each unknown one: 4,096 would take a second.
            guard found.entryCount <= ExifReader.entryLimit else {
                throw .corrupt(log: "a directory of \(found.entryCount) entries")
            }
            try found.layout(ofLevel: level).check()
            if page > 0 || !found.isLast {
                (options.page, options.directory, options.link) = (0, found.offset, found.linkOffset)
            }
        }
        let image = try loaded(bytes, format, by: loader, options)
        return format == .png ? try decodedQuickly(image, bytes) : image
    }

    static func loaded(
        _ bytes: SharedBytes, _ format: SourceFormat, by loader: cvips_format, _ options: cvips_load_options
    ) throws(ImageError) -> VipsImage {
        let image = try unsafe VipsImage.made({ LoadDiagnosis.error(of: bytes, format, log: $0) }) { out, error in
            unsafe bytes.withUnsafeBytes { buffer in
                var options = options
                return unsafe cvips_load(loader, buffer.baseAddress, buffer.count, &options, out, error)
            }
        }
        guard options.page_count == 1 || image.heightPx == image.pageHeightPx * Int(options.page_count) else {
            throw .pagesDiffer
        }
        return image
    }
}

extension SourceFormat {
    var vips: cvips_format? {
        switch self {
        case .jpeg: CVIPS_JPEG
        case .png: CVIPS_PNG
        case .webp: CVIPS_WEBP
        case .gif: CVIPS_GIF
        case .tiff: CVIPS_TIFF
        case .avif, .heic: CVIPS_HEIF
        case .jxl: CVIPS_JXL
        case .pdf: CVIPS_PDF
        case .svg: CVIPS_SVG
        case .bmp, .ico: nil
        }
    }
}

extension VipsImage {
    /// Rows of one page of a tall image.
    var pageHeightPx: Int { unsafe max(1, Int(cvips_page_height(raw))) }
    /// How often an animation runs; 0 is forever.
    var loopCount: Int { unsafe max(0, Int(cvips_loop_count(raw))) }
    var sampleBits: Int { unsafe Int(cvips_sample_bits(raw)) }

    var delaysMs: [Int] {
        let count = unsafe Int(cvips_delays(raw, nil, 0))
        guard count > 0 else { return [] }
        var delays = [Int32](repeating: 0, count: count)
        _ = unsafe cvips_delays(raw, &delays, count.cInt)
        return delays.map { max(0, Int($0)) }
    }
}
