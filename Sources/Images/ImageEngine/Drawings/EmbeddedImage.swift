import Bytes
import ImagePlan

/// An image inside a drawing, in an address `data:` (RFC 2397). Such addresses alone are opened by librsvg.
enum EmbeddedImage {
    /// How many pixels are decoded for the picture at `address`, by its header; 0 where that is no such address. The frames
    /// of an animation all count.
    ///
    /// Throws `tooComplex` where it is too large, or is none of the formats whose headers tell what they come to: JPEG, PNG,
    /// WebP and GIF. A drawing inside a drawing would not be counted.
    static func pixelCount(at address: ArraySlice<UInt8>) throws(ImageError) -> Int {
        guard String(decoding: address.prefix(5), as: UTF8.self).lowercased() == "data:",
            let comma = address.firstIndex(of: UInt8(ascii: ","))
        else { return 0 }
        let kind = String(decoding: address[..<comma].filter { $0 > 0x20 }, as: UTF8.self).lowercased()
        guard let content = bytes(address[(comma + 1)...], isBase64: kind.hasSuffix(";base64")) else {
            throw .tooComplex(.expansion)
        }
        guard !content.isEmpty else { return 0 }
        let bytes = SharedBytes(content)
        defer { withExtendedLifetime(bytes) {} }
        switch ImageEngine.sniff(bytes.span) {
        case .jpeg, .png, .webp, .gif: break
        case .avif, .heic, .tiff, .jxl, .pdf, .svg, .bmp, .ico, nil: throw .tooComplex(.expansion)
        }
        do throws(ImageError) {
            let header = try Source(bytes, limits: limits).header
            return header.widthPx * header.heightPx * header.pageCount
        } catch .outOfMemory {
            throw .outOfMemory
        } catch .corrupt {
            throw .tooComplex(.expansion)
        } catch {
            throw .tooComplex(.pictures(limit: DrawingLimits.picturePixelCount))
        }
    }

    private static let limits = ImageLimits(
        pixelCount: DrawingLimits.picturePixelCount, allPagesPixelCount: DrawingLimits.picturePixelCount)

    /// What stands behind the comma; nil where it cannot be read.
    private static func bytes(_ text: ArraySlice<UInt8>, isBase64: Bool) -> [UInt8]? {
        var plain = Array(text)
        if text.contains(UInt8(ascii: "%")) {
            plain = PercentEncoding.decoded(text, keepsBroken: true) ?? plain
        }
        guard isBase64 else { return plain }
        return Base64.bytes(plain.lazy.filter { $0 > 0x20 && $0 != UInt8(ascii: "=") })
    }
}
