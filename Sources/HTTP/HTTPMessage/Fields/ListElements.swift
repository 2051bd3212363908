/// Comma-separated lists in field values (RFC 9110 §5.6.1).
enum ListElements {
    /// Calls `body` with each element of a list of tokens without white space around, empty ones included; an empty
    /// value has one empty element. Quotation marks mean nothing in such a list and hide no comma.
    static func forEach(in value: RawSpan, _ body: (RawSpan) -> Void) {
        var start = 0
        while start <= value.byteCount {
            var end = start
            while end < value.byteCount, value.byte(end) != UInt8(ascii: ",") { end += 1 }
            body(value.extracting(value.trimmed(start..<end)))
            start = end + 1
        }
    }

    /// Where the element that begins at `start` ends: at the next `separator` outside a quoted string, or at the end.
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
