import Bytes
import HTTPMessage
import Reactor

// A part is a place in the content, which stays where it is: memory that others share, or a file that the kernel sends.
// Nothing is made but the lines between the parts of a multipart, all of them in one piece of memory.

extension Response {
    /// Makes this 200 a 206 with the bytes of `ranges` (RFC 9110 §15.3.7); without a content of known length it stays.
    ///
    /// `ranges` are those of a `RangeSelection` for this content: not empty, within it, and none touches another. One is
    /// sent as it is. Several are sent as multipart/byteranges, unless the whole is no longer than that: then it stays a
    /// 200, which a client must be ready for (§14.2). So a 206 never has more bytes than the 200. The lines of the parts
    /// cost about 100 bytes each; the content is not copied.
    package mutating func cut(to ranges: [Range<Int>]) {
        guard let content, let byteCount = content.byteCount, let first = ranges.first else { return }
        if ranges.count > 1 { return cutIntoParts(ranges, content, byteCount) }
        status = .partialContent
        ownFields.append(.contentRange, Self.contentRange(first, of: byteCount))
        self.content = .parts(content.parts(in: first))
    }

    private mutating func cutIntoParts(_ ranges: [Range<Int>], _ content: ResponseContent, _ byteCount: Int) {
        var cutFields = fields
        let mediaType = cutFields.remove(.contentType)
        let boundary = Self.boundary(fields, ranges)
        var lines: [UInt8] = []
        var ends: [Int] = []
        for range in ranges {
            lines += "\(lines.isEmpty ? "" : "\r\n")--\(boundary)\r\n".utf8
            var head = FieldLines()
            if let mediaType { head.append(.contentType, mediaType) }
            head.append(.contentRange, Self.contentRange(range, of: byteCount))
            lines += head.bytes
            lines += "\r\n".utf8
            ends.append(lines.count)
        }
        lines += "\r\n--\(boundary)--\r\n".utf8
        guard ranges.reduce(lines.count, { $0 + $1.count }) < byteCount else { return }

        let shared = SharedBytes(lines)
        var parts: [ContentPart] = []
        var start = 0
        for (range, end) in zip(ranges, ends) {
            parts.append(.bytes(shared, start..<end))
            parts += content.parts(in: range)
            start = end
        }
        parts.append(.bytes(shared, start..<shared.count))
        cutFields.append(.contentType, "multipart/byteranges; boundary=\(boundary)")
        status = .partialContent
        fields = cutFields
        self.content = .parts(parts)
    }

    /// What separates the parts (RFC 2046 §5.1.1). The same parts of the same representation always get the same one while
    /// the process lives; who makes the content cannot foresee it, since the 128 bits are a hash under a secret key.
    private static func boundary(_ fields: FieldLines, _ ranges: [Range<Int>]) -> String {
        var hasher = Hasher()
        hasher.combine(fields.bytes)
        hasher.combine(ranges)
        var other = hasher
        other.combine(true)
        return [hasher.finalize(), other.finalize()].map { String(UInt(bitPattern: $0), radix: 36) }.joined(
            separator: "-")
    }

    private static func contentRange(_ range: Range<Int>, of byteCount: Int) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(byteCount)"
    }
}

extension ResponseContent {
    /// The pieces that hold the bytes of `range`; none of a stream.
    func parts(in range: Range<Int>) -> [ContentPart] {
        switch self {
        case .bytes(let bytes): return [.bytes(bytes, range.clamped(to: 0..<bytes.count))]
        case .file(let file): return [.file(file, range.clamped(to: 0..<file.byteCount))]
        case .parts(let parts):
            var start = 0
            return parts.compactMap { part in
                let place = start..<(start + part.byteCount)
                start = place.upperBound
                let overlap = range.clamped(to: place)
                guard !overlap.isEmpty else { return nil }
                return part.part(in: (overlap.lowerBound - place.lowerBound)..<(overlap.upperBound - place.lowerBound))
            }
        case .stream: return []
        }
    }
}

extension ContentPart {
    /// The bytes of `range`, counted from the first one of this part and within it.
    fileprivate func part(in range: Range<Int>) -> ContentPart {
        switch self {
        case .bytes(let bytes, let own):
            .bytes(bytes, (own.lowerBound + range.lowerBound)..<(own.lowerBound + range.upperBound))
        case .file(let file, let own):
            .file(file, (own.lowerBound + range.lowerBound)..<(own.lowerBound + range.upperBound))
        }
    }
}
