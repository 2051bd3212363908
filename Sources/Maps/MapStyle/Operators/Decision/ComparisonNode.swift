import JSON

/// `==`, `!=`, `<`, `>`, `<=`, `>=`.
final class ComparisonNode: TraitNode {
    enum Operation: String, Sendable {
        case equal = "==", notEqual = "!=", less = "<", greater = ">", lessOrEqual = "<=", greaterOrEqual = ">="

        var isOrder: Bool { self != .equal && self != .notEqual }

        func holds<Operand: Comparable>(_ left: Operand, _ right: Operand) -> Bool {
            switch self {
            case .equal: left == right
            case .notEqual: left != right
            case .less: left < right
            case .greater: left > right
            case .lessOrEqual: left <= right
            case .greaterOrEqual: left >= right
            }
        }
    }

    let traits: NodeTraits
    private let operation: Operation
    private let left: any ExpressionNode
    private let right: any ExpressionNode
    private let collator: (any ExpressionNode)?

    private init(
        _ operation: Operation, _ left: any ExpressionNode, _ right: any ExpressionNode,
        collator: (any ExpressionNode)?, path: String
    ) {
        traits = NodeTraits(.boolean, [left, right] + (collator.map { [$0] } ?? []), path: path)
        self.operation = operation
        self.left = left
        self.right = right
        self.collator = collator
    }

    static let parse: OperatorParser = { arguments, context throws(ExpressionFailure) in
        let name = arguments[0].text ?? ""
        let operation = Operation(rawValue: name) ?? .equal
        guard arguments.count == 3 || arguments.count == 4 else { throw context.failure(.twoOrThreeArguments) }
        var sides: [any ExpressionNode] = []
        for index in 1...2 {
            let side = try context.parse(arguments[index], at: index, as: .value)
            guard operation.compares(side.type) else {
                throw context.failure(.notComparable(operation: name, type: side.type), at: index)
            }
            sides.append(side)
        }
        var (left, right) = (sides[0], sides[1])
        if left.type != right.type, left.type != .value, right.type != .value {
            throw context.failure(.incomparable(left.type, right.type))
        }
        if operation.isOrder, left.type == .value, right.type != .value {
            left = AssertionNode(right.type, [left], path: context.path)
        } else if operation.isOrder, left.type != .value, right.type == .value {
            right = AssertionNode(left.type, [right], path: context.path)
        }
        var collator: (any ExpressionNode)?
        if arguments.count == 4 {
            guard [left.type, right.type].contains(where: { $0 == .string || $0 == .value }) else {
                throw context.failure(.collatorOfOthers)
            }
            collator = try context.parse(arguments[3], at: 3, as: .collator)
        }
        if !operation.isOrder, collator == nil, let key = left.propertyKey ?? right.propertyKey,
            let wanted = left.literalScalar ?? right.literalScalar
        {
            return PropertyTestNode(
                key, isOneOf: [wanted], isNegated: operation == .notEqual, missingIsNull: true, path: context.path)
        }
        return ComparisonNode(operation, left, right, collator: collator, path: context.path)
    }

    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value { .boolean(try boolean(context)) }

    func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
        if left.type == .number, right.type == .number {
            return operation.holds(try left.number(context), try right.number(context))
        }
        let one = try left.value(context)
        let other = try right.value(context)
        switch (one, other) {
        case (.number(let one), .number(let other)): return operation.holds(one, other)
        case (.string(let one), .string(let other)):
            if let collator, case .collator(let rules) = try collator.value(context) {
                return operation.holds(rules.order(one, other), 0)
            }
            return Self.holds(operation, one, other)
        default:
            if operation.isOrder {
                throw traits.error(.incomparable(operation: operation.rawValue, left: one.type, right: other.type))
            }
            return one.isSameScalar(as: other) == (operation == .equal)
        }
    }

    /// Strings are ordered by their UTF-16, as in ECMAScript.
    static func holds(_ operation: Operation, _ left: String, _ right: String) -> Bool {
        let isSame = left.isSameText(as: right)
        switch operation {
        case .equal: return isSame
        case .notEqual: return !isSame
        case .less, .lessOrEqual:
            return isSame ? operation == .lessOrEqual : left.utf16.lexicographicallyPrecedes(right.utf16)
        case .greater, .greaterOrEqual:
            return isSame ? operation == .greaterOrEqual : right.utf16.lexicographicallyPrecedes(left.utf16)
        }
    }
}

extension ComparisonNode.Operation {
    fileprivate func compares(_ type: ValueType) -> Bool {
        switch type {
        case .string, .number, .value: true
        case .boolean, .null: !isOrder
        default: false
        }
    }
}

extension Value {
    /// Arrays and objects equal nothing.
    func isSameScalar(as other: Value) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.boolean(let one), .boolean(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one.isSameText(as: other)
        default: false
        }
    }
}
