import JSON

/// Legacy filters: `["==", "class", "river"]`, `["in", "class", "a", "b"]`, `["all", …]`.
enum LegacyFilter {
    /// An array that could be either is an expression only if its parts are.
    static func isLegacy(_ json: JSONValue) -> Bool {
        guard case .array(let parts) = json, let name = parts.first?.text else { return false }
        switch name {
        case "has": return parts.count < 2 || parts[1] == "$id" || parts[1] == "$type"
        case "in": return parts.count < 3 || (parts[1].text != nil && parts[2].elements == nil)
        case "!in", "!has", "none": return true
        case "==", "!=", "<", ">", "<=", ">=":
            return parts.count == 3 && parts[1].elements == nil && parts[2].elements == nil
        case "any", "all": return parts.dropFirst().contains { isLegacy($0) }
        default: return false
        }
    }

    static func parse(_ json: JSONValue, _ context: ParseContext) throws(ExpressionFailure) -> any ExpressionNode {
        if let boolean = json.boolean { return LiteralNode(.boolean(boolean), type: .boolean) }
        guard case .array(let parts) = json, let name = parts.first?.text else { throw context.failure(.legacyFilter) }
        switch name {
        case "any", "all", "none":
            var nodes: [any ExpressionNode] = []
            for (index, part) in parts.dropFirst().enumerated() {
                let inner = context.argument(index + 1)
                nodes.append(isLegacy(part) || part.boolean != nil ? try parse(part, inner) : try inner.parse(part))
            }
            return LegacyGroupNode(
                nodes, wanted: name == "all" ? .all : name == "any" ? .any : .none, path: context.path)
        case "has", "!has":
            guard parts.count == 2, let key = parts[1].text else { throw context.failure(.legacyFilter) }
            return LegacyTestNode(subject(key, context), .exists, isNegated: name == "!has", path: context.path)
        case "in", "!in":
            guard parts.count >= 2, let key = parts[1].text else { throw context.failure(.legacyFilter) }
            return isOneOf(key, parts.dropFirst(2).map(Value.init), isNegated: name == "!in", context)
        case "==", "!=":
            guard parts.count == 3, let key = parts[1].text else { throw context.failure(.legacyFilter) }
            return isOneOf(key, [Value(parts[2])], isNegated: name == "!=", context)
        case "<", ">", "<=", ">=":
            guard parts.count == 3, let key = parts[1].text, let operation = ComparisonNode.Operation(rawValue: name)
            else { throw context.failure(.legacyFilter) }
            return LegacyTestNode(
                subject(key, context), .compares(operation, Value(parts[2])), isNegated: false, path: context.path)
        default: return try context.parse(json)
        }
    }

    private static func isOneOf(
        _ key: String, _ values: [Value], isNegated: Bool, _ context: ParseContext
    ) -> any ExpressionNode {
        let subject = subject(key, context)
        if case .property(let key) = subject {
            return PropertyTestNode(
                key, isOneOf: values, isNegated: isNegated, missingIsNull: false, path: context.path)
        }
        return LegacyTestNode(subject, .isOneOf(values), isNegated: isNegated, path: context.path)
    }

    private static func subject(_ key: String, _ context: ParseContext) -> LegacyTestNode.Subject {
        switch key {
        case "$type": .kind
        case "$id": .id
        default: .property(context.session.keys.key(key))
        }
    }
}

private final class LegacyGroupNode: TraitNode {
    enum Wanted: Sendable { case any, all, none }

    let traits: NodeTraits
    private let wanted: Wanted

    init(_ nodes: [any ExpressionNode], wanted: Wanted, path: String) {
        traits = NodeTraits(.boolean, nodes, path: path)
        self.wanted = wanted
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value { .boolean(try boolean(context)) }

    func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
        for child in traits.children where try child.boolean(context) != (wanted == .all) { return wanted == .any }
        return wanted != .any
    }
}

/// A legacy test of one property, of the id or of the kind of geometry.
private final class LegacyTestNode: TraitNode {
    enum Subject: Sendable {
        case property(PropertyKey)
        case id, kind
    }

    enum Test: Sendable {
        case exists
        case isOneOf([Value])
        case compares(ComparisonNode.Operation, Value)
    }

    let traits: NodeTraits
    private let subject: Subject
    private let test: Test
    private let isNegated: Bool

    init(_ subject: Subject, _ test: Test, isNegated: Bool, path: String) {
        traits = NodeTraits(.boolean, path: path, own: .feature)
        self.subject = subject
        self.test = test
        self.isNegated = isNegated
    }

    func value(_ context: EvaluationContext) -> Value { .boolean(boolean(context)) }
    func boolean(_ context: EvaluationContext) -> Bool { holds(found(context)) != isNegated }

    private func found(_ context: EvaluationContext) -> Value? {
        switch subject {
        case .property(let key): return context.feature?.property(key)
        case .kind: return context.feature?.kind.map { .string($0.rawValue) }
        case .id:
            guard let id = context.feature?.id, id != .null else { return nil }
            return id
        }
    }

    private func holds(_ value: Value?) -> Bool {
        switch test {
        case .exists: return value != nil
        case .isOneOf(let values):
            guard let value else { return false }
            return values.contains { $0.isSameScalar(as: value) }
        case .compares(let operation, let bound):
            switch (value, bound) {
            case (.number(let number)?, .number(let bound)):
                return operation.holds(number < bound ? -1 : number > bound ? 1 : 0, 0)
            case (.string(let text)?, .string(let bound)): return ComparisonNode.holds(operation, text, bound)
            default: return false
            }
        }
    }
}
