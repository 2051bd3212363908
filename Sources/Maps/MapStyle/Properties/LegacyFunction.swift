import JSON

// Functions are the form that properties varied in before expressions. Each is written anew as an expression, so that there is
// one way of evaluating and errors look the same.

/// Functions of the old form: `{"property": "class", "stops": [[…, …], …]}`.
enum LegacyFunction {
    /// The expression that means the same.
    static func expression(
        _ function: OrderedObject<JSONValue>, for specification: PropertySpecification
    ) throws(ExpressionFailure) -> JSONValue {
        guard let stops = function["stops"] else { return try identity(function, specification) }
        guard let pairs = stops.elements?.compactMap(\.elements), pairs.count == stops.elements?.count,
            let first = pairs.first,
            pairs.allSatisfy({ $0.count == 2 })
        else { throw malformed }
        if first[0].object != nil { return try zoomAndProperty(function, specification, pairs) }
        if function["property"] != nil { return try property(function, specification, pairs.map(literal)) }
        let outputs = pairs.map {
            specification.hasTokens ? [$0[0], $0[1].text.map(tokens) ?? literal($0[1])] : literal($0)
        }
        return try curve(function, specification, input: .array(["zoom"]), outputs)
    }

    /// Text in which `{name}` stands for a property, as an expression.
    static func tokens(_ text: String) -> JSONValue {
        var parts: [JSONValue] = []
        var plain = ""
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "{") {
            let after = rest[rest.index(after: open)...]
            guard let end = after.firstIndex(where: { $0 == "{" || $0 == "}" }) else { break }
            if after[end] == "{" || end == after.startIndex {
                plain += rest[..<end]
                rest = rest[end...]
                // A brace that opens nothing is plain text.
                if after[end] == "}" {
                    plain.append("}")
                    rest = rest.dropFirst()
                }
                continue
            }
            plain += rest[..<open]
            if !plain.isEmpty { parts.append(.string(plain)) }
            plain = ""
            parts.append(.array(["get", .string(String(after[..<end]))]))
            rest = after[after.index(after: end)...]
        }
        plain += rest
        if parts.isEmpty { return .string(text) }
        if !plain.isEmpty { parts.append(.string(plain)) }
        return .array(parts.count == 1 ? ["to-string", parts[0]] : ["concat"] + parts)
    }

    private static var malformed: ExpressionFailure {
        ExpressionFailure(issues: [ExpressionIssue(fault: .plain(.legacyFunction), path: "")])
    }

    private static func literal(_ json: JSONValue) -> JSONValue {
        switch json {
        case .array, .object: .array(["literal", json])
        default: json
        }
    }

    private static func literal(_ pair: [JSONValue]) -> [JSONValue] { [pair[0], literal(pair[1])] }

    private static func get(_ function: OrderedObject<JSONValue>) throws(ExpressionFailure) -> JSONValue {
        guard let name = function["property"]?.text else { throw malformed }
        return .array(["get", .string(name)])
    }

    private static func identity(
        _ function: OrderedObject<JSONValue>, _ specification: PropertySpecification
    ) throws(ExpressionFailure) -> JSONValue {
        let get = try get(function)
        guard let fallback = function["default"] else {
            return specification.type == .value(.string) ? .array(["string", get]) : get
        }
        switch specification.type {
        case .word(let words): return .array(["match", get, .array(words.map(JSONValue.string)), get, fallback])
        case .value(.color): return .array(["to-color", get, literal(fallback)])
        case .value(.array(let element, let count)):
            let length = count.map { JSONValue.number(Double($0)) } ?? .null
            let head: [JSONValue] = element == .value ? ["array"] : ["array", .string(element.name), length]
            return .array(head + [get, literal(fallback)])
        case .value(.number), .value(.string), .value(.boolean):
            return .array([.string(specification.type.valueType?.name ?? ""), get, literal(fallback)])
        case .value, .words, .any: return .array(["coalesce", get, literal(fallback)])
        }
    }

    private static func kind(
        _ function: OrderedObject<JSONValue>, _ specification: PropertySpecification
    ) -> String {
        function["type"]?.text ?? (specification.isInterpolated ? "exponential" : "interval")
    }

    private static func interpolation(_ function: OrderedObject<JSONValue>) -> [JSONValue] {
        let name =
            switch function["colorSpace"]?.text {
            case "hcl": "interpolate-hcl"
            case "lab": "interpolate-lab"
            default: "interpolate"
            }
        let base = function["base"]?.number ?? 1
        return [.string(name), .array(base == 1 ? ["linear"] : ["exponential", .number(base)])]
    }

    /// Stops over the zoom level, each of which is a function of the property.
    private static func zoomAndProperty(
        _ function: OrderedObject<JSONValue>, _ specification: PropertySpecification, _ pairs: [[JSONValue]]
    ) throws(ExpressionFailure) -> JSONValue {
        var zooms: [Double] = []
        var groups: [Double: [[JSONValue]]] = [:]
        for pair in pairs {
            guard let zoom = pair[0]["zoom"]?.number, let input = pair[0]["value"] else { throw malformed }
            if groups[zoom] == nil { zooms.append(zoom) }
            groups[zoom, default: []].append([input, literal(pair[1])])
        }
        var inner = OrderedObject<JSONValue>()
        for name in ["type", "property", "default"] { inner[name] = function[name] }
        var stops: [[JSONValue]] = []
        for zoom in zooms { stops.append([.number(zoom), try property(inner, specification, groups[zoom] ?? [])]) }
        var outer = OrderedObject<JSONValue>()
        outer["colorSpace"] = function["colorSpace"]
        return try curve(outer, specification, input: .array(["zoom"]), stops)
    }

    private static func property(
        _ function: OrderedObject<JSONValue>, _ specification: PropertySpecification, _ stops: [[JSONValue]]
    ) throws(ExpressionFailure) -> JSONValue {
        let get = try get(function)
        if kind(function, specification) == "categorical" {
            return categorical(get, stops, orElse: fallback(function, specification))
        }
        let curve = try curve(function, specification, input: .array(["number", get]), stops)
        guard let given = function["default"] else { return curve }
        let isNumber = JSONValue.array(["==", .array(["typeof", get]), "number"])
        return .array(["case", isNumber, curve, literal(given)])
    }

    private static func categorical(
        _ get: JSONValue, _ stops: [[JSONValue]], orElse fallback: JSONValue
    ) -> JSONValue {
        if stops.first?[0].boolean != nil {
            return .array(["case"] + stops.flatMap { [.array(["==", get, $0[0]]), $0[1]] } + [fallback])
        }
        var seen: [JSONValue] = []
        var branches: [JSONValue] = []
        for stop in stops where !seen.contains(stop[0]) {
            seen.append(stop[0])
            branches += stop
        }
        return .array(["match", get] + branches + [fallback])
    }

    private static func fallback(
        _ function: OrderedObject<JSONValue>, _ specification: PropertySpecification
    ) -> JSONValue {
        if let given = function["default"] ?? specification.defaultValue { return literal(given) }
        return specification.type == .value(.resolvedImage) ? "" : .null
    }

    private static func curve(
        _ function: OrderedObject<JSONValue>, _ specification: PropertySpecification, input: JSONValue,
        _ stops: [[JSONValue]]
    ) throws(ExpressionFailure) -> JSONValue {
        var distinct: [[JSONValue]] = []
        for stop in stops where distinct.last?[0] != stop[0] { distinct.append(stop) }
        switch kind(function, specification) {
        case "exponential": return .array(interpolation(function) + [input] + distinct.flatMap(\.self))
        case "interval":
            guard let first = distinct.first else { throw malformed }
            // The first input is redundant, and a curve of one step needs another that is none.
            let rest = distinct.count == 1 ? [.number(0), first[1]] : distinct.dropFirst().flatMap(\.self)
            return .array(["step", input, first[1]] + rest)
        default: throw malformed
        }
    }
}
