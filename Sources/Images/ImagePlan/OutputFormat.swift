/// A format that pictures are sent in.
package enum OutputFormat: String, CaseIterable, Sendable {
    case jpeg
    /// PNG, lossless; 8 or 16 bits.
    case png
    /// WebP, lossy unless asked otherwise.
    case webp
    /// AVIF, lossy unless asked otherwise.
    case avif
    /// GIF, 256 colors, one bit of alpha.
    case gif
    /// TIFF, lossless; 8 or 16 bits, several pages.
    case tiff
    /// JPEG XL, lossy unless asked otherwise; where libvips has it.
    case jxl

    package var mediaType: String { "image/\(rawValue)" }

    /// Whether the format can hold an alpha channel.
    package var holdsAlpha: Bool { self != .jpeg }

    /// Whether the format can hold an animation.
    package var holdsFrames: Bool { self == .webp || self == .gif }

    /// Whether the format can hold several pages.
    package var holdsPages: Bool { holdsFrames || self == .tiff }

    /// Whether samples of 16 bits stay what they are.
    package var holds16Bits: Bool { self == .png || self == .tiff }

    /// Whether pictures come out as they went in, whatever the quality.
    package var isAlwaysLossless: Bool { self == .png || self == .tiff || self == .gif }

    /// Whether more work makes fewer bytes or a better picture.
    package var knowsEffort: Bool { self != .jpeg && self != .tiff }

    /// Whether its highest efforts take tens of times as long as the others.
    package var isSlowAtHighEffort: Bool { self == .avif || self == .jxl }

    /// The largest side of a picture, in pixels: WebP holds 14 bits (RFC 9649 §3.4); for the others it is our choice.
    package var sideLimitPx: Int { self == .webp ? 16383 : 16384 }

    /// The most pixels of a picture. The encoders of WebP, AVIF, GIF and JPEG XL take several times as long per pixel, and
    /// the one of AVIF cannot be stopped.
    package var areaLimitPx: Int {
        switch self {
        case .jpeg, .png, .tiff: 50_000_000
        case .webp, .avif, .gif, .jxl: 25_000_000
        }
    }

    /// The quality used where the request names none; nil where the format is lossless and has none.
    ///
    /// At these, photographs of 300 to 1,600 pixels look alike, about as JPEG of 80 does: SSIMULACRA2 of 77 to 80 on average
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

    /// The longest side, in pixels, of what counts as a thumbnail: AVIF keeps all of its chroma at any quality.
    package static let thumbnailSidePx = 200

    /// The quality used for a picture of `size` where the request names none. Thumbnails in AVIF, with all of their chroma,
    /// look as JPEG of 80 does at 60.
    package func defaultQuality(for size: PixelSize) -> Int? {
        self == .avif && max(size.widthPx, size.heightPx) <= Self.thumbnailSidePx ? 60 : defaultQuality
    }

    /// What of a request's `quality` makes a difference: nil where the format has none, and for a default that is a number
    /// and nothing else.
    package func settled(_ quality: Int?) -> Int? {
        switch self {
        case .png, .tiff, .gif: nil
        case .jpeg, .jxl: quality == defaultQuality ? nil : quality
        // Left out, it hangs on the picture: on the size of an AVIF, and WebP may then be written without loss.
        case .webp, .avif: quality
        }
    }
}

/// A format that pictures are read in.
package enum SourceFormat: String, CaseIterable, Sendable {
    case jpeg
    case png
    case webp
    case gif
    case avif
    /// HEIC: HEIF with HEVC.
    case heic
    case tiff
    /// JPEG XL, where it is enabled.
    case jxl
    /// PDF, where it is enabled.
    case pdf
    /// SVG, where it is enabled.
    case svg
    /// Windows bitmap, where it is enabled.
    case bmp
    /// Windows icon, where it is enabled.
    case ico

    /// Whether it holds shapes that are drawn at any size; its size at 72 dots an inch is in points.
    package var isDrawing: Bool { self == .pdf || self == .svg }

    /// The output format that holds what this one holds, if there is one; HEIC, PDF, SVG, BMP and ICO have none.
    package var output: OutputFormat? { OutputFormat(rawValue: rawValue) }
}
