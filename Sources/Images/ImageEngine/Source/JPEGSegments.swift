/// A marker segment of a JPEG (ITU-T T.81 B.1.1.4).
struct JPEGSegment: Equatable {
    let marker: UInt8
    /// From the marker on.
    let range: Range<Int>

    /// Without marker and length.
    var content: Range<Int> { (range.lowerBound + 4)..<range.upperBound }
}

extension JPEGSegment {
    private static let countLimit = 1024
    /// Fill bytes between all segments together. Encoders that write any align to a few bytes.
    static let fillLimit = 64 << 10

    /// The segments before the first scan of the JPEG at the beginning of `bytes`; nil if they, or fill bytes between
    /// them, are malformed or too many.
    static func beforeScan(_ bytes: RawSpan) -> [JPEGSegment]? {
        guard bytes.big(0, 2) == 0xffd8 else { return nil }
        var segments: [JPEGSegment] = []
        var (offset, fillCount) = (2, 0)
        while segments.count < countLimit, bytes.byte(offset) == 0xff {
            // Fill bytes may stand before a marker (B.1.1.2).
            while bytes.byte(offset + 1) == 0xff {
                (offset, fillCount) = (offset + 1, fillCount + 1)
                guard fillCount <= fillLimit else { return nil }
            }
            guard let marker = bytes.byte(offset + 1), marker != 0, marker != 1, !(0xd0...0xd9).contains(marker),
                let length = bytes.big(offset + 2, 2), length >= 2, offset + 2 + length <= bytes.byteCount
            else { return nil }
            if marker == 0xda { return segments }
            segments.append(JPEGSegment(marker: marker, range: offset..<(offset + 2 + length)))
            offset += 2 + length
        }
        return nil
    }

    /// Empty if `content` is too long for a segment.
    static func written(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count + 2
        guard count <= 0xffff else { return [] }
        return [0xff, marker, UInt8(count >> 8), UInt8(count & 0xff)] + content
    }

    var isApplication: Bool { (0xe0...0xef).contains(marker) }

    /// Whether it is an application segment `number` whose content begins with `name`.
    func isApplication(_ number: UInt8, _ name: StaticString, in bytes: RawSpan) -> Bool {
        marker == 0xe0 + number && bytes.has(name, at: content.lowerBound)
            && content.count >= name.utf8CodeUnitCount
    }
}
