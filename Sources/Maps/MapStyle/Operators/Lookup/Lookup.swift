import JSON

extension ParseContext {
    /// `words` is `counts` in words.
    func requireCount(_ arguments: [JSONValue], _ counts: ClosedRange<Int>, _ words: String) throws(ExpressionFailure) {
        let found = arguments.count - 1
        if !counts.contains(found) { throw failure(.argumentCount(expected: words, found: found)) }
    }

    func parseNeedle(_ json: JSONValue) throws(ExpressionFailure) -> any ExpressionNode {
        let needle = try parse(json, at: 1, as: .value)
        guard needle.type == .value || needle.type.isSearchable else { throw failure(.needle(needle.type)) }
        return needle
    }
}

extension ValueType {
    var isSearchable: Bool {
        switch self {
        case .boolean, .string, .number, .null: true
        default: false
        }
    }
}

extension Value {
    var searchText: String { if case .null = self { "null" } else { text } }
}

extension String {
    /// The index of the first occurrence of `part` from `start` on, in scalars. O(length + part).
    func position(of part: String, from start: Int) -> Int? {
        let text = Array(unicodeScalars)
        let wanted = Array(part.unicodeScalars)
        guard start + wanted.count <= text.count else { return nil }
        guard var search = PartSearch(wanted) else { return start }
        return (start..<text.count).first { search.ends(with: text[$0]) }.map { $0 + 1 - wanted.count }
    }
}
