import JSON

extension ParseContext {
    /// Reads the options of `number-format` and `collator`; throws `fault` if `json` is no object.
    func parseOptions(
        _ json: JSONValue?, _ types: KeyValuePairs<String, ValueType>, orElse fault: ExpressionIssue.Plain
    ) throws(ExpressionFailure) -> [String: any ExpressionNode] {
        guard case .object(let options)? = json else { throw failure(fault) }
        var nodes: [String: any ExpressionNode] = [:]
        for (name, type) in types {
            guard let option = options[name] else { continue }
            nodes[name] = try parse(option, at: 1, as: type)
        }
        return nodes
    }
}
