package enum OutputFormat: String, CaseIterable, Sendable, Codable {
    case jpeg
    /// Lossless; 8 or 16 bits.
    case png
    case webp
    case avif
    /// 256 colors, one bit of alpha.
    case gif
    /// Lossless; 8 or 16 bits, several pages.
    case tiff
    /// JPEG XL, lossy unless asked otherwise; if libvips has it.
    case jxl

    package var mediaType: String { "image/\(rawValue)" }
    package var holdsAlpha: Bool { self != .jpeg }
    package var holdsFrames: Bool { self == .webp || self == .gif }
    package var holdsPages: Bool { holdsFrames || self == .tiff }
    package var holds16Bits: Bool { self == .png || self == .tiff }
    /// Whether the encoding is lossless at any quality.
    package var isAlwaysLossless: Bool { self == .png || self == .tiff || self == .gif }
    /// Whether `colors` applies.
    package var holdsPalette: Bool { self == .png || self == .gif }
    package var knowsEffort: Bool { self != .jpeg && self != .tiff }
    /// Whether its highest efforts take tens of times as long as the others.
    package var isSlowAtHighEffort: Bool { self == .avif || self == .jxl }

    /// WebP has 14 bits (RFC 9649 §3.4); the others are our choice.
    package var sideLimitPx: Int { self == .webp ? 16383 : 16384 }

    /// The encoders of WebP, AVIF, GIF and JPEG XL are several times slower; that of AVIF cannot be stopped.
    package var areaLimitPx: Int {
        switch self {
        case .jpeg, .png, .tiff: 50_000_000
        case .webp, .avif, .gif, .jxl: 25_000_000
        }
    }

    /// Photographs of 300 to 1,600 pixels look alike in all formats: a SSIMULACRA2 of 77 to 80 on average
    /// (`scripts/bench quality`, docs/decisions, 0041).
    package var defaultQuality: Int? {
        switch self {
        case .jpeg: 80
        case .png, .tiff, .gif: nil
        case .webp: 84
        case .avif: 72
        case .jxl: 81
        }
    }

    /// The longest side of a thumbnail, which keeps full chroma in AVIF.
    package static let thumbnailSidePx = 200

    /// The quality of an image of `size` if the request names none. AVIF thumbnails look like JPEG 80 at 60.
    package func defaultQuality(for size: PixelSize) -> Int? {
        self == .avif && max(size.widthPx, size.heightPx) <= Self.thumbnailSidePx ? 60 : defaultQuality
    }

    /// The part of a request's `quality` that matters: nil if the format has none, or it equals a constant default.
    package func settled(_ quality: Int?) -> Int? {
        switch self {
        case .png, .tiff, .gif: nil
        case .jpeg, .jxl: quality == defaultQuality ? nil : quality
        // The default depends on the size of an AVIF, and without a quality WebP may be lossless.
        case .webp, .avif: quality
        }
    }
}

/// JPEG XL, PDF, SVG, BMP and ICO must be enabled.
package enum SourceFormat: String, CaseIterable, Sendable, Codable {
    case jpeg, png, webp, gif, avif
    /// HEIF with HEVC.
    case heic
    case tiff, jxl, pdf, svg, bmp, ico

    /// Drawn at any size; its own size, at 72 dots an inch, is in points.
    package var isDrawing: Bool { self == .pdf || self == .svg }

    /// The output format of the same kind; HEIC, PDF, SVG, BMP and ICO have none.
    package var output: OutputFormat? { OutputFormat(rawValue: rawValue) }
}
