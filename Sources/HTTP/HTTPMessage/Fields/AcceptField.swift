import Bytes

/// RFC 9110 §12.5.1. Skips unreadable elements and those after the 64th; if none is left, everything is acceptable.
package struct AcceptField: Sendable {
    private struct MediaRange {
        var type: Range<Int>
        var subtype: Range<Int>
        var isAnyType: Bool
        var isAnySubtype: Bool
        var quality: Int
    }

    private static let mediaRangeLimit = 64
    private var bytes: [UInt8] = []
    private var ranges: [MediaRange] = []
    private var ignoresParameters = false

    package var isPresent: Bool { !ranges.isEmpty }

    /// - Parameter ignoringParameters: whether `type/subtype;version=1` is read as `type/subtype`.
    package static func parse(_ fields: Fields, ignoringParameters: Bool = false) -> AcceptField {
        var accept = AcceptField()
        accept.ignoresParameters = ignoringParameters
        var line = fields.firstIndex(of: .accept)
        if line == nil { return accept }
        accept.bytes = fields.bytes
        accept.ranges.reserveCapacity(8)
        while let index = line {
            let base = fields.entries[index].valueRange.lowerBound
            accept.read(fields.valueBytes(at: index), base: base)
            line = fields.firstIndex(of: .accept, from: index + 1)
        }
        return accept
    }

    /// The weight of `mediaType`, such as `image/webp`, from 0 (not acceptable) to 1, by its most specific range.
    package func quality(of mediaType: String) -> Double {
        if ranges.isEmpty { return 1 }
        var bestSpecificity = -1
        var best = 0
        for range in ranges where matches(range, mediaType) {
            let specificity = range.isAnyType ? 0 : range.isAnySubtype ? 1 : 2
            if specificity > bestSpecificity {
                (bestSpecificity, best) = (specificity, range.quality)
            } else if specificity == bestSpecificity {
                best = max(best, range.quality)
            }
        }
        return Double(best) / 1000
    }

    package func isExplicit(_ mediaType: String) -> Bool {
        ranges.contains { !$0.isAnySubtype && $0.quality > 0 && matches($0, mediaType) }
    }
}

extension AcceptField {
    private func matches(_ range: MediaRange, _ mediaType: String) -> Bool {
        if range.isAnyType { return true }
        let wanted = mediaType.utf8.span.bytes
        let slash = wanted.position(of: UInt8(ascii: "/"), from: 0)
        guard slash < wanted.byteCount else { return false }
        let span = bytes.span.bytes
        guard span.extracting(range.type).equalsIgnoringCase(wanted.extracting(0..<slash)) else { return false }
        return range.isAnySubtype
            || span.extracting(range.subtype).equalsIgnoringCase(wanted.extracting((slash + 1)..<wanted.byteCount))
    }

    private mutating func read(_ value: RawSpan, base: Int) {
        var start = 0
        while start <= value.byteCount, ranges.count < Self.mediaRangeLimit {
            let end = ListElements.end(in: value, from: start, separator: UInt8(ascii: ","))
            if let range = mediaRange(in: value, value.trimmed(start..<end), base: base) { ranges.append(range) }
            start = end + 1
        }
    }

    /// Reads `type/subtype` with an optional weight. A range with other parameters never matches and is left out, unless
    /// they are ignored.
    private func mediaRange(in value: RawSpan, _ element: Range<Int>, base: Int) -> MediaRange? {
        let span = value.extracting(element)
        let offset = base + element.lowerBound
        let typeEnd = ByteSet.tokenBytes.endOfRun(in: span, from: 0, to: span.byteCount)
        guard typeEnd > 0, typeEnd < span.byteCount, span.byte(typeEnd) == UInt8(ascii: "/") else { return nil }
        let subtypeEnd = ByteSet.tokenBytes.endOfRun(
            in: span, from: min(typeEnd + 1, span.byteCount), to: span.byteCount)
        guard subtypeEnd > typeEnd + 1 else { return nil }
        let isAnyType = span.extracting(0..<typeEnd).equals("*")
        let isAnySubtype = span.extracting((typeEnd + 1)..<subtypeEnd).equals("*")
        guard !isAnyType || isAnySubtype, let quality = quality(in: span, from: subtypeEnd) else { return nil }
        return MediaRange(
            type: offset..<(offset + typeEnd), subtype: (offset + typeEnd + 1)..<(offset + subtypeEnd),
            isAnyType: isAnyType, isAnySubtype: isAnySubtype, quality: quality)
    }

    /// In thousandths, 1000 without one; nil if malformed or after another parameter. Ignores what follows it.
    private func quality(in span: RawSpan, from start: Int) -> Int? {
        var start = start
        while start < span.byteCount {
            let separator = span.trimmed(start..<span.byteCount).lowerBound
            guard separator < span.byteCount, span.byte(separator) == UInt8(ascii: ";") else { return nil }
            let end = ListElements.end(in: span, from: separator + 1, separator: UInt8(ascii: ";"))
            let parameter = span.extracting(span.trimmed((separator + 1)..<end))
            start = end
            if parameter.byteCount == 0 { continue }
            guard parameter.byteCount > 2, ASCII.lowercased(parameter.byte(0)) == UInt8(ascii: "q"),
                parameter.byte(1) == UInt8(ascii: "=")
            else {
                if ignoresParameters { continue }
                return nil
            }
            return Self.weight(parameter.extracting(2..<parameter.byteCount))
        }
        return 1000
    }

    /// `qvalue` (RFC 9110 §12.4.2) in thousandths.
    private static func weight(_ text: RawSpan) -> Int? {
        guard (1...5).contains(text.byteCount), text.byte(0) == UInt8(ascii: "0") || text.byte(0) == UInt8(ascii: "1")
        else { return nil }
        if text.byteCount > 1, text.byte(1) != UInt8(ascii: ".") { return nil }
        var value = Int(text.byte(0)) - 0x30
        for index in 2..<5 {
            var digit = 0
            if index < text.byteCount {
                guard ASCII.isDigit(text.byte(index)) else { return nil }
                digit = Int(text.byte(index)) - 0x30
            }
            value = value * 10 + digit
        }
        return value <= 1000 ? value : nil
    }
}
