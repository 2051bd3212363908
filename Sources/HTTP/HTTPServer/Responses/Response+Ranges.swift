import Bytes
import HTTPMessage
import Reactor

// A part is a range of the content, which stays where it is: shared memory, or a file that the kernel sends. Only the
// lines between the parts of a multipart are made, in one piece of memory.

extension Response {
    /// A 206 with `ranges`, of a `RangeSelection`, unless multipart would be longer than the whole (RFC 9110 §14.2, §15.3.7).
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

    /// Stable while the process lives, but a hash under a secret key: who makes the content cannot foresee it.
    private static func boundary(_ fields: FieldLines, _ ranges: [Range<Int>]) -> String {
        var hasher = Hasher()
        hasher.combine(fields.bytes)
        hasher.combine(ranges)
        var other = hasher
        other.combine(true)
        return [hasher, other].map { String(UInt(bitPattern: $0.finalize()), radix: 36) }.joined(separator: "-")
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
    fileprivate func part(in range: Range<Int>) -> ContentPart {
        switch self {
        case .bytes(let bytes, let own):
            .bytes(bytes, (own.lowerBound + range.lowerBound)..<(own.lowerBound + range.upperBound))
        case .file(let file, let own):
            .file(file, (own.lowerBound + range.lowerBound)..<(own.lowerBound + range.upperBound))
        }
    }
}
