/// A format that pictures are sent in.
package enum OutputFormat: String, CaseIterable, Sendable {
    /// JPEG, without alpha.
    case jpeg
    /// PNG, lossless.
    case png
    /// WebP, lossy.
    case webp
    /// AVIF, lossy.
    case avif

    /// The media type of the format.
    package var mediaType: String { "image/\(rawValue)" }

    /// Whether the format can hold an alpha channel.
    package var holdsAlpha: Bool { self != .jpeg }

    /// The largest side of a picture, in pixels: WebP holds 14 bits (RFC 9649 §3.4); for the others it is our choice.
    package var sideLimitPx: Int { self == .webp ? 16383 : 16384 }

    /// The most pixels of a picture. The encoders of WebP and AVIF take several times as long per pixel, and the one of
    /// AVIF cannot be stopped.
    package var areaLimitPx: Int {
        switch self {
        case .jpeg, .png: 50_000_000
        case .webp, .avif: 25_000_000
        }
    }

    /// The quality used where the request names none; nil where the format is lossless and has none.
    package var defaultQuality: Int? {
        switch self {
        case .jpeg: 80
        case .png: nil
        case .webp: 80
        case .avif: 55
        }
    }

    /// What of a request's `quality` makes a difference: nil where the format has none, and for its default.
    package func settled(_ quality: Int?) -> Int? {
        quality == defaultQuality || defaultQuality == nil ? nil : quality
    }
}

/// A format that pictures are read in.
package enum SourceFormat: String, CaseIterable, Sendable {
    /// JPEG.
    case jpeg
    /// PNG.
    case png
    /// WebP.
    case webp
    /// GIF.
    case gif
    /// AVIF.
    case avif
    /// HEIC: HEIF with HEVC.
    case heic
    /// TIFF.
    case tiff
}
