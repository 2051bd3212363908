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
        guard lists.contains(name) else { return false }
        return normalised(left, isOrdered: name == "Accept-Language")
            == normalised(right, isOrdered: name == "Accept-Language")
    }

    /// Fields whose values are lists of weighted names without case. In that of languages the order may mean something
    /// (RFC 9110 §12.5.4).
    private static let lists: [FieldName] = ["Accept-Encoding", "Accept", "Accept-Language", "Accept-Charset"]

    /// The elements without white space and empty ones, in lower case; a value with quoted strings is left alone.
    private static func normalised(_ value: String, isOrdered: Bool) -> [String] {
        guard !value.utf8.contains(UInt8(ascii: "\"")) else { return [value] }
        let elements = value.split(separator: ",").map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }
        let kept = elements.filter { !$0.isEmpty }
        return isOrdered ? kept : kept.sorted()
    }
}
