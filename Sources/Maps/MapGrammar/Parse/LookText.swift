import Bytes
import Parameters

extension MapLook {
    mutating func readLabels(_ reader: inout ParameterReader) {
        hasLabels = reader.value("labels", LookText.isOn) ?? true
        interests = reader.value("poi", LookText.interests) ?? .style
        languages = reader.value("language", LookText.languages) ?? []
    }
}

enum LookText {
    static func isOn(_ text: String) throws(Fault) -> Bool {
        switch text {
        case "on", "1", "true": true
        case "off", "0", "false": false
        default: throw .malformed(allowed: "on or off")
        }
    }

    private static let classLimit = 32
    private static let interestsAllowed =
        "all, none or at most \(classLimit) classes such as museum,cafe, of letters, digits, - and _"

    /// Classes are sorted, each once.
    static func interests(_ text: String) throws(Fault) -> MapLook.Interests {
        switch text {
        case "all", "on", "1", "true": return .all
        case "none", "off", "0", "false": return .none
        default: break
        }
        var classes: Set<String> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard (1...64).contains(part.utf8.count), part.utf8.allSatisfy(isNameByte) else {
                throw .malformed(allowed: interestsAllowed)
            }
            classes.insert(String(decoding: part.utf8.map(ASCII.lowercased), as: UTF8.self))
        }
        guard classes.count <= classLimit else { throw .outOfRange(allowed: interestsAllowed) }
        return .only(classes.sorted())
    }

    private static let languageLimit = 8
    private static let languagesAllowed = "at most \(languageLimit) language tags such as it,en or zh-Hans"

    /// BCP 47 tags in order of preference, each once, in their usual case: `zh-Hans`, `pt-BR`.
    static func languages(_ text: String) throws(Fault) -> [String] {
        var tags: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let tag = language(part) else { throw .malformed(allowed: languagesAllowed) }
            if !tags.contains(tag) { tags.append(tag) }
            guard tags.count <= languageLimit else { throw .outOfRange(allowed: languagesAllowed) }
        }
        return tags
    }

    private static func language(_ text: Substring) -> String? {
        let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count <= 35, let first = subtags.first, (2...8).contains(first.utf8.count),
            first.utf8.allSatisfy(isLetter)
        else { return nil }
        var written: [String] = []
        for subtag in subtags {
            guard (1...8).contains(subtag.utf8.count), subtag.utf8.allSatisfy({ isLetter($0) || ASCII.isDigit($0) })
            else { return nil }
            var bytes = subtag.utf8.map(ASCII.lowercased)
            if !written.isEmpty, bytes.allSatisfy(isLetter) {
                // Scripts have four letters and a capital, regions two capitals (RFC 5646 §2.1.1).
                if bytes.count == 2 { bytes = bytes.map { $0 - 0x20 } }
                if bytes.count == 4 { bytes[0] -= 0x20 }
            }
            written.append(String(decoding: bytes, as: UTF8.self))
        }
        return written.joined(separator: "-")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(ASCII.lowercased(byte))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
