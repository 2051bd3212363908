/// Credits of sources as lines of plain text. They come as text or HTML, often repeated or as parts of each other.
enum AttributionText {
    static let byteLimit = 4096
    /// Characters of a line; the rest is cut off.
    static let lineLimit = 160
    static let countLimit = 8

    private static let entities: [String: Character] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "copy": "©", "reg": "®",
        "trade": "™", "middot": "·", "bull": "•", "ndash": "–", "mdash": "—", "hellip": "…", "auml": "ä", "ouml": "ö",
        "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "eacute": "é", "egrave": "è", "agrave": "à",
        "ccedil": "ç", "ntilde": "ñ", "oacute": "ó", "aacute": "á", "iacute": "í", "uacute": "ú", "oslash": "ø",
        "aring": "å", "aelig": "æ", "laquo": "«", "raquo": "»", "ensp": " ", "emsp": " ", "thinsp": " ",
    ]

    /// The lines of all statements, each once, none part of another. O(bytes).
    static func lines(_ statements: [String]) -> [String] {
        var lines: [String] = []
        for line in statements.flatMap(Self.lines) {
            let folded = line.lowercased()
            if lines.contains(where: { $0.lowercased().contains(folded) }) { continue }
            lines.removeAll { folded.contains($0.lowercased()) }
            if lines.count < countLimit { lines.append(line) }
        }
        return lines
    }

    static func lines(_ statement: String) -> [String] {
        let text = plainText(String(decoding: statement.utf8.prefix(byteLimit), as: UTF8.self))
        var lines: [String] = []
        for part in text.split(whereSeparator: { "|•\n".contains($0) }) {
            for line in copyrights(collapsed(part)) where line.contains(where: { $0.isLetter || $0.isNumber }) {
                lines.append(line.count > lineLimit ? line.prefix(lineLimit - 1) + "…" : line)
            }
        }
        return lines
    }

    /// `© A © B` are two; `data © A, pictures © B` is one.
    private static func copyrights(_ text: String) -> [String] {
        guard text.hasPrefix("©") else { return [text] }
        var lines: [String] = []
        for part in text.split(separator: "©") {
            let name = collapsed(part)
            if let last = lines.last, last.hasSuffix(",") || last.hasSuffix(" and") || last.hasSuffix(" &") {
                lines[lines.count - 1] += " © " + name
            } else if !name.isEmpty {
                lines.append("© " + name)
            }
        }
        return lines
    }

    private static func collapsed(_ text: some StringProtocol) -> String {
        text.split { $0.isWhitespace || $0 == "\u{200B}" }.joined(separator: " ")
    }

    /// Without tags, entities decoded. A line break, or the boundary between two links, ends a line.
    private static func plainText(_ html: String) -> String {
        var result = ""
        var rest = html[...]
        var isAfterLink = false
        while let character = rest.first {
            let after = rest.dropFirst()
            if character == "<", let next = after.first, next.isLetter || next == "/" || next == "!" {
                guard let end = after.firstIndex(of: ">") else { break }
                let tag = after[..<end].lowercased()
                let name = tag.prefix { $0.isLetter || $0.isNumber || $0 == "/" }
                if name == "a", isAfterLink { result.append("\n") }
                if ["br", "br/", "p", "/p", "div", "/div", "li", "/li"].contains(name) { result.append("\n") }
                isAfterLink = name == "/a"
                rest = rest[rest.index(after: end)...]
                // What scripts and styles hold is not text.
                if name == "script" || name == "style" { rest = rest[(rest.firstIndex(of: "<") ?? rest.endIndex)...] }
                continue
            }
            var decoded = character
            rest = rest.dropFirst()
            if character == "&", let (entity, length) = entity(rest) {
                decoded = entity
                rest = rest.dropFirst(length)
            }
            if !decoded.isWhitespace { isAfterLink = false }
            result.append(decoded.isNewline ? " " : decoded)
        }
        return result
    }

    private static func entity(_ rest: Substring) -> (Character, Int)? {
        let name = rest.prefix(10).prefix { $0 != ";" }
        guard rest.dropFirst(name.count).first == ";", !name.isEmpty else { return nil }
        if name.first == "#" {
            let digits = name.dropFirst()
            let isHexadecimal = digits.first == "x" || digits.first == "X"
            let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            guard let scalar = number.flatMap(Unicode.Scalar.init), scalar.value >= 0x20 else { return nil }
            return (Character(scalar), name.count + 1)
        }
        return entities[String(name)].map { ($0, name.count + 1) }
    }
}

final class AttributionBook {
    private var statements: [String] = []

    func add(_ statement: String?) {
        if let statement, !statement.isEmpty, !statements.contains(statement), statements.count < 64 {
            statements.append(statement)
        }
    }

    var lines: [String] { AttributionText.lines(statements) }
}
