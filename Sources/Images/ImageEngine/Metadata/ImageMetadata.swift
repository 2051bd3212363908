import Bytes
import ImagePlan

/// What goes out beside the pixels.
struct ImageMetadata: Equatable, Sendable {
    /// EXIF as a TIFF file, without the name that JPEG puts before it; nil where there is none.
    var exif: [UInt8]?
    /// XMP packet; nil where there is none.
    var xmp: [UInt8]?
    /// Records of IPTC-IIM, for the formats that hold them; nil where there are none.
    var iptc: [UInt8]?

    /// Whether nothing is to be written.
    var isEmpty: Bool { exif == nil && xmp == nil && iptc == nil }

}

extension ImageMetadata {
    /// What of the metadata of `file`, whose loader gave `image`, goes out by `policy`; it is read only where that is something.
    init(
        of image: borrowing VipsImage, in file: SharedBytes, _ format: SourceFormat, policy: MetadataPolicy
    ) {
        self = policy == .none ? Self() : Self(SourceMetadata(of: image, in: file, format), policy: policy)
    }

    /// What of `source` goes out by `policy`. EXIF and XMP are those of an upright picture, EXIF without a smaller one inside; what
    /// is broken is left out.
    init(_ source: SourceMetadata, policy: MetadataPolicy) {
        switch policy {
        case .none: self.init()
        case .copyright:
            // IPTC goes out as IPTC too, but nothing is put there that was not there before.
            self.init(
                exif: source.exif?.credits(), xmp: source.credits.flatMap(XMPPacket.bytes),
                iptc: source.iptc.flatMap(IPTCBlock.credits).flatMap(IPTCBlock.records(for:)))
        case .keep:
            self.init(
                exif: source.exif?.upright(),
                xmp: source.xmp.map { XMPPacket.withoutThumbnails(XMPPacket.upright($0)) }, iptc: source.iptc)
        }
    }
}
