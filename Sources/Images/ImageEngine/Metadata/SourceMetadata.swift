import Bytes
import CVips
import ImagePlan

/// The metadata of a source, wherever its format has it.
struct SourceMetadata {
    var exif: EXIFBlock?
    var xmp: [UInt8]?
    var iptc: [UInt8]?

    /// Bytes of one kind of metadata that are looked at: what is longer is passed over.
    static let byteLimit = 1 << 24

    /// Items of metadata in AVIF and HEIC that are looked at.
    private static let itemLimit = 16

    /// What the loader of `image` found, and what that of libvips 8.14 passes over: EXIF and IPTC of TIFF, EXIF and XMP of
    /// JPEG XL.
    init(of image: borrowing VipsImage, in file: SharedBytes, _ format: SourceFormat) {
        xmp = image.metadata("xmp-data", byteLimit: Self.byteLimit)
        switch format {
        case .tiff:
            exif = EXIFBlock(describing: file.span)
            iptc = Self.iptc(ofTIFF: file.span)
        case .jxl:
            exif = JXLContainer.content(of: "Exif", in: file.span, byteLimit: Self.byteLimit).flatMap { box in
                // The file begins behind an offset and as many bytes as it says (ISO/IEC 18181-2 §9.4).
                let offset = box.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                return EXIFBlock(Array(box.dropFirst(4 + offset)))
            }
            xmp = xmp ?? JXLContainer.content(of: "xml ", in: file.span, byteLimit: Self.byteLimit)
        case .avif, .heic:
            exif = image.metadata("exif-data", byteLimit: Self.byteLimit).flatMap(EXIFBlock.init)
            // libvips 8.14 gives it the name of its kind and its place among the items of metadata.
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

    /// Who made the picture and who may use it, as XMP says it or, where that is silent, IPTC.
    var credits: Credits? {
        let (first, second) = (xmp.flatMap(XMPReader.credits), iptc.flatMap(IPTCBlock.credits))
        return first.map { $0.filled(from: second ?? Credits()) } ?? second
    }

    private static func iptc(ofTIFF file: RawSpan) -> [UInt8]? {
        guard let reader = ExifReader(tiff: file), let start = reader.number(4) else { return nil }
        let entries = reader.entries(at: start)
        if let entry = entries[TIFFDirectory.iptc], entry.count <= byteLimit / 4 {
            var bytes = reader.bytes(entry)
            // Some programs turn the bytes as if they were numbers.
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
    /// The bytes of the metadata that libvips calls `name`; nil where there are none, or more than `byteLimit`.
    func metadata(_ name: String, byteLimit: Int = .max) -> [UInt8]? {
        var data: UnsafeRawPointer?
        var count = 0
        guard unsafe cvips_metadata(raw, name, &data, &count) == 0, let data = unsafe data, count > 0,
            count <= byteLimit
        else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: data, count: count))
    }
}
