import Bytes
import ImagePlan

/// An image embedded in a drawing by a `data:` URL (RFC 2397), the only kind that librsvg opens.
enum EmbeddedImage {
    static func isEmbedded(_ address: ArraySlice<UInt8>) -> Bool {
        String(decoding: address.prefix(5), as: UTF8.self).lowercased() == "data:"
    }

    /// Pixels of all frames of the image at `address`, by its header; 0 if that is not a `data:` URL. Throws
    /// `tooComplex` if it is too large, or not JPEG, PNG, WebP or GIF: an embedded drawing would not be counted.
    static func pixelCount(at address: ArraySlice<UInt8>) throws(ImageError) -> Int {
        guard isEmbedded(address), let comma = address.firstIndex(of: UInt8(ascii: ",")) else { return 0 }
        let kind = String(decoding: address[..<comma].filter { !$0.isBlank }, as: UTF8.self).lowercased()
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

    private static func bytes(_ text: ArraySlice<UInt8>, isBase64: Bool) -> [UInt8]? {
        let isEscaped = text.contains(UInt8(ascii: "%"))
        let plain = (isEscaped ? PercentEncoding.decoded(text, keepsBroken: true) : nil) ?? Array(text)
        guard isBase64 else { return plain }
        return Base64.bytes(plain.lazy.filter { !$0.isBlank && $0 != UInt8(ascii: "=") })
    }
}
