import Bytes
import ImagePlan

/// The boxes of a HEIF file (ISO/IEC 23008-12), without decoding.
enum HEIFBoxes {
    /// Boxes in one other, and in the file.
    private static let countLimit = 4096

    /// The `ispe` properties (§6.5.3), in `meta`, `iprp`, `ipco`; some or none of a damaged file.
    static func sizes(_ file: RawSpan) -> [PixelSize] {
        var range = 0..<file.byteCount
        for type in ["meta", "iprp", "ipco"] {
            guard let content = beginning(of: file, in: range).first(where: { $0.type == type })?.content else {
                return []
            }
            range = type == "meta" ? afterVersion(content) : content
        }
        return beginning(of: file, in: range).filter { $0.type == "ispe" }.compactMap { size(of: $0, in: file) }
    }

    /// The size that a property `ispe` tells.
    static func size(of box: MediaBox, in file: RawSpan) -> PixelSize? {
        guard let width = file.big(box.content.lowerBound + 4, 4), let height = file.big(box.content.lowerBound + 8, 4)
        else { return nil }
        return PixelSize(widthPx: width, heightPx: height)
    }

    /// What the only `meta` of the file holds (§6.2); nil where there is none, which libheif refuses. Decoders differ in which
    /// of several they take.
    static func meta(_ file: RawSpan) throws(ImageError) -> Range<Int>? {
        let whole = beginning(of: file, in: 0..<file.byteCount)
        guard whole.count < countLimit else { throw .tooManyParts(limit: countLimit) }
        // A file may break off in its data, but not in what tells of them.
        if file.fourCharacters((whole.last?.content.upperBound ?? 0) + 4) == "meta" {
            throw .corrupt(log: "a box meta that breaks off")
        }
        return try only("meta", of: whole).map(afterVersion)
    }

    /// All boxes of `range`. Throws where one breaks the end of the range.
    static func all(
        _ file: RawSpan, _ range: Range<Int>, limit: Int = countLimit
    ) throws(ImageError) -> [MediaBox] {
        var found: [MediaBox] = []
        var start = range.lowerBound
        while start + 8 <= range.upperBound {
            guard let box = file.box(at: start, upTo: range.upperBound) else {
                throw .corrupt(log: "no box at byte \(start)")
            }
            guard found.count < limit else { throw .tooManyParts(limit: limit) }
            found.append(box)
            start = box.content.upperBound
        }
        return found
    }

    /// The content of the box of this type; nil where there is none.
    static func only(_ type: String, of boxes: [MediaBox]) throws(ImageError) -> Range<Int>? {
        let found = boxes.filter { $0.type == type }
        guard found.count < 2 else { throw .corrupt(log: "\(found.count) boxes \(type)") }
        return found.first?.content
    }

    /// What follows the version and flags of a box.
    static func afterVersion(_ content: Range<Int>) -> Range<Int> {
        min(content.lowerBound + 4, content.upperBound)..<content.upperBound
    }

    /// The boxes of `range` up to the first malformed one, at most 4,096.
    private static func beginning(of file: RawSpan, in range: Range<Int>) -> [MediaBox] {
        var found: [MediaBox] = []
        var start = range.lowerBound
        while found.count < countLimit, let box = file.box(at: start, upTo: range.upperBound) {
            found.append(box)
            start = box.content.upperBound
        }
        return found
    }
}
