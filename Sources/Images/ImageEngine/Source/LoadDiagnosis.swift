import Bytes
import ImagePlan

enum LoadDiagnosis {
    /// `corrupt` unless the file shows a better reason.
    static func error(of bytes: SharedBytes, _ format: SourceFormat, log: String) -> ImageError {
        switch format {
        case .avif, .heic:
            guard let size = largestImage(bytes.span), side(size) > heifSideLimit else { return .corrupt(log: log) }
            return .tooLargeForDecoder(widthPx: size.widthPx, heightPx: size.heightPx)
        case .tiff where ExifReader.isSubsampled(bytes.span): return .unsupportedSampling(log: log)
        default: return .corrupt(log: log)
        }
    }

    /// The longest side that libheif of 8.14's time reads; later versions read more, and then do not fail.
    private static let heifSideLimit = 16_384

    /// The largest size among the `ispe` properties (ISO/IEC 23008-12 §6.5.3), in `meta`, `iprp`, `ipco`.
    private static func largestImage(_ file: RawSpan) -> PixelSize? {
        func content(_ type: String, in range: Range<Int>) -> Range<Int>? {
            boxes(file, range).first { $0.type == type }?.content
        }
        // The content of `meta` begins with a version and flags.
        guard let meta = content("meta", in: 0..<file.byteCount),
            let properties = content("iprp", in: (meta.lowerBound + 4)..<max(meta.lowerBound + 4, meta.upperBound)),
            let container = content("ipco", in: properties)
        else { return nil }
        let sizes = boxes(file, container).filter { $0.type == "ispe" }.compactMap { box -> PixelSize? in
            guard let width = file.big(box.content.lowerBound + 4, 4),
                let height = file.big(box.content.lowerBound + 8, 4)
            else { return nil }
            return PixelSize(widthPx: width, heightPx: height)
        }
        return sizes.max { side($0) < side($1) }
    }

    private static func side(_ size: PixelSize) -> Int { max(size.widthPx, size.heightPx) }

    /// The boxes of `range`, up to the first malformed one; at most 256.
    private static func boxes(_ file: RawSpan, _ range: Range<Int>) -> [MediaBox] {
        var found: [MediaBox] = []
        var start = range.lowerBound
        while found.count < 256, let box = file.box(at: start, upTo: range.upperBound) {
            found.append(box)
            start = box.content.upperBound
        }
        return found
    }
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
