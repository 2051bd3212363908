import Bytes
import CVips
import ImagePlan

/// A picture whose header has been read and found within the limits.
struct Source: ~Copyable {
    let traits: SourceTraits
    let image: VipsImage

    /// Sniffs, loads the header by the loader of that format, and checks the limits. Nothing is decoded.
    ///
    /// `bytes` must outlive this value and what is derived from it.
    init(_ bytes: SharedBytes, limits: ImageLimits) throws(ImageError) {
        guard let format = ImageEngine.sniff(bytes) else { throw .unsupportedFormat }
        guard bytes.count <= limits.sourceByteCount else {
            throw .sourceTooLong(byteCount: bytes.count, limit: limits.sourceByteCount)
        }
        let isWhole = try Self.isDecodedWhole(bytes, format, limits)
        let image = try Self.load(bytes, format, shrink: 1)
        // libheif applies the turn of the container itself; an EXIF orientation beside it would be applied twice.
        let isUpright = format == .avif || format == .heic
        let traits = SourceTraits(
            format: format, widthPx: image.widthPx, heightPx: image.heightPx,
            orientation: isUpright ? 1 : image.orientation, hasAlpha: image.hasAlpha, pageCount: image.pageCount)
        try limits.check(
            PageClaim(
                widthPx: traits.widthPx, heightPx: traits.heightPx, pageCount: traits.pageCount,
                isDecodedWhole: isWhole))
        self.traits = traits
        self.image = image
    }

    /// Loads lazily; `shrink` (1, 2, 4, 8) is for JPEG alone.
    static func load(_ bytes: SharedBytes, _ format: SourceFormat, shrink: Int) throws(ImageError) -> VipsImage {
        try unsafe VipsImage.made({ .corrupt(log: $0) }) { out, error in
            unsafe bytes.withUnsafeBytes { buffer in
                let data = buffer.baseAddress
                return switch format {
                case .jpeg: unsafe cvips_load_jpeg(data, buffer.count, Int32(shrink), out, error)
                case .png: unsafe cvips_load_png(data, buffer.count, out, error)
                case .webp: unsafe cvips_load_webp(data, buffer.count, out, error)
                case .gif: unsafe cvips_load_gif(data, buffer.count, out, error)
                case .tiff: unsafe cvips_load_tiff(data, buffer.count, out, error)
                case .avif, .heic: unsafe cvips_load_heif(data, buffer.count, out, error)
                }
            }
        }
    }

    /// Whether the decoder needs memory for the whole picture before it gives the first row.
    private static func isDecodedWhole(
        _ bytes: SharedBytes, _ format: SourceFormat, _ limits: ImageLimits
    ) throws(ImageError) -> Bool {
        switch format {
        case .jpeg:
            let scan = JPEGScan(bytes.span, limit: limits.jpegScanCount)
            guard scan.scanCount <= limits.jpegScanCount else { throw .tooManyScans(limit: limits.jpegScanCount) }
            return scan.isProgressive || scan.scanCount > 1
        case .png:
            // The interlace method is the last octet of IHDR (ISO/IEC 15948 §11.2.2).
            return octet(bytes.span, 28) != 0
        case .gif:
            try checkScreen(bytes.span, limits)
            return true
        case .webp, .avif, .heic: return true
        case .tiff: return false
        }
    }

    /// The logical screen of a GIF, which libvips passes over when it finds it implausible (GIF89a §18).
    private static func checkScreen(_ bytes: RawSpan, _ limits: ImageLimits) throws(ImageError) {
        func side(_ offset: Int) -> Int { Int(octet(bytes, offset) ?? 0) | Int(octet(bytes, offset + 1) ?? 0) << 8 }
        try limits.check(PageClaim(widthPx: side(6), heightPx: side(8), pageCount: 1, isDecodedWhole: true))
    }
}
