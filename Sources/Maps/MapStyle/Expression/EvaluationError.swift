import JSON

package struct EvaluationError: Error, Equatable, Sendable {
    /// ``message`` says what each means.
    package enum Fault: Error, Equatable, Sendable {
        case typeMismatch(expected: ValueType, found: ValueType)
        case unreadable(ValueType, quoted: String)
        case notANumber(quoted: String)
        case colorRange(components: [Double], isAlpha: Bool)
        case colorLength(quoted: String)
        case indexTooSmall(Double)
        case indexTooLarge(Double, last: Int)
        case indexNotWhole(Double)
        /// Values without an order.
        case incomparable(operation: String, left: ValueType, right: ValueType)
        case needle(ValueType)
        /// For `in`, `index-of` and `slice`; `ordinal` is the word for the argument.
        case haystack(ordinal: String, found: ValueType)
        case length(ValueType)
        case inputNotANumber
        case lengthsDiffer
        case textTooLong
        case verticalAlign(String)
        case raised(String)
    }

    /// The most bytes that `concat` and `join` make.
    static let textLimit = 16 << 20

    package let fault: Fault
    /// Where in the expression, such as `[2][1]`; empty for the whole.
    package let path: String

    /// In the words of the reference.
    package var message: String {
        switch fault {
        case .typeMismatch(let expected, let found):
            "Expected value to be of type \(expected.name), but found \(found.name) instead."
        case .unreadable(let type, let quoted): "Could not parse \(type.name) from value '\(quoted)'"
        case .notANumber(let quoted): "Could not convert \(quoted) to number."
        case .colorRange(let components, let isAlpha):
            "Invalid rgba value [\(components.map(\.scriptText).joined(separator: ", "))]: "
                + (isAlpha ? "'a' must be between 0 and 1." : "'r', 'g', and 'b' must be between 0 and 255.")
        case .colorLength(let quoted):
            "Invalid rgba value \(quoted): expected an array containing either three or four numeric values."
        case .indexTooSmall(let index): "Array index out of bounds: \(index.scriptText) < 0."
        case .indexTooLarge(let index, let last): "Array index out of bounds: \(index.scriptText) > \(last)."
        case .indexNotWhole(let index): "Array index must be an integer, but found \(index.scriptText) instead."
        case .incomparable(let operation, let left, let right):
            "Expected arguments for \"\(operation)\" to be (string, string) or (number, number), "
                + "but found (\(left.kindName), \(right.kindName)) instead."
        case .needle(let found):
            "Expected first argument to be of type boolean, string, number or null, but found \(found.name) instead."
        case .haystack(let ordinal, let found):
            "Expected \(ordinal) argument to be of type array or string, but found \(found.name) instead."
        case .length(let found): "Expected value to be of type string or array, but found \(found.name) instead."
        case .textTooLong: "The text is longer than \(Self.textLimit) bytes."
        case .inputNotANumber: "Input is not a number."
        case .lengthsDiffer: "Arrays of different lengths cannot be interpolated."
        case .verticalAlign(let found): ExpressionIssue.verticalAlignMessage(found)
        case .raised(let text): text
        }
    }
}
