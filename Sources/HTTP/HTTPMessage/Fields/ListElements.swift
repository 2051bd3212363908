/// Lists in field values (RFC 9110 §5.6.1).
enum ListElements {
    /// Calls `body` with each trimmed element, empty ones included; quotation marks mean nothing in lists of tokens.
    static func forEach(in value: RawSpan, _ body: (RawSpan) -> Void) {
        var start = 0
        while start <= value.byteCount {
            let end = value.position(of: UInt8(ascii: ","), from: start)
            body(value.extracting(value.trimmed(start..<end)))
            start = end + 1
        }
    }

    /// The next `separator` from `start` on that is outside a quoted string, or the end.
    static func end(in value: RawSpan, from start: Int, separator: UInt8) -> Int {
        var index = start
        var isQuoted = false
        while index < value.byteCount {
            let byte = value.byte(index)
            if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                index += 1
            } else if !isQuoted, byte == separator {
                return index
            }
            index += 1
        }
        return value.byteCount
    }
}
