import JSON

extension ParseContext {
    /// Refuses any other number of arguments than `counts`, which `words` says.
    func requireCount(_ arguments: [JSONValue], _ counts: ClosedRange<Int>, _ words: String) throws(ExpressionFailure) {
        guard counts.contains(arguments.count - 1) else {
            throw failure(.argumentCount(expected: words, found: arguments.count - 1))
        }
    }

    /// Reads what `in` and `index-of` look for.
    fileprivate func parseNeedle(_ json: JSONValue) throws(ExpressionFailure) -> any ExpressionNode {
        let needle = try parse(json, at: 1, as: .value)
        guard needle.type == .value || needle.type.isSearchable else { throw failure(.needle(needle.type)) }
        return needle
    }
}

extension ValueType {
    /// Whether `in` and `index-of` look for values of this type.
    fileprivate var isSearchable: Bool {
        switch self {
        case .boolean, .string, .number, .null: true
        default: false
        }
    }
}

/// `at`.
final class AtNode: TraitNode {
    let traits: NodeTraits

    private init(_ traits: NodeTraits) { self.traits = traits }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        try context.requireCount(arguments, 2...2, "2 arguments")
        let index = try context.parse(arguments[1], at: 1, as: .number)
        let list = try context.parse(arguments[2], at: 2, as: .array(context.expected ?? .value, count: nil))
        guard case .array(let element, _) = list.type else {
            throw context.failure(.type(expected: .anyArray, found: list.type), at: 2)
        }
        return AtNode(NodeTraits(element, [index, list], path: context.path))
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        let index = try children[0].number(context)
        guard case .array(let elements) = try children[1].value(context) else { return .null }
        if index < 0 { throw traits.error(.indexTooSmall(index)) }
        if index >= Double(elements.count) { throw traits.error(.indexTooLarge(index, last: elements.count - 1)) }
        guard let whole = Int(exactly: index) else { throw traits.error(.indexNotWhole(index)) }
        return elements[whole]
    }
}

/// `in`.
final class InNode: TraitNode {
    let traits: NodeTraits

    private init(_ traits: NodeTraits) { self.traits = traits }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        try context.requireCount(arguments, 2...2, "2 arguments")
        let needle = try context.parseNeedle(arguments[1])
        let haystack = try context.parse(arguments[2], at: 2, as: .value)
        if let key = needle.propertyKey, case .array(let elements)? = haystack.literal {
            return PropertyTestNode(
                key, isOneOf: elements, missingIsNull: true, refusesLists: true, path: context.path)
        }
        return InNode(NodeTraits(.boolean, [needle, haystack], path: context.path))
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value { .boolean(try boolean(context)) }

    func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
        let needle = try children[0].value(context)
        let haystack = try children[1].value(context)
        guard haystack.isTruthy else { return false }
        guard needle.type.isSearchable else { throw traits.error(.needle(needle.type)) }
        switch haystack {
        case .array(let elements): return elements.contains { $0.isSameScalar(as: needle) }
        case .string(let text): return text.position(of: needle.searchText, from: 0) != nil
        default: throw traits.error(.haystack(ordinal: "second", found: haystack.type))
        }
    }
}

/// `index-of`.
final class IndexOfNode: TraitNode {
    let traits: NodeTraits

    private init(_ traits: NodeTraits) { self.traits = traits }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        try context.requireCount(arguments, 2...3, "2 or 3 arguments")
        var nodes = [try context.parseNeedle(arguments[1])]
        nodes.append(try context.parse(arguments[2], at: 2, as: .value))
        if arguments.count == 4 { nodes.append(try context.parse(arguments[3], at: 3, as: .number)) }
        return IndexOfNode(NodeTraits(.number, nodes, path: context.path))
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value { .number(try number(context)) }

