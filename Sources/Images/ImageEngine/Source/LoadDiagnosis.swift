import Bytes
import ImagePlan

enum LoadDiagnosis {
    /// `corrupt` unless the file shows a better reason.
    static func error(of bytes: SharedBytes, _ format: SourceFormat, log: String) -> ImageError {
        switch format {
        case .avif, .heic:
            guard let size = HEIFBoxes.sizes(bytes.span).max(by: { side($0) < side($1) }), side(size) > heifSideLimit
            else { return .corrupt(log: log) }
            return .tooLargeForDecoder(widthPx: size.widthPx, heightPx: size.heightPx)
        case .tiff where ExifReader.isSubsampled(bytes.span): return .unsupportedSampling(log: log)
        default: return .corrupt(log: log)
        }
    }

    /// The longest side that libheif of 8.14's time reads; later versions read more, and then do not fail.
    private static let heifSideLimit = 16_384

    private static func side(_ size: PixelSize) -> Int { max(size.widthPx, size.heightPx) }
}

extension ExifReader {
    /// libvips reads no chroma subsampling without JPEG compression (TIFF 6.0 §21: YCbCrSubSampling, by default 2 × 2).
    static func isSubsampled(_ tiff: RawSpan) -> Bool {
        guard let reader = ExifReader(tiff: tiff), let start = reader.number(4) else { return false }
        let image = reader.entries(at: start)
        let isYCbCr = reader.whole(image[262]) == 6
        let isJPEG = [6, 7].contains(reader.whole(image[259]) ?? 1)
        guard isYCbCr, !isJPEG else { return false }
        let factors = reader.pair(image[530]) ?? (2, 2)
        return factors != (1, 1)
    }
}
