import JSON

// A compiled expression is a tree of final classes behind one protocol. Besides the general `value`, a node gives
// `number`, `boolean` and `color` directly, so that common kinds of property cost no enum and no allocation. Each node
// knows what its subtree depends on; a subtree that depends on nothing was folded to a literal while it was read.

/// What the value of an expression depends on.
package struct Dependence: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Its properties, id or geometry.
    package static let feature = Dependence(rawValue: 1)
    package static let featureState = Dependence(rawValue: 2)
    package static let zoom = Dependence(rawValue: 4)
    package static let heatmapDensity = Dependence(rawValue: 8)
    package static let lineProgress = Dependence(rawValue: 16)
    package static let elevation = Dependence(rawValue: 32)
    /// Of a cluster.
    package static let accumulated = Dependence(rawValue: 64)
    package static let globalState = Dependence(rawValue: 128)
    package static let images = Dependence(rawValue: 256)
    /// Anything else that is known only at evaluation: languages, scripts, errors.
    package static let environment = Dependence(rawValue: 512)
}

protocol ExpressionNode: AnyObject, Sendable {
    var type: ValueType { get }
    var children: [any ExpressionNode] { get }
    /// Children included.
    var dependence: Dependence { get }
    /// The most nodes that an evaluation visits.
    var cost: Int { get }
    func value(_ context: EvaluationContext) throws(EvaluationError) -> Value
    // Each for an expression of that type.
    func number(_ context: EvaluationContext) throws(EvaluationError) -> Double
    func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool
    func color(_ context: EvaluationContext) throws(EvaluationError) -> StyleColor
}

extension ExpressionNode {
    func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
        let value = try value(context)
        if case .number(let number) = value { return number }
        throw EvaluationError(fault: .typeMismatch(expected: .number, found: value.type), path: "")
    }

    func boolean(_ context: EvaluationContext) throws(EvaluationError) -> Bool {
        let value = try value(context)
        if case .boolean(let boolean) = value { return boolean }
        throw EvaluationError(fault: .typeMismatch(expected: .boolean, found: value.type), path: "")
    }

    func color(_ context: EvaluationContext) throws(EvaluationError) -> StyleColor {
        let value = try value(context)
        if case .color(let color) = value { return color }
        throw EvaluationError(fault: .typeMismatch(expected: .color, found: value.type), path: "")
    }

    func string(_ context: EvaluationContext) throws(EvaluationError) -> String {
        let value = try value(context)
        if case .string(let text) = value { return text }
        throw EvaluationError(fault: .typeMismatch(expected: .string, found: value.type), path: "")
    }

    var literal: Value? { (self as? LiteralNode)?.literalValue }
}

/// What every node knows of itself and its arguments, computed once.
struct NodeTraits: Sendable {
    let type: ValueType
    let children: [any ExpressionNode]
    let dependence: Dependence
    let cost: Int
    /// The node's path in its expression.
    let path: String

    init(_ type: ValueType, _ children: [any ExpressionNode] = [], path: String, own: Dependence = []) {
        self.type = type
        self.children = children
        self.path = path
        dependence = children.reduce(own) { $0.union($1.dependence) }
        cost = children.reduce(1) { min($0 + $1.cost, Int.max / 4) }
    }

    func error(_ fault: EvaluationError.Fault) -> EvaluationError { EvaluationError(fault: fault, path: path) }
}

protocol TraitNode: ExpressionNode {
    var traits: NodeTraits { get }
}

extension TraitNode {
    var type: ValueType { traits.type }
    var children: [any ExpressionNode] { traits.children }
    var dependence: Dependence { traits.dependence }
    var cost: Int { traits.cost }
}

/// A literal, or a constant expression after folding.
final class LiteralNode: ExpressionNode {
    let type: ValueType
    let literalValue: Value

    init(_ value: Value, type: ValueType) {
        self.type = type
        literalValue = value
        cost = value.weight
    }

    var children: [any ExpressionNode] { [] }
    var dependence: Dependence { [] }
    let cost: Int

    func value(_ context: EvaluationContext) -> Value { literalValue }

    func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
        if case .number(let number) = literalValue { return number }
        throw EvaluationError(fault: .typeMismatch(expected: .number, found: literalValue.type), path: "")
    }

    func color(_ context: EvaluationContext) throws(EvaluationError) -> StyleColor {
        if case .color(let color) = literalValue { return color }
        throw EvaluationError(fault: .typeMismatch(expected: .color, found: literalValue.type), path: "")
    }
}

extension Value {
    /// A literal's ``ExpressionNode/cost``, so that folding does not get around the cost limit.
    fileprivate var weight: Int {
        switch self {
        case .string(let text): 1 + text.utf8.count / 8
        case .array(let elements): elements.reduce(1) { $0 + $1.weight }
        case .object(let object): object.members.reduce(1) { $0 + $1.value.weight }
        default: 1
        }
    }
}
