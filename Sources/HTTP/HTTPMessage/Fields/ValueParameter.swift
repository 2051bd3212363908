/// A parameter of a field value: `; name=value`.
struct ValueParameter: Equatable {
    /// In lower case.
    let name: String
    /// Without quotation marks and escapes.
    let bytes: [UInt8]

    /// Bytes that are not UTF-8 become U+FFFD.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The parameters of `value` from `start` on; nil if malformed or repeated.
    ///
    /// Skips empty ones (RFC 9110 §5.6.6). In a quoted string a backslash escapes a quotation mark and itself; before
    /// other bytes it is kept, as some clients send paths with unescaped backslashes.
    static func read(_ value: RawSpan, from start: Int) -> [ValueParameter]? {
        var parameters: [ValueParameter] = []
        var index = skipBlanks(value, start)
        while index < value.byteCount {
            guard value.byte(index) == UInt8(ascii: ";") else { return nil }
            index = skipBlanks(value, index + 1)
            if index == value.byteCount || value.byte(index) == UInt8(ascii: ";") { continue }
            let nameEnd = ByteSet.tokenBytes.endOfRun(in: value, from: index, to: value.byteCount)
            guard nameEnd > index, nameEnd < value.byteCount, value.byte(nameEnd) == UInt8(ascii: "=") else {
                return nil
            }
            let name = value.extracting(index..<nameEnd).text.lowercased()
            guard let (bytes, end) = argument(value, nameEnd + 1), !parameters.contains(where: { $0.name == name })
            else { return nil }
            parameters.append(ValueParameter(name: name, bytes: bytes))
            index = skipBlanks(value, end)
        }
        return parameters
    }

    private static func skipBlanks(_ value: RawSpan, _ start: Int) -> Int {
        var index = start
        while index < value.byteCount, RawSpan.isBlank(value.byte(index)) { index += 1 }
        return index
    }

    private static func argument(_ value: RawSpan, _ start: Int) -> (bytes: [UInt8], end: Int)? {
        var bytes: [UInt8] = []
        var index = start
        guard index < value.byteCount, value.byte(index) == UInt8(ascii: "\"") else {
            while index < value.byteCount, value.byte(index) != UInt8(ascii: ";"), !RawSpan.isBlank(value.byte(index)) {
                guard value.byte(index) != UInt8(ascii: "\"") else { return nil }
                bytes.append(value.byte(index))
                index += 1
            }
            return bytes.isEmpty ? nil : (bytes, index)
        }
        index += 1
        while index < value.byteCount {
            var byte = value.byte(index)
            index += 1
            if byte == UInt8(ascii: "\"") { return (bytes, index) }
            if byte == UInt8(ascii: "\\"), index < value.byteCount {
                let next = value.byte(index)
                if next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\") {
                    byte = next
                    index += 1
                }
            }
            bytes.append(byte)
        }
        return nil
    }
}
