import Bytes
import ImagePlan

/// Tells from a file itself why the loader of its format refused it although it is sound. What libvips says of it is for the
/// log alone and is never compared.
enum LoadDiagnosis {
    /// The error for a file whose loader failed with `log`: `corrupt` unless the file shows a better reason.
    static func error(of bytes: SharedBytes, _ format: SourceFormat, log: String) -> ImageError {
        switch format {
        case .avif, .heic:
            guard let size = largestImage(ByteReader(bytes.span, isBigEndian: true)), size.side > heifSideLimit else {
                return .corrupt(log: log)
            }
            return .tooLargeForDecoder(widthPx: size.widthPx, heightPx: size.heightPx)
        case .tiff where ExifReader.isSubsampled(bytes.span): return .unsupportedSampling(log: log)
        default: return .corrupt(log: log)
        }
    }

    /// The longest side that every version of libheif reads from 8.14's time on; later ones read more, and then do not fail.
    private static let heifSideLimit = 16_384

    private struct Size {
        var widthPx: Int
        var heightPx: Int
        var side: Int { max(widthPx, heightPx) }
    }

    /// The largest size among the `ispe` properties (ISO/IEC 23008-12 §6.5.3), which lie in `meta`, `iprp`, `ipco`.
    private static func largestImage(_ file: borrowing ByteReader) -> Size? {
        // The box `meta` begins with a version and flags before the boxes inside it.
        guard let meta = boxes(file, 0..<file.count).first(where: { $0.type == "meta" })?.content,
            let properties = boxes(file, (meta.lowerBound + 4)..<max(meta.lowerBound + 4, meta.upperBound))
                .first(where: { $0.type == "iprp" })?.content,
            let containers = boxes(file, properties).first(where: { $0.type == "ipco" })?.content
        else { return nil }
        var largest: Size?
        for box in boxes(file, containers) where box.type == "ispe" {
            guard let width = file.number(box.content.lowerBound + 4, width: 4),
                let height = file.number(box.content.lowerBound + 8, width: 4)
            else { continue }
            let size = Size(widthPx: width, heightPx: height)
            if size.side > largest?.side ?? 0 { largest = size }
        }
        return largest
    }

    private struct Box {
        let type: String
        let content: Range<Int>
    }

    /// The boxes of `range` (ISO/IEC 14496-12 §4.2), up to the first that lies; at most 256.
    private static func boxes(_ file: borrowing ByteReader, _ range: Range<Int>) -> [Box] {
        var found: [Box] = []
        var start = range.lowerBound
        while found.count < 256, start + 8 <= range.upperBound, let short = file.number(start, width: 4) {
            // 0: up to the end of the file; 1: the size is a number of 64 bits, of which the lower half is enough here.
            let head = short == 1 ? 16 : 8
            let long = short == 1 ? file.number(start + 12, width: 4) : short
            guard let long, short != 1 || file.number(start + 8, width: 4) == 0 else { break }
            let end = short == 0 ? range.upperBound : start + long
            guard start + head <= end, end <= range.upperBound else { break }
            found.append(Box(type: file.text((start + 4)..<(start + 8)) ?? "", content: (start + head)..<end))
            start = end
        }
        return found
    }
}

extension ExifReader {
    /// Whether `tiff` keeps fewer samples of color than of brightness without being compressed as JPEG, which libvips does
    /// not read (TIFF 6.0 §21: YCbCrSubSampling, whose default is 2 × 2).
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
