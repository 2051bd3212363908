package import Bytes
import CDeflate

/// PNG without libpng: rows are filtered here, compression is libdeflate's (ISO/IEC 15948), twice as fast as zlib
/// because it works on whole streams in memory. Images over the limits go through libvips, which streams.
package enum PNGCoding {
    /// Pixel bytes of an image encoded here: libdeflate cannot be stopped, and takes some 10 ns for each.
    package static let encoderLimit = 16 << 20

    /// Bytes of rows and compressed data: at least 14 megapixels of RGB, some 200 ms without a check for a stop.
    package static let decoderLimit = 80 << 20

    /// §11.2.2.
    package enum ColorType: UInt8, Sendable {
        case grey = 0
        case color = 2
        case palette = 3
        case greyAlpha = 4
        case colorAlpha = 6

        package var bandCount: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAlpha: 2
            case .color: 3
            case .colorAlpha: 4
            }
        }

        init?(bands: Int) {
            guard (1...4).contains(bands) else { return nil }
            self = [.grey, .greyAlpha, .color, .colorAlpha][bands - 1]
        }
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    static func chunk(_ name: StaticString, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.description.utf8) + content
        let sum = unsafe body.withUnsafeBytes { unsafe cdeflate_crc32(0, $0.baseAddress, $0.count) }
        return bigEndian(UInt32(clamping: content.count)) + body + bigEndian(sum)
    }

    static func bigEndian(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
    }

    /// A zlib stream of `bytes`; nil if memory is short.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var out = [UInt8](repeating: 0, count: cdeflate_zlib_bound(bytes.count))
        let count = unsafe bytes.withUnsafeBytes { from in
            unsafe out.withUnsafeMutableBytes { to in
                unsafe cdeflate_zlib_compress(6, from.baseAddress, from.count, to.baseAddress, to.count)
            }
        }
        return count > 0 ? Array(out[..<count]) : nil
    }

    /// Inserts iCCP, eXIf and an iTXt with the XMP packet after the header (§11.3.2.3, PNG third edition §11.3.3.4).
    package static func inserting(
        profile: [UInt8]?, exif: [UInt8]?, xmp: [UInt8]?, into file: SharedBytes
    ) -> SharedBytes {
        guard file.count > 33 else { return file }
        var added: [UInt8] = []
        if let profile, let stream = compressed(profile) {
            added += chunk("iCCP", Array("ICC profile".utf8) + [0, 0] + stream)
        }
        if let exif { added += chunk("eXIf", exif) }
        if let xmp { added += chunk("iTXt", Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0] + xmp) }
        let bytes = unsafe file.withUnsafeBytes { unsafe Array($0) }
        return SharedBytes(Array(bytes[..<33]) + added + bytes[33...])
    }
}
