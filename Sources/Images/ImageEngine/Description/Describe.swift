package import Bytes
import CVips
package import ImagePlan

extension ImageEngine {
    /// What `original` is and looks like: one decode of its first page to some 160 pixels.
    ///
    /// `admit` is asked when the cost is known, before decoding; of a drawing before its text is counted, too.
    ///
    /// Errors: those of `probe`, `corrupt` when the picture breaks off, `cancelled` when `shouldStop` said so. The same
    /// source has the same description. Metadata that lies is passed over.
    package static func describe(
        _ original: SharedBytes, limits: ImageLimits, admit: (PredictedCost) -> Admission = Admission.always,
        shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> PictureDescription {
        if shouldStop() { throw .cancelled }
        let source = try PackedDrawing.unpacked(original)
        defer { withExtendedLifetime(source) {} }
        let opened = try Source(source, limits: limits, admit: admit, shouldStop: shouldStop)
        let traits = opened.traits
        let bandCount = opened.image.bands
        let animation =
            traits.isAnimated
            ? AnimationTiming(delaysMs: opened.image.delaysMs, loopCount: opened.image.loopCount) : nil
        let profileName = opened.image.withProfile(ProfileName.text)
        // The TIFF loader keeps no EXIF, but a TIFF file is what EXIF is made of.
        let exif =
            traits.format == .tiff
            ? ExifReader.summary(of: source.span) : opened.image.withBlob("exif-data", ExifReader.summary) ?? nil
        let stored = PixelSize(widthPx: traits.widthPx, heightPx: traits.heightPx)
        let overview: PixelBuffer
        do {
            overview = try Questions.overview(
                of: PixelRect(covering: stored), source, traits, page: 0, options: RenderOptions(limits: limits),
                admit: { cost throws(ImageError) in try admit(cost).check(cost) }, shouldStop: shouldStop)
        } catch {
            throw error.unless(shouldStop)
        }
        let upright = try PixelBuffer(
            overview.image().oriented(Orientation(exif: traits.orientation)), shouldStop: shouldStop)
        let picture = try SmallPicture(upright)
        let isStanding = picture.heightPx > picture.widthPx
        return PictureDescription(
            traits: traits, byteCount: original.count,
            size: Orientation(exif: traits.orientation).quarterTurns % 2 == 0 ? stored : stored.transposed,
            bandCount: bandCount, animation: animation, profileName: profileName, exif: exif,
            palette: Palette.of(picture), thumbHash: ThumbHash.bytes(of: picture),
            blurHash: BlurHash.text(of: picture, columns: isStanding ? 3 : 4, rows: isStanding ? 4 : 3),
            focalPoint: focalPoint(of: upright))
    }

    /// The middle of the half, by both sides, that matters most, to thousandths; the middle of an even picture.
    private static func focalPoint(of picture: borrowing PixelBuffer) -> PicturePoint {
        let size = picture.size
        let half = PixelSize(widthPx: (size.widthPx + 1) / 2, heightPx: (size.heightPx + 1) / 2)
        guard let point = InterestMap(picture, by: .attention).focus(keeping: half, of: size) else { return .middle }
        func rounded(_ share: Double) -> Double { (share * 1000).rounded() / 1000 }
        return PicturePoint(x: rounded(point.x), y: rounded(point.y))
    }
}

extension VipsImage {
    /// Calls `body` with the metadata item `name`, or returns nil when there is none.
    func withBlob<R>(_ name: String, _ body: (RawSpan) -> R) -> R? {
        var data: UnsafeRawPointer?
        var count = 0
        guard unsafe cvips_blob(raw, name, &data, &count) == 0, let data = unsafe data else { return nil }
        return unsafe body(UnsafeRawBufferPointer(start: data, count: count).bytes)
    }
}
