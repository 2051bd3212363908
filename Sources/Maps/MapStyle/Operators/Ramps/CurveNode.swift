import JSON

struct StopTable: Sendable {
    let inputs: [Double]

    /// The index of the last stop that is not above `input`; 0 below the first. O(log stops).
    func index(below input: Double) -> Int {
        var low = 0
        var high = inputs.count
        while low < high {
            let middle = (low + high) / 2
            if inputs[middle] <= input { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }
}

/// A `step` or `interpolate` over its input, such as the zoom level.
protocol CurveNode: TraitNode {
    var input: any ExpressionNode { get }
    var stops: StopTable { get }
}

extension ParseContext {
    /// Reads `arguments[start...]`: alternating inputs and outputs.
    func parseStops(
        _ arguments: [JSONValue], from start: Int, operation: String, type: inout ValueType?
    ) throws(ExpressionFailure) -> (inputs: [Double], outputs: [any ExpressionNode]) {
        var inputs: [Double] = []
        var outputs: [any ExpressionNode] = []
        for index in stride(from: start, to: arguments.count, by: 2) {
            guard let input = arguments[index].number else {
                throw failure(.stopsNotNumbers(operation: operation), at: index)
            }
            if let last = inputs.last, last >= input {
                throw failure(.stopsNotAscending(operation: operation), at: index)
            }
            let output = try parse(arguments[index + 1], at: index + 1, as: type)
            type = type ?? output.type
            inputs.append(input)
            outputs.append(output)
        }
        return (inputs, outputs)
    }
}
