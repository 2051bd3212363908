import Bytes
import CVips
import ImagePlan

struct SourceMetadata {
    var exif: EXIFBlock?
    var xmp: [UInt8]?
    var iptc: [UInt8]?

    /// Longer metadata of one kind is skipped.
    static let byteLimit = 1 << 24
    private static let itemLimit = 16

    /// Takes what libvips found, and reads what libvips 8.14 skips: EXIF and IPTC of TIFF, EXIF and XMP of JPEG XL.
    init(of image: borrowing VipsImage, in file: SharedBytes, _ format: SourceFormat) {
        xmp = image.metadata("xmp-data", byteLimit: Self.byteLimit)
        switch format {
        case .tiff:
            exif = EXIFBlock(describing: file.span)
            iptc = Self.iptc(ofTIFF: file.span)
        case .jxl:
            exif = JXLContainer.content(of: "Exif", in: file.span, byteLimit: Self.byteLimit).flatMap { box in
                // The file begins after an offset and as many bytes as it says (ISO/IEC 18181-2 §9.4).
                let offset = box.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                return EXIFBlock(Array(box.dropFirst(4 + offset)))
            }
            xmp = xmp ?? JXLContainer.content(of: "xml ", in: file.span, byteLimit: Self.byteLimit)
        case .avif, .heic:
            exif = image.metadata("exif-data", byteLimit: Self.byteLimit).flatMap(EXIFBlock.init)
            // libvips 8.14 names it by its kind and its index among the metadata items.
            for index in 0..<Self.itemLimit where xmp == nil {
                let item = image.metadata("heif-mime-\(index)", byteLimit: Self.byteLimit)
                if let item, ["<?xpacket", "<x:xmpmeta", "<rdf:RDF"].contains(where: { item.starts(with: $0.utf8) }) {
                    xmp = item
                }
            }
        case .jpeg, .png, .webp, .gif, .pdf, .svg, .bmp, .ico:
            exif = image.metadata("exif-data", byteLimit: Self.byteLimit).flatMap(EXIFBlock.init)
            iptc = image.metadata("iptc-data", byteLimit: Self.byteLimit).flatMap(IPTCBlock.records)
        }
    }

    var credits: Credits? {
        let (first, second) = (xmp.flatMap(XMPReader.credits), iptc.flatMap(IPTCBlock.credits))
        return first.map { $0.filled(from: second ?? Credits()) } ?? second
    }

    private static func iptc(ofTIFF file: RawSpan) -> [UInt8]? {
        guard let reader = ExifReader(tiff: file), let start = reader.number(4) else { return nil }
        let entries = reader.entries(at: start)
        if let entry = entries[TIFFDirectory.iptc], entry.count <= byteLimit / 4 {
            var bytes = reader.bytes(entry)
            // Some programs swap the bytes as if they were numbers.
            if bytes.count > 4, bytes[0] != 0x1c, bytes[3] == 0x1c {
                for start in stride(from: 0, through: bytes.count - 4, by: 4) { bytes[start..<(start + 4)].reverse() }
            }
            if let records = IPTCBlock.records(in: bytes) { return records }
        }
        guard let entry = entries[TIFFDirectory.photoshop], entry.count <= byteLimit / 8 else { return nil }
        return IPTCBlock.records(in: reader.bytes(entry))
    }
}

extension VipsImage {
    /// The metadata that libvips calls `name`; nil if it is absent, empty or over `byteLimit`.
    func metadata(_ name: String, byteLimit: Int = .max) -> [UInt8]? {
        var data: UnsafeRawPointer?
        var count = 0
        guard unsafe cvips_metadata(raw, name, &data, &count) == 0, let data = unsafe data, count > 0,
            count <= byteLimit
        else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: data, count: count))
    }
}

struct ImageMetadata: Equatable, Sendable {
    /// A TIFF file, without JPEG's name for it.
    var exif: [UInt8]?
    var xmp: [UInt8]?
    /// IPTC-IIM records, for the formats that hold them.
    var iptc: [UInt8]?

    var isEmpty: Bool { exif == nil && xmp == nil && iptc == nil }
}

extension ImageMetadata {
    /// What `policy` keeps of the metadata of `file`, loaded as `image`; read only if something is kept.
    init(of image: borrowing VipsImage, in file: SharedBytes, _ format: SourceFormat, policy: MetadataPolicy) {
        self = policy == .none ? Self() : Self(SourceMetadata(of: image, in: file, format), policy: policy)
    }

    /// What `policy` keeps of `source`, for an upright picture without thumbnails. Malformed metadata is left out.
    init(_ source: SourceMetadata, policy: MetadataPolicy) {
        switch policy {
        case .none: self.init()
        case .copyright:
            // IPTC stays IPTC, but none is added where there was none.
            self.init(
                exif: source.exif?.credits(), xmp: source.credits.flatMap(XMPPacket.bytes),
                iptc: source.iptc.flatMap(IPTCBlock.credits).flatMap(IPTCBlock.records(for:)))
        case .keep:
            // Not every format holds IPTC.
            let credits = source.iptc.flatMap(IPTCBlock.credits) ?? Credits()
            // A packet that is too long to be read is left out.
            let packet = source.xmp.flatMap { $0.count <= XMPReader.byteLimit ? $0 : nil }
            let xmp = packet.map { XMPPacket.withoutThumbnails(XMPPacket.upright($0)) }
            self.init(
                exif: source.exif?.upright(),
                xmp: xmp.map { XMPPacket.filled($0, from: credits) } ?? XMPPacket.bytes(for: credits),
                iptc: source.iptc)
        }
    }
}
