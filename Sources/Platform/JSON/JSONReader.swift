import Bytes

// The system's reader pulls in Foundation, loses the order of members and reports no place. Depth is bounded because
// values are read, compiled and released by recursion.

/// RFC 8259, strictly: one value, no comments, no trailing commas, UTF-8.
package struct JSONReader {
    package static let depthLimit = 128
    package static let byteLimit = 64 << 20

    private let bytes: [UInt8]
    private let depthLimit: Int
    private var offset = 0

    /// O(bytes). Skips a byte-order mark at the start.
    package static func read(
        _ bytes: [UInt8], depthLimit: Int = JSONReader.depthLimit, byteLimit: Int = JSONReader.byteLimit
    ) throws(JSONError) -> JSONValue {
        guard bytes.count <= byteLimit else { throw .tooLarge(limit: byteLimit) }
        var reader = JSONReader(bytes: bytes, depthLimit: depthLimit)
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { reader.offset = 3 }
        let value = try reader.readValue(depth: 0)
        reader.skipSpace()
        if reader.offset < bytes.count { throw .unexpected(bytes[reader.offset], offset: reader.offset) }
        return value
    }

    package static func read(_ text: String) throws(JSONError) -> JSONValue { try read(Array(text.utf8)) }

    private init(bytes: [UInt8], depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
    }

    private mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0a, 0x0d: offset += 1
            default: return
            }
        }
    }

    private func peek() throws(JSONError) -> UInt8 {
        guard offset < bytes.count else { throw .truncated(offset: bytes.count) }
        return bytes[offset]
    }

    private mutating func readValue(depth: Int) throws(JSONError) -> JSONValue {
        skipSpace()
        switch try peek() {
        case UInt8(ascii: "{"): return try readObject(depth: depth + 1)
        case UInt8(ascii: "["): return try readArray(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try readWord("true", .boolean(true))
        case UInt8(ascii: "f"): return try readWord("false", .boolean(false))
        case UInt8(ascii: "n"): return try readWord("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try readNumber())
        case let byte: throw .unexpected(byte, offset: offset)
        }
    }

    private mutating func readWord(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for byte in word.description.utf8 {
            guard try peek() == byte else { throw .unexpected(bytes[offset], offset: offset) }
            offset += 1
        }
        return value
    }

    private mutating func readArray(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= depthLimit else { throw .tooDeep(limit: depthLimit, offset: offset) }
        offset += 1
        var elements: [JSONValue] = []
        skipSpace()
        if try peek() == UInt8(ascii: "]") {
            offset += 1
            return .array(elements)
        }
        while true {
            elements.append(try readValue(depth: depth))
            if try endsList(with: UInt8(ascii: "]")) { return .array(elements) }
        }
    }

    private mutating func readObject(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= depthLimit else { throw .tooDeep(limit: depthLimit, offset: offset) }
        offset += 1
        var object = OrderedObject<JSONValue>()
        skipSpace()
        if try peek() == UInt8(ascii: "}") {
            offset += 1
            return .object(object)
        }
        while true {
            skipSpace()
            guard try peek() == UInt8(ascii: "\"") else { throw .unexpected(bytes[offset], offset: offset) }
            let name = try readString()
            skipSpace()
            guard try peek() == UInt8(ascii: ":") else { throw .unexpected(bytes[offset], offset: offset) }
            offset += 1
            object[name] = try readValue(depth: depth)
            if try endsList(with: UInt8(ascii: "}")) { return .object(object) }
        }
    }

    /// Moves past a comma (false) or `bracket` (true).
    private mutating func endsList(with bracket: UInt8) throws(JSONError) -> Bool {
        skipSpace()
        let byte = try peek()
        guard byte == bracket || byte == UInt8(ascii: ",") else { throw .unexpected(byte, offset: offset) }
        offset += 1
        return byte == bracket
    }
}

extension JSONReader {
    private mutating func readNumber() throws(JSONError) -> Double {
        let start = offset
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        let whole = skipDigits()
        guard whole > 0, whole == 1 || bytes[offset - whole] != UInt8(ascii: "0") else {
            throw .malformedNumber(offset: start)
        }
        var isWhole = true
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            isWhole = false
            offset += 1
            guard skipDigits() > 0 else { throw .malformedNumber(offset: start) }
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            offset += 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
                offset += 1
            }
            guard skipDigits() > 0 else { throw .malformedNumber(offset: start) }
        }
        if isWhole, offset - start < 16 {
            var value = 0
            for byte in bytes[start..<offset] where byte != UInt8(ascii: "-") { value = value * 10 + Int(byte & 0x0f) }
            return bytes[start] == UInt8(ascii: "-") ? -Double(value) : Double(value)
        }
        guard let value = Double(String(decoding: bytes[start..<offset], as: UTF8.self)), value.isFinite else {
            throw .malformedNumber(offset: start)
        }
        return value
    }

    private mutating func skipDigits() -> Int {
        let start = offset
        while offset < bytes.count, ASCII.isDigit(bytes[offset]) { offset += 1 }
        return offset - start
    }

    private mutating func readString() throws(JSONError) -> String {
        let start = offset
        offset += 1
        var text: [UInt8] = []
        var plainStart = offset
        while true {
            let byte = try peek()
            switch byte {
            case UInt8(ascii: "\""):
                text.append(contentsOf: bytes[plainStart..<offset])
                offset += 1
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw .malformedString(offset: start)
                }
                return string
            case UInt8(ascii: "\\"):
                text.append(contentsOf: bytes[plainStart..<offset])
                offset += 1
                try readEscape(into: &text, start: start)
                plainStart = offset
            case 0..<0x20: throw .malformedString(offset: start)
            default: offset += 1
            }
        }
    }

    private mutating func readEscape(into text: inout [UInt8], start: Int) throws(JSONError) {
        let byte = try peek()
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(try readScalar(start: start)).utf8)
        default: throw .malformedString(offset: start)
        }
    }

    /// The scalar of `\uXXXX` or of a surrogate pair; a lone surrogate becomes U+FFFD.
    private mutating func readScalar(start: Int) throws(JSONError) -> Character {
        let first = try readUnit(start: start)
        if first & 0xfc00 == 0xd800, offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
            bytes[offset + 1] == UInt8(ascii: "u")
        {
            let kept = offset
            offset += 2
            let second = try readUnit(start: start)
            if second & 0xfc00 == 0xdc00 {
                let scalar = 0x10000 + (UInt32(first & 0x3ff) << 10) + UInt32(second & 0x3ff)
                return Character(Unicode.Scalar(scalar) ?? "\u{fffd}")
            }
            offset = kept
        }
        return Character(Unicode.Scalar(first) ?? "\u{fffd}")
    }

    private mutating func readUnit(start: Int) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = ASCII.hexValue(try peek()) else { throw .malformedString(offset: start) }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }
}
