import Bytes

/// RFC 9110 §8.8.3.
package struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    package let opaque: String
    package let isWeak: Bool

    /// Nil if `opaque` holds a quotation mark, white space or a control byte.
    package init?(opaque: String, isWeak: Bool = false) {
        guard opaque.utf8.allSatisfy(Self.isTagByte) else { return nil }
        self.opaque = opaque
        self.isWeak = isWeak
    }

    package init?(_ text: String) {
        let bytes = text.utf8.span.bytes
        guard let found = Self.tag(in: bytes, at: 0), found.end == bytes.byteCount else { return nil }
        self.opaque = bytes.extracting(found.opaque).text
        self.isWeak = found.isWeak
    }

    package var text: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }
    package var description: String { text }

    /// RFC 9110 §8.8.3.2.
    package enum Comparison: Sendable {
        case strong
        case weak
    }

    /// Whether a tag in the lines called `name`, up to a malformed element, matches; a lone `*` matches what exists.
    package func isListed(in fields: Fields, _ name: FieldName, by comparison: Comparison) -> Bool {
        var line = fields.firstIndex(of: name)
        if let index = line, fields.valueBytes(at: index).equals("*") { return fields.count(of: name) == 1 }
        while let index = line {
            if isListed(in: fields.valueBytes(at: index), by: comparison) { return true }
            line = fields.firstIndex(of: name, from: index + 1)
        }
        return false
    }

    /// Whether `value` is just one tag that matches this one. No allocation.
    package func isSpelled(in value: RawSpan, by comparison: Comparison) -> Bool {
        guard let found = Self.tag(in: value, at: 0), found.end == value.byteCount else { return false }
        if comparison == .strong, isWeak || found.isWeak { return false }
        return value.extracting(found.opaque).equals(opaque.utf8.span.bytes)
    }

    private func isListed(in value: RawSpan, by comparison: Comparison) -> Bool {
        if !isWeak, isAlone(in: value) { return true }
        var index = 0
        while true {
            while index < value.byteCount, RawSpan.isBlank(value.byte(index)) || value.byte(index) == UInt8(ascii: ",")
            {
                index += 1
            }
            guard let found = Self.tag(in: value, at: index) else { return false }
            index = found.end
            while index < value.byteCount, RawSpan.isBlank(value.byte(index)) { index += 1 }
            guard index == value.byteCount || value.byte(index) == UInt8(ascii: ",") else { return false }
            if comparison == .strong, isWeak || found.isWeak { continue }
            if value.extracting(found.opaque).equals(opaque.utf8.span.bytes) { return true }
        }
    }

    /// Whether `value` is this tag in quotation marks: what clients send for a strong one that they have.
    private func isAlone(in value: RawSpan) -> Bool {
        let own = opaque.utf8.span.bytes
        let (quote, last) = (UInt8(ascii: "\""), value.byteCount - 1)
        guard last == own.byteCount + 1, value.byte(0) == quote, value.byte(last) == quote else { return false }
        return value.extracting(1..<last).hasSameBytes(as: own)
    }

    private struct Found {
        var opaque: Range<Int>
        var end: Int
        var isWeak: Bool
    }

    private static func tag(in bytes: RawSpan, at start: Int) -> Found? {
        var index = start
        let isWeak =
            bytes.byteCount - index >= 2 && bytes.byte(index) == UInt8(ascii: "W")
            && bytes.byte(index + 1) == UInt8(ascii: "/")
        if isWeak { index += 2 }
        guard index < bytes.byteCount, bytes.byte(index) == UInt8(ascii: "\"") else { return nil }
        let opaqueStart = index + 1
        index = opaqueStart
        while index < bytes.byteCount, isTagByte(bytes.byte(index)) { index += 1 }
        guard index < bytes.byteCount, bytes.byte(index) == UInt8(ascii: "\"") else { return nil }
        return Found(opaque: opaqueStart..<index, end: index + 1, isWeak: isWeak)
    }

    /// `etagc`: visible ASCII without the quotation mark, and bytes from 0x80 up.
    private static func isTagByte(_ byte: UInt8) -> Bool { byte == 0x21 || (byte >= 0x23 && byte != 0x7f) }
}
