import JSON

/// Rewrites legacy functions, such as `{"property": "class", "stops": [[…, …], …]}`, as expressions.
struct LegacyFunction {
    let function: OrderedObject<JSONValue>
    let specification: PropertySpecification

    func expression() throws(ExpressionFailure) -> JSONValue {
        guard let stops = function["stops"] else { return try identity() }
        guard let pairs = stops.elements?.compactMap(\.elements), pairs.count == stops.elements?.count,
            let first = pairs.first, pairs.allSatisfy({ $0.count == 2 })
        else { throw Self.malformed }
        if first[0].object != nil { return try zoomAndProperty(pairs) }
        if function["property"] != nil { return try property(pairs.map(Self.literal)) }
        let outputs = pairs.map { pair in
            specification.hasTokens
                ? [pair[0], pair[1].text.map(Self.tokens) ?? Self.literal(pair[1])] : Self.literal(pair)
        }
        return try curve(outputs, input: .array(["zoom"]))
    }

    /// Text with `{name}` for properties, as an expression.
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

    private static let malformed = ExpressionFailure(issues: [.init(fault: .plain(.legacyFunction), path: "")])

    private static func literal(_ json: JSONValue) -> JSONValue {
        switch json {
        case .array, .object: .array(["literal", json])
        default: json
        }
    }

    private static func literal(_ pair: [JSONValue]) -> [JSONValue] { [pair[0], literal(pair[1])] }

    private func get() throws(ExpressionFailure) -> JSONValue {
        guard let name = function["property"]?.text else { throw Self.malformed }
        return .array(["get", .string(name)])
    }

    private func identity() throws(ExpressionFailure) -> JSONValue {
        let get = try get()
        guard let given = function["default"] else {
            return specification.type == .value(.string) ? .array(["string", get]) : get
        }
        let fallback = Self.literal(given)
        switch specification.type {
        case .word(let words): return .array(["match", get, .array(words.map(JSONValue.string)), get, given])
        case .value(.color): return .array(["to-color", get, fallback])
        case .value(.array(let element, let count)):
            let length = count.map { JSONValue.number(Double($0)) } ?? .null
            let head: [JSONValue] = element == .value ? ["array"] : ["array", .string(element.name), length]
            return .array(head + [get, fallback])
        case .value(.number), .value(.string), .value(.boolean):
            return .array([.string(specification.type.valueType?.name ?? ""), get, fallback])
        case .value, .words, .any: return .array(["coalesce", get, fallback])
        }
    }

    private var kind: String { function["type"]?.text ?? (specification.isInterpolated ? "exponential" : "interval") }

    private var interpolation: [JSONValue] {
        let name: JSONValue =
            switch function["colorSpace"]?.text {
            case "hcl": "interpolate-hcl"
            case "lab": "interpolate-lab"
            default: "interpolate"
            }
        let base = function["base"]?.number ?? 1
        return [name, .array(base == 1 ? ["linear"] : ["exponential", .number(base)])]
    }

    /// Stops over the zoom level, each a function of the property.
    private func zoomAndProperty(_ pairs: [[JSONValue]]) throws(ExpressionFailure) -> JSONValue {
        var zooms: [Double] = []
        var groups: [Double: [[JSONValue]]] = [:]
        for pair in pairs {
            guard let zoom = pair[0]["zoom"]?.number, let input = pair[0]["value"] else { throw Self.malformed }
            if groups[zoom] == nil { zooms.append(zoom) }
            groups[zoom, default: []].append([input, Self.literal(pair[1])])
        }
        let inner = part(["type", "property", "default"])
        let stops = try zooms.map { zoom throws(ExpressionFailure) in
            [.number(zoom), try inner.property(groups[zoom] ?? [])]
        }
        return try part(["colorSpace"]).curve(stops, input: .array(["zoom"]))
    }

    /// The function with only some of its members.
    private func part(_ names: [String]) -> LegacyFunction {
        var members = OrderedObject<JSONValue>()
        for name in names { members[name] = function[name] }
        return LegacyFunction(function: members, specification: specification)
    }

    private func property(_ stops: [[JSONValue]]) throws(ExpressionFailure) -> JSONValue {
        let get = try get()
        if kind == "categorical" { return categorical(get, stops) }
        let curve = try curve(stops, input: .array(["number", get]))
        guard let given = function["default"] else { return curve }
        let isNumber = JSONValue.array(["==", .array(["typeof", get]), "number"])
        return .array(["case", isNumber, curve, Self.literal(given)])
    }

    private func categorical(_ get: JSONValue, _ stops: [[JSONValue]]) -> JSONValue {
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

    private var fallback: JSONValue {
        if let given = function["default"] ?? specification.defaultValue { return Self.literal(given) }
        return specification.type == .value(.resolvedImage) ? "" : .null
    }

    private func curve(_ stops: [[JSONValue]], input: JSONValue) throws(ExpressionFailure) -> JSONValue {
        var distinct: [[JSONValue]] = []
        for stop in stops where distinct.last?[0] != stop[0] { distinct.append(stop) }
        switch kind {
        case "exponential": return .array(interpolation + [input] + distinct.flatMap(\.self))
        case "interval":
            guard let first = distinct.first else { throw Self.malformed }
            // The first input is redundant; `step` needs another stop, which here repeats the output.
            let rest = distinct.count == 1 ? [.number(0), first[1]] : distinct.dropFirst().flatMap(\.self)
            return .array(["step", input, first[1]] + rest)
        default: throw Self.malformed
        }
    }
}
