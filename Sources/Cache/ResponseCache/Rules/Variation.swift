import HTTPMessage

/// Whether two requests select the same answer (RFC 9111 §4.1).
enum Variation {
    /// The most names that are compared: no origin shall make every request for a URI dear.
    private static let nameLimit = 64

    /// Whether any request can match: not with `*`, with what is no list of names, nor with too many of them.
    static func canMatch(_ vary: FieldNameList) -> Bool {
        vary.isWellFormed && vary.names.count <= nameLimit && !vary.contains("*")
    }

    /// Whether `request` has the same values as `selecting` in every field that `vary` names.
    static func matches(_ vary: FieldNameList, _ selecting: Fields, _ request: Fields) -> Bool {
        guard canMatch(vary) else { return false }
        return vary.names.allSatisfy { isSame($0, selecting.combined($0), request.combined($0)) }
    }

    private static func isSame(_ name: FieldName, _ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        if left == right { return true }
        if lists.contains(name) { return normalised(left) == normalised(right) }
        return !singletons.contains(name) && withoutListSpaces(left) == withoutListSpaces(right)
    }

    /// Fields whose values are lists of weighted names without case, in no order: that of languages cannot be relied upon
    /// either (RFC 9110 §12.5.4), weights are what tells.
    private static let lists: [FieldName] = ["Accept-Encoding", "Accept", "Accept-Language", "Accept-Charset"]

    /// Fields in whose values a comma separates nothing.
    private static let singletons: [FieldName] = [
        .authorization, "Cookie", .userAgent, .referrer, "From", .ifModifiedSince, .ifUnmodifiedSince, .ifRange, .date,
    ]

    /// The elements without white space and empty ones, in lower case; a value with quoted strings is left alone.
    private static func normalised(_ value: String) -> [String] {
        guard !value.utf8.contains(UInt8(ascii: "\"")) else { return [value] }
        let elements = value.split(separator: ",").map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }
        return elements.filter { !$0.isEmpty }.sorted()
    }

    /// `value` without the white space around its commas, as lines of a list may be joined with or without any (§4.1, RFC
    /// 9110 §5.3, §5.6.1); what is in quotation marks stays.
    private static func withoutListSpaces(_ value: String) -> [UInt8] {
        var out: [UInt8] = []
        var (isQuoted, isEscaped, isAfterComma) = (false, false, true)
        for byte in value.utf8 {
            let isSpace = byte == 0x20 || byte == 0x09
            if isSpace, !isQuoted, isAfterComma { continue }
            if byte == UInt8(ascii: ","), !isQuoted {
                while out.last == 0x20 || out.last == 0x09 { out.removeLast() }
            }
            isAfterComma = byte == UInt8(ascii: ",") && !isQuoted
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\")
            out.append(byte)
        }
        return out
    }
}
