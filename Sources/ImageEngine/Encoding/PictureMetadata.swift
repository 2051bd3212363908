import CVips
import ImagePlan

/// What goes out beside the pixels.
struct PictureMetadata: Equatable, Sendable {
    /// EXIF as a TIFF file, without the name that JPEG puts before it; nil where there is none.
    var exif: [UInt8]?
    /// XMP packet; nil where there is none.
    var xmp: [UInt8]?

    /// Whether nothing is to be written.
    var isEmpty: Bool { exif == nil && xmp == nil }

    /// Makes metadata.
    init(exif: [UInt8]? = nil, xmp: [UInt8]? = nil) {
        self.exif = exif
        self.xmp = xmp
    }

    /// What of the metadata of `source`, as its loader gave it, `policy` lets through. EXIF is that of an upright picture
    /// without a smaller one inside; broken EXIF is left out.
    init(of source: borrowing VipsImage, policy: MetadataPolicy) {
        guard policy != .none, let block = source.metadata("exif-data").flatMap(EXIFBlock.init) else {
            self.init(xmp: policy == .keep ? source.metadata("xmp-data") : nil)
            return
        }
        switch policy {
        case .none: self.init()
        case .copyright: self.init(exif: block.credits())
        case .keep: self.init(exif: block.upright(), xmp: source.metadata("xmp-data"))
        }
    }
}

extension VipsImage {
    /// The octets of the metadata that libvips calls `name`; nil where there are none.
    func metadata(_ name: String) -> [UInt8]? {
        var data: UnsafeRawPointer?
        var count = 0
        guard unsafe cvips_metadata(raw, name, &data, &count) == 0, let data = unsafe data, count > 0 else {
            return nil
        }
        return unsafe Array(UnsafeRawBufferPointer(start: data, count: count))
    }
}
