import Bytes
import ImagePlan

/// What the boxes of a HEIF file tell (ISO/IEC 23008-12), without decoding.
enum HEIFBoxes {
    /// Item types that are read.
    private static let readCodecs = ["hvc1", "av01"]
    /// Item types that are made of others, or are no images.
    private static let otherTypes = ["grid", "iden", "iovl", "tmap", "Exif", "mime", "uri "]
    private static let countLimit = 256

    /// Whether all images of the file are in codecs that are not read, such as JPEG or none; false where that cannot be told.
    static func isOfOtherCodec(_ file: RawSpan) -> Bool {
        guard let meta = meta(file), let list = content("iinf", of: file, in: meta),
            let version = file.byte(list.lowerBound)
        else { return false }
        // Version and flags, and the number of entries.
        let start = list.lowerBound + (version == 0 ? 6 : 8)
        let entries = boxes(file, start..<max(start, list.upperBound)).filter { $0.type == "infe" }
        guard entries.count < countLimit else { return false }
        var codecs: [String] = []
        for entry in entries {
            // The type follows version and flags, the number of the item, and that of its protection.
            let place = entry.content.lowerBound
            guard let version = file.byte(place), version == 2 || version == 3,
                let type = file.fourCharacters(place + (version == 2 ? 8 : 10))
            else { return false }
            if !otherTypes.contains(type) { codecs.append(type) }
        }
        return !codecs.isEmpty && codecs.allSatisfy { !readCodecs.contains($0) }
    }

    /// The `ispe` properties (§6.5.3), in `meta`, `iprp`, `ipco`.
    static func sizes(_ file: RawSpan) -> [PixelSize] {
        guard let meta = meta(file), let properties = content("iprp", of: file, in: meta),
            let container = content("ipco", of: file, in: properties)
        else { return [] }
        return boxes(file, container).filter { $0.type == "ispe" }.compactMap { box -> PixelSize? in
            guard let width = file.big(box.content.lowerBound + 4, 4),
                let height = file.big(box.content.lowerBound + 8, 4)
            else { return nil }
            return PixelSize(widthPx: width, heightPx: height)
        }
    }

    /// The boxes in `meta`, whose content begins with a version and flags.
    private static func meta(_ file: RawSpan) -> Range<Int>? {
        content("meta", of: file, in: 0..<file.byteCount).map { meta in
            (meta.lowerBound + 4)..<max(meta.lowerBound + 4, meta.upperBound)
        }
    }

    private static func content(_ type: String, of file: RawSpan, in range: Range<Int>) -> Range<Int>? {
        boxes(file, range).first { $0.type == type }?.content
    }

    /// The boxes of `range`, up to the first malformed one; at most 256.
    private static func boxes(_ file: RawSpan, _ range: Range<Int>) -> [MediaBox] {
        var found: [MediaBox] = []
        var start = range.lowerBound
        while found.count < countLimit, let box = file.box(at: start, upTo: range.upperBound) {
            found.append(box)
            start = box.content.upperBound
        }
        return found
    }
}
