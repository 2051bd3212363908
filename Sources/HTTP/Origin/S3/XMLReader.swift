import Bytes

// As much of XML as the answers of S3 have: elements, text, and attributes, which are skipped. A document type is
// refused, and with it entities, by which a document could grow beyond its bytes.

/// One pass; no recursion, no allocation beyond the names and texts it reports.
enum XMLReader {
    enum Event: Equatable {
        case open(String)
        case text(String)
        case close(String)
    }

    /// Reports events until `body` returns false; returns false then, and for malformed documents.
    static func read(_ bytes: [UInt8], _ body: (Event) -> Bool) -> Bool {
        var (rest, depth) = (bytes[...], 0)
        // One element holds all others.
        var isOver = false
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(3) }
        while let first = rest.first {
            guard first == UInt8(ascii: "<") else {
                let end = rest.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
                guard let text = text(rest[..<end]), depth > 0 || text.allSatisfy(\.isWhitespace) else { return false }
                if depth > 0, !body(.text(text)) { return false }
                rest = rest[end...]
                continue
            }
            if rest.starts(with: "<!--".utf8) {
                guard skip(past: "-->", in: &rest) else { return false }
            } else if rest.starts(with: "<?".utf8) {
                guard depth == 0, skip(past: "?>", in: &rest) else { return false }
            } else {
                guard !isOver, let end = tagEnd(rest) else { return false }
                guard tag(rest[rest.index(after: rest.startIndex)..<end], &depth, body) else { return false }
                rest = rest[(end + 1)...]
                isOver = depth == 0
            }
        }
        return depth == 0
    }

    private static func skip(past mark: String, in rest: inout ArraySlice<UInt8>) -> Bool {
        guard let range = rest.firstRange(of: Array(mark.utf8)) else { return false }
        rest = rest[range.upperBound...]
        return true
    }

    private static func tagEnd(_ rest: ArraySlice<UInt8>) -> Int? {
        var quote: UInt8?
        for index in rest.indices {
            let byte = rest[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index
            }
        }
        return nil
    }

    private static func tag(_ bytes: ArraySlice<UInt8>, _ depth: inout Int, _ body: (Event) -> Bool) -> Bool {
        if bytes.first == UInt8(ascii: "/") {
            let name = bytes.dropFirst().prefix { !isSpace($0) }
            guard depth > 0, bytes.dropFirst(1 + name.count).allSatisfy(isSpace), let text = self.name(name) else {
                return false
            }
            depth -= 1
            return body(.close(text))
        }
        let isEmpty = bytes.last == UInt8(ascii: "/")
        guard let text = name((isEmpty ? bytes.dropLast() : bytes).prefix { !isSpace($0) }) else { return false }
        guard body(.open(text)) else { return false }
        if isEmpty { return body(.close(text)) }
        depth += 1
        return true
    }

    /// The name without its namespace prefix; nil if invalid, as in `<!DOCTYPE` and `<![CDATA[`.
    private static func name(_ bytes: ArraySlice<UInt8>) -> String? {
        guard !bytes.isEmpty,
            bytes.allSatisfy({
                ASCII.isDigit($0) || (0x61...0x7A).contains(ASCII.lowercased($0)) || ":-_.".utf8.contains($0)
            })
        else { return nil }
        let local = bytes.lastIndex(of: UInt8(ascii: ":")).map { bytes[($0 + 1)...] } ?? bytes
        return local.isEmpty ? nil : String(decoding: local, as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Resolves the five entities and character numbers; nil for others and for bytes that are not UTF-8.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        guard var rest = String(validating: bytes, as: UTF8.self)?[...] else { return nil }
        var out = ""
        while let mark = rest.firstIndex(of: "&") {
            out += rest[..<mark]
            let after = rest.index(after: mark)
            guard let end = rest[after...].prefix(12).firstIndex(of: ";"), let character = character(rest[after..<end])
            else { return nil }
            out.unicodeScalars.append(character)
            rest = rest[rest.index(after: end)...]
        }
        return out + rest
    }

    private static func character(_ entity: Substring) -> Unicode.Scalar? {
        switch entity {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard entity.hasPrefix("#") else { return nil }
            let isHex = entity.dropFirst().hasPrefix("x")
            let digits = entity.dropFirst(isHex ? 2 : 1)
            guard !digits.hasPrefix("+"), let number = UInt32(digits, radix: isHex ? 16 : 10), number > 0 else {
                return nil
            }
            return Unicode.Scalar(number)
        }
    }
}
