import HTTPMessage

/// Whether two requests select the same response (RFC 9111 §4.1).
enum Variation {
    /// Names compared at most, so that no origin makes every request for a URI expensive.
    private static let nameLimit = 64

    /// False for `*`, for malformed lists and for too many names.
    static func canMatch(_ vary: FieldNameList) -> Bool {
        vary.isWellFormed && vary.names.count <= nameLimit && !vary.contains("*")
    }

    /// Whether `request` and `selecting` have the same values in every field that `vary` names.
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

    /// Weighted, regardless of case and order; the order of languages cannot be relied upon either (RFC 9110 §12.5.4).
    private static let lists: [FieldName] = ["Accept-Encoding", "Accept", "Accept-Language", "Accept-Charset"]

    /// Fields in which a comma separates nothing.
    private static let singletons: [FieldName] = [
        .authorization, "Cookie", .userAgent, .referrer, "From", .ifModifiedSince, .ifUnmodifiedSince, .ifRange, .date,
    ]

    /// Elements in lower case without white space and empty ones; a value with quoted strings is left alone.
    private static func normalised(_ value: String) -> [String] {
        guard !value.utf8.contains(UInt8(ascii: "\"")) else { return [value] }
        let elements = value.split(separator: ",").map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }
        return elements.filter { !$0.isEmpty }.sorted()
    }

    /// Lines may be joined with or without white space (§4.1, RFC 9110 §5.3, §5.6.1). Leaves quoted strings alone.
    private static func withoutListSpaces(_ value: String) -> [UInt8] {
        var out: [UInt8] = []
        var (isQuoted, isEscaped, isAfterComma) = (false, false, true)
        for byte in value.utf8 {
            let isSpace = byte == 0x20 || byte == 0x09
            if isSpace, !isQuoted, isAfterComma { continue }
            if byte == UInt8(ascii: ","), !isQuoted { while out.last == 0x20 || out.last == 0x09 { out.removeLast() } }
            isAfterComma = byte == UInt8(ascii: ",") && !isQuoted
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\")
            out.append(byte)
        }
        return out
    }
}
