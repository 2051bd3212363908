package import Bytes
import CVips
import Parameters
package import ImagePlan

/// A picture that was asked for.
package struct RenderedImage: Sendable {
    /// The encoded picture; no metadata, no profile: the samples are sRGB.
    package let content: SharedBytes
    /// Columns.
    package let widthPx: Int
    /// Rows.
    package let heightPx: Int
    /// How it is encoded.
    package let format: OutputFormat
    /// Reading the header and planning.
    package let openDuration: Duration
    /// Decoding, which goes hand in hand with resampling, then turning and the filters that look at neighbours.
    package let decodeDuration: Duration
    /// Encoding, and what was left lazy: colour and the filters that look at one pixel.
    package let encodeDuration: Duration
}

extension ImageEngine {
    /// Carries out `request` on `source`.
    ///
    /// Errors: those of `probe`, `plan` when the request does not fit the picture, `corrupt` when the source breaks off,
    /// `cancelled` when `shouldStop` said so: it is asked every few rows of decoding, filtering and encoding, on this
    /// thread and on threads of libvips, so it must be quick. Not inside the decoder of pictures that come as a whole (AVIF, HEIC,
    /// WebP, progressive JPEG), nor inside the AVIF encoder.
    package static func render(
        _ source: SharedBytes, request: ImageRequest, output: OutputFormat, limits: ImageLimits,
        shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> RenderedImage {
        defer { withExtendedLifetime(source) {} }
        let clock = ContinuousClock()
        let started = clock.now
        if shouldStop() { throw .cancelled }
        let opened = try Source(source, limits: limits)
        let plan: ImagePlan
        do {
            plan = try request.makePlan(for: opened.traits, output: output)
        } catch {
            throw .plan(error)
        }
        let planned = clock.now
        let image = try Pipeline.run(plan, opened, source, shouldStop: shouldStop)
        let decoded = clock.now
        let content = try image.encoded(plan.encoding, shouldStop: shouldStop)
        return RenderedImage(
            content: content, widthPx: image.widthPx, heightPx: image.heightPx, format: plan.encoding.format,
            openDuration: planned - started, decodeDuration: decoded - planned, encodeDuration: clock.now - decoded)
    }

    /// Encodes pixels that we drew ourselves: row-major RGBA8, premultiplied, `widthPx` × `heightPx` × 4 octets.
    ///
    /// Alpha is dropped on white when `output` cannot hold it. `quality` nil is the format's default. Throws
    /// `encodeFailed` or `cancelled`; `operationFailed` when the octets do not match the size.
    package static func encode(
        rgba pixels: SharedBytes, widthPx: Int, heightPx: Int, output: OutputFormat, quality: Int?,
        shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> SharedBytes {
        if shouldStop() { throw .cancelled }
        var image = try VipsImage(premultiplied: pixels, widthPx: widthPx, heightPx: heightPx)
        if image.hasAlpha, !output.holdsAlpha { image = try image.flattened(on: .white) }
        // Drawn pictures are flat: level 2 takes 0.44 of level 6's time for 1.10 of its octets (Florence, 1024×1024).
        return try image.encoded(
            Encoding(format: output, quality: quality ?? output.defaultQuality), pngCompression: 2,
            shouldStop: shouldStop)
    }
}
