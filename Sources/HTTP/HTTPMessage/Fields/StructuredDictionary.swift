import Bytes

/// Dictionaries of structured fields (RFC 9651 §3.2) as cache directives (RFC 9213 §2.1); parameters are ignored.
enum StructuredDictionary {
    /// Whether `value` is a dictionary with members. Linear in the bytes, no allocation.
    static func isValid(_ value: RawSpan) -> Bool {
        var scanner = StructuredScanner(value)
        return scanner.members { _, _, _ in }
    }

    /// Calls `body` with each member of a valid `value`; of members with one name the last counts.
    static func forEach(in value: RawSpan, _ body: (RawSpan, RawSpan, DirectiveArgument) -> Void) {
        var scanner = StructuredScanner(value)
        _ = scanner.members(body)
    }
}

/// Reads the grammar of RFC 9651 §4.2; each method returns false at the first wrong byte.
private struct StructuredScanner: ~Copyable, ~Escapable {
    private let bytes: RawSpan
    private var index = 0
    /// Kind and place of the last bare item.
    private var form = DirectiveArgument.none
    private var item = 0..<0

    @_lifetime(copy bytes) init(_ bytes: RawSpan) { self.bytes = bytes }

    mutating func members(_ body: (RawSpan, RawSpan, DirectiveArgument) -> Void) -> Bool {
        skip(isBlankAllowed: false)
        guard index < bytes.byteCount else { return false }
        while true {
            let start = index
            guard key() else { return false }
            let name = bytes.extracting(start..<index)
            (form, item) = (.none, 0..<0)
            if take("=") { guard peek == UInt8(ascii: "(") ? innerList() : bareItem() else { return false } }
            let (memberForm, memberItem) = (form, item)
            guard parameters() else { return false }
            body(name, bytes.extracting(memberItem), memberForm)
            skip(isBlankAllowed: true)
            if index == bytes.byteCount { return true }
            guard take(",") else { return false }
            skip(isBlankAllowed: true)
        }
    }

    private var peek: UInt8? { index < bytes.byteCount ? bytes.byte(index) : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    private mutating func skip(isBlankAllowed tabsToo: Bool) {
        while let byte = peek, byte == 0x20 || (tabsToo && byte == 0x09) { index += 1 }
    }

    private mutating func key() -> Bool {
        guard let first = peek, first == UInt8(ascii: "*") || Self.isLower(first) else { return false }
        while let byte = peek, Self.isLower(byte) || ASCII.isDigit(byte) || Self.isKeyMark(byte) { index += 1 }
        return true
    }

    private mutating func parameters() -> Bool {
        while take(";") {
            skip(isBlankAllowed: false)
            guard key() else { return false }
            if take("="), !bareItem() { return false }
        }
        return true
    }

    private mutating func innerList() -> Bool {
        index += 1
        while true {
            skip(isBlankAllowed: false)
            if take(")") { break }
            guard bareItem(), parameters(), let next = peek, next == 0x20 || next == UInt8(ascii: ")") else {
                return false
            }
        }
        (form, item) = (.malformed, 0..<0)
        return true
    }

    private mutating func bareItem() -> Bool {
        let start = index
        guard let first = peek else { return false }
        form = .malformed
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard number() else { return false }
        case UInt8(ascii: "\""):
            guard quotedString() else { return false }
            form = .quoted
            item = (start + 1)..<(index - 1)
            return true
        case UInt8(ascii: "?"):
            index += 1
            guard let digit = peek, digit == UInt8(ascii: "0") || digit == UInt8(ascii: "1") else { return false }
            index += 1
            form = digit == UInt8(ascii: "0") ? .negated : .none
        case UInt8(ascii: ":"):
            index += 1
            while let byte = peek, Self.isBase64(byte) { index += 1 }
            guard take(":") else { return false }
        case UInt8(ascii: "@"):
            index += 1
            guard number(), form == .token else { return false }
            form = .malformed
        case UInt8(ascii: "%"):
            index += 1
            guard quotedString() else { return false }
        case UInt8(ascii: "*"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
            while let byte = peek, Self.isTokenRest(byte) { index += 1 }
            form = .token
        default: return false
        }
        item = start..<index
        return true
    }

    /// An integer of at most 15 digits, which counts as a token, or a decimal of at most 12 and 3.
    private mutating func number() -> Bool {
        _ = take("-")
        let whole = digits()
        guard whole > 0, whole <= 15 else { return false }
        form = .token
        guard take(".") else { return true }
        form = .malformed
        let fraction = digits()
        return whole <= 12 && (1...3).contains(fraction)
    }

    private mutating func digits() -> Int {
        let start = index
        while let byte = peek, ASCII.isDigit(byte) { index += 1 }
        return index - start
    }

    private mutating func quotedString() -> Bool {
        guard take("\"") else { return false }
        while let byte = peek {
            index += 1
            if byte == UInt8(ascii: "\"") { return true }
            guard byte >= 0x20, byte < 0x7f else { return false }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = peek, escaped == UInt8(ascii: "\\") || escaped == UInt8(ascii: "\"") else {
                    return false
                }
                index += 1
            }
        }
        return false
    }

    private static func isLower(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") }

    private static func isKeyMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "*")
    }

    private static func isTokenRest(_ byte: UInt8) -> Bool {
        ByteSet.tokenBytes.contains(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "/")
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || isLower(ASCII.lowercased(byte)) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
            || byte == UInt8(ascii: "=")
    }
}
