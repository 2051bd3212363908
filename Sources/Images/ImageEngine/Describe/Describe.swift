package import Bytes
import ImagePlan

extension ImageEngine {
    /// Describes `original` after one decode of its first page to about 160 pixels; deterministic. Throws the errors of
    /// `probe`, `corrupt`, `cancelled`. Implausible metadata is ignored.
    package static func describe(
        _ original: SharedBytes, in context: RenderContext
    ) throws(ImageError) -> ImageDescription {
        try context.checkStop()
        let source = try CompressedSVG.unpacked(original)
        defer { withExtendedLifetime(source) {} }
        let opened = try Source(source, in: context)
        let header = opened.header
        let bandCount = opened.image.bands
        let animation =
            header.isAnimated
            ? AnimationTiming(delaysMs: opened.image.delaysMs, loopCount: opened.image.loopCount) : nil
        let profileName = opened.image.withProfile { ICCProfile($0).name }
        // The TIFF loader keeps no EXIF, but the file itself is laid out like EXIF.
        let exif =
            header.format == .tiff
            ? ExifReader.summary(of: source.span)
            : opened.image.metadata("exif-data").flatMap { unsafe ExifReader.summary(of: $0.span.bytes) }
        let overview: PixelBuffer
        do {
            overview = try PixelAnalysis(bytes: source, header: header, page: 0, context: context)
                .overview(of: PixelRect(covering: header.size), lookingFor: .attention)
        } catch {
            throw context.cause(of: error)
        }
        let orientation = Orientation(exif: header.orientation)
        let upright = try PixelBuffer(overview.image().oriented(orientation), in: context)
        let thumbnail = try ThumbnailPixels(upright)
        let isStanding = thumbnail.heightPx > thumbnail.widthPx
        return ImageDescription(
            header: header, byteCount: original.count, size: orientation.applied(to: header.size), bandCount: bandCount,
            animation: animation, profileName: profileName, exif: exif, palette: Palette.of(thumbnail),
            thumbHash: ThumbHash.bytes(of: thumbnail),
            blurHash: BlurHash.text(of: thumbnail, columns: isStanding ? 3 : 4, rows: isStanding ? 4 : 3),
            focalPoint: focalPoint(of: upright))
    }

    /// The middle of the most interesting half by both sides, to thousandths; the middle of an even image.
    private static func focalPoint(of image: borrowing PixelBuffer) -> ImagePoint {
        let size = image.size
        let half = PixelSize(widthPx: (size.widthPx + 1) / 2, heightPx: (size.heightPx + 1) / 2)
        guard let point = InterestMap(image, by: .attention).focus(keeping: half, of: size) else { return .middle }
        func rounded(_ share: Double) -> Double { (share * 1000).rounded() / 1000 }
        return ImagePoint(x: rounded(point.x), y: rounded(point.y))
    }
}
