import JSON

extension ParseContext {
    /// Refuses any other number of arguments than `counts`, which `words` says.
    func requireCount(_ arguments: [JSONValue], _ counts: ClosedRange<Int>, _ words: String) throws(ExpressionFailure) {
        guard counts.contains(arguments.count - 1) else {
            throw failure(.argumentCount(expected: words, found: arguments.count - 1))
        }
    }

    /// Reads what `in` and `index-of` look for.
    func parseNeedle(_ json: JSONValue) throws(ExpressionFailure) -> any ExpressionNode {
        let needle = try parse(json, at: 1, as: .value)
        guard needle.type == .value || needle.type.isSearchable else { throw failure(.needle(needle.type)) }
        return needle
    }
}

extension ValueType {
    /// Whether `in` and `index-of` look for values of this type.
    var isSearchable: Bool {
        switch self {
        case .boolean, .string, .number, .null: true
        default: false
        }
    }
}

extension Value {
    var searchText: String {
        if case .null = self { "null" } else { text }
    }
}

extension String {
    /// The index, in scalars, of the first occurrence of `part` at or after the scalar `start`. O(length × part).
    func position(of part: String, from start: Int) -> Int? {
        let text = Array(unicodeScalars)
        let wanted = Array(part.unicodeScalars)
        guard start + wanted.count <= text.count else { return nil }
        return (start...(text.count - wanted.count)).first { text[$0..<($0 + wanted.count)].elementsEqual(wanted) }
    }
}
