import CDeflate

/// PNG without libpng: rows are filtered here, compression is libdeflate's (ISO/IEC 15948).
///
/// libdeflate takes twice the pace of zlib because it works on whole streams in memory. So both directions are for pictures
/// of bounded size; what is larger goes through libvips, which streams.
package enum PNGCoding {
    /// The bytes of pixels up to which a picture is encoded here: libdeflate cannot be stopped, and takes some 10 ns for
    /// each.
    package static let encoderLimit = 16 << 20

    /// The bytes of rows and compressed data up to which a picture is decoded here: 14 megapixels of RGB at the least,
    /// some 200 ms without a question whether to stop.
    package static let decoderLimit = 80 << 20

    /// How the samples of a pixel are meant (§11.2.2).
    package enum ColorType: UInt8, Sendable {
        case grey = 0
        case color = 2
        /// A number in a table of colors.
        case palette = 3
        case greyAlpha = 4
        /// Red, green, blue, alpha.
        case colorAlpha = 6

        package var bandCount: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAlpha: 2
            case .color: 3
            case .colorAlpha: 4
            }
        }

        /// The type that holds `bands` samples, 1–4.
        init?(bands: Int) {
            switch bands {
            case 1: self = .grey
            case 2: self = .greyAlpha
            case 3: self = .color
            case 4: self = .colorAlpha
            default: return nil
            }
        }
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    /// A chunk of a few bytes: length, name, content, checksum (§5.3).
    static func chunk(_ name: StaticString, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.description.utf8) + content
        let sum = unsafe body.withUnsafeBytes { unsafe cdeflate_crc32(0, $0.baseAddress, $0.count) }
        return bigEndian(UInt32(clamping: content.count)) + body + bigEndian(sum)
    }

    static func bigEndian(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
    }

    /// A zlib stream of `bytes`; nil where memory is short.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var out = [UInt8](repeating: 0, count: cdeflate_zlib_bound(bytes.count))
        let count = unsafe bytes.withUnsafeBytes { from in
            unsafe out.withUnsafeMutableBytes { to in
                unsafe cdeflate_zlib_compress(6, from.baseAddress, from.count, to.baseAddress, to.count)
            }
        }
        return count > 0 ? Array(out[..<count]) : nil
    }
}
