import Bytes

// Cache directives come in two spellings, read into the same calls: the forgiving lists of Cache-Control, and the
// strict dictionaries of targeted fields (see `StructuredDictionary`).

enum DirectiveArgument {
    case none
    case token
    /// A quoted string without its quotation marks; backslashes are kept.
    case quoted
    case malformed
    /// A structured `?0`: the directive does not apply.
    case negated
}

/// Cache-Control lists (RFC 9111 §5.2).
enum DirectiveList {
    /// Greater numbers of seconds count as this (RFC 9111 §1.2.2).
    static let largestSeconds = 1 << 31

    /// After a quotation mark that is never closed none hides a comma, so that no directive is hidden. No allocation.
    static func forEach(in value: RawSpan, _ body: (RawSpan, RawSpan, DirectiveArgument) -> Void) {
        var start = 0
        var isBroken = false
        while start < value.byteCount {
            var end = value.byteCount
            if !isBroken {
                end = ListElements.end(in: value, from: start, separator: UInt8(ascii: ","))
                if end == value.byteCount, let opening = openQuote(in: value, from: start) {
                    isBroken = true
                    end = value.position(of: UInt8(ascii: ","), from: opening)
                }
            } else {
                end = value.position(of: UInt8(ascii: ","), from: start)
            }
            readElement(value.extracting(value.trimmed(start..<end)), body)
            start = end + 1
        }
    }

    static func seconds(_ argument: RawSpan, _ form: DirectiveArgument) -> Int? {
        // A quoted number must not be sent, but is read (RFC 9111 §5.2.2.1).
        guard form == .token || form == .quoted, argument.byteCount > 0 else { return nil }
        var value = 0
        for index in 0..<argument.byteCount {
            let byte = argument.byte(index)
            guard ASCII.isDigit(byte) else { return nil }
            value = min(value * 10 + Int(byte) - 0x30, largestSeconds)
        }
        return value
    }

    /// The listed field names; nil if there are none or one is no token.
    static func fieldNames(_ argument: RawSpan, _ form: DirectiveArgument) -> [FieldName]? {
        guard form == .token || form == .quoted else { return nil }
        var names: [FieldName] = []
        var isWellFormed = true
        ListElements.forEach(in: argument) { element in
            if element.byteCount == 0 { return }
            if let name = FieldName(element.text) { names.append(name) } else { isWellFormed = false }
        }
        return isWellFormed && !names.isEmpty ? names : nil
    }

    private static func readElement(_ element: RawSpan, _ body: (RawSpan, RawSpan, DirectiveArgument) -> Void) {
        let nameEnd = ByteSet.tokenBytes.endOfRun(in: element, from: 0, to: element.byteCount)
        guard nameEnd > 0 else { return }
        let name = element.extracting(0..<nameEnd)
        if nameEnd == element.byteCount { return body(name, element.extracting(0..<0), .none) }
        let start = nameEnd + 1
        guard element.byte(nameEnd) == UInt8(ascii: "="), start < element.byteCount else {
            return body(name, element.extracting(0..<0), .malformed)
        }
        let argument = element.extracting(start..<element.byteCount)
        guard argument.byte(0) == UInt8(ascii: "\"") else {
            let end = ByteSet.tokenBytes.endOfRun(in: argument, from: 0, to: argument.byteCount)
            return body(name, argument, end == argument.byteCount ? .token : .malformed)
        }
        let last = argument.byteCount - 1
        guard last > 0, argument.byte(last) == UInt8(ascii: "\""), closingQuote(argument) == last else {
            return body(name, argument, .malformed)
        }
        body(name, argument.extracting(1..<last), .quoted)
    }

    /// The end of the quoted string that begins `text`, or its length.
    private static func closingQuote(_ text: RawSpan) -> Int {
        var index = 1
        while index < text.byteCount, text.byte(index) != UInt8(ascii: "\"") {
            index += text.byte(index) == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, text.byteCount)
    }

    /// The start of a quoted string that is not closed at the end of `value`.
    private static func openQuote(in value: RawSpan, from start: Int) -> Int? {
        var index = start
        var opening: Int?
        while index < value.byteCount {
            let byte = value.byte(index)
            if byte == UInt8(ascii: "\"") {
                opening = opening == nil ? index : nil
            } else if opening != nil, byte == UInt8(ascii: "\\") {
                index += 1
            }
            index += 1
        }
        return opening
    }
}