    func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
        let needle = try children[0].value(context)
        let haystack = try children[1].value(context)
        guard needle.type.isSearchable else { throw traits.error(.needle(needle.type)) }
        let start = children.count > 2 ? try children[2].number(context) : 0
        switch haystack {
        case .array(let elements):
            let first = Self.bounded(start < 0 ? start + Double(elements.count) : start, elements.count)
            return elements[first...].firstIndex { $0.isSameScalar(as: needle) }.map(Double.init) ?? -1
        case .string(let text):
            let first = Self.bounded(start, text.unicodeScalars.count)
            return text.position(of: needle.searchText, from: first).map(Double.init) ?? -1
        default: throw traits.error(.haystack(ordinal: "second", found: haystack.type))
        }
    }

    /// `index` without its fraction, moved into `0...count`.
    fileprivate static func bounded(_ index: Double, _ count: Int) -> Int {
        Int(min(Double(count), max(0, index.isNaN ? 0 : index.rounded(.towardZero))))
    }
}

extension Value {
    /// What is looked for in a string.
    fileprivate var searchText: String {
        if case .null = self { "null" } else { text }
    }
}

extension String {
    /// The index, in scalars, of the first occurrence of `part` at or after the scalar `start`. O(length × part).
    fileprivate func position(of part: String, from start: Int) -> Int? {
        let text = Array(unicodeScalars)
        let wanted = Array(part.unicodeScalars)
        guard start + wanted.count <= text.count else { return nil }
        return (start...(text.count - wanted.count)).first { text[$0..<($0 + wanted.count)].elementsEqual(wanted) }
    }
}

/// `slice`.
final class SliceNode: TraitNode {
    let traits: NodeTraits

    private init(_ traits: NodeTraits) { self.traits = traits }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        try context.requireCount(arguments, 2...3, "2 or 3 arguments")
        let input = try context.parse(arguments[1], at: 1, as: .value)
        var nodes = [input, try context.parse(arguments[2], at: 2, as: .number)]
        guard input.type == .value || input.type == .string || input.type.isArray else {
            throw context.failure(.sliceInput(input.type))
        }
        if arguments.count == 4 { nodes.append(try context.parse(arguments[3], at: 3, as: .number)) }
        var type = input.type
        // How much is left is known only when it is cut.
        if case .array(let element, _) = type { type = .array(element, count: nil) }
        return SliceNode(NodeTraits(type, nodes, path: context.path))
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        let input = try children[0].value(context)
        let start = try children[1].number(context)
        let end = children.count > 2 ? try children[2].number(context) : .infinity
        switch input {
        case .array(let elements): return .array(Array(elements[Self.range(start, end, elements.count)]))
        case .string(let text):
            let scalars = Array(text.unicodeScalars)
            var part = String.UnicodeScalarView()
            part.append(contentsOf: scalars[Self.range(start, end, scalars.count)])
            return .string(String(part))
        default: throw traits.error(.haystack(ordinal: "first", found: input.type))
        }
    }

    private static func range(_ start: Double, _ end: Double, _ count: Int) -> Range<Int> {
        let low = IndexOfNode.bounded(start < 0 ? start + Double(count) : start, count)
        let high = IndexOfNode.bounded(end < 0 ? end + Double(count) : end, count)
        return low..<max(low, high)
    }
}

/// `length`.
final class LengthNode: TraitNode {
    let traits: NodeTraits

    private init(_ traits: NodeTraits) { self.traits = traits }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        try context.requireCount(arguments, 1...1, "1 argument")
        let input = try context.parse(arguments[1], at: 1)
        guard input.type == .value || input.type == .string || input.type.isArray else {
            throw context.failure(.lengthInput(input.type))
        }
        return LengthNode(NodeTraits(.number, [input], path: context.path))
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value {
        let input = try children[0].value(context)
        switch input {
        case .array(let elements): return .number(Double(elements.count))
        case .string(let text): return .number(Double(text.unicodeScalars.count))
        default: throw traits.error(.length(input.type))
        }
    }
}
