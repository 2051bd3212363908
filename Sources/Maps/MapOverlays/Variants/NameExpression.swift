import JSON

/// Recognises expressions whose result is always a name.
enum NameExpression {
    /// Whether every result is a name, or with `allowsBlank` blank.
    static func isName(_ json: JSONValue, allowsBlank: Bool = false) -> Bool {
        guard let parts = json.elements, let word = parts.first?.text, parts.count > 1 else { return false }
        switch word {
        case "get": return parts.count == 2 && (parts[1].text.map(NameRewriter.isName) ?? false)
        case "to-string", "string": return parts.count == 2 && isName(parts[1])
        // A blank at the end is the fallback without any name.
        case "coalesce":
            let last = parts.last.map(isBlank) ?? false
            return areNames(parts.dropFirst().dropLast(last ? 1 : 0), allowsBlank: allowsBlank)
        case "case": return areNames(outputs(of: parts), allowsBlank: allowsBlank)
        case "concat", "format":
            return areNames(parts.dropFirst().filter { $0.object == nil }, allowsBlank: true)
        case "step" where allowsBlank:
            return areNames(parts.indices.dropFirst(2).filter { $0 % 2 == 0 }.map { parts[$0] }, allowsBlank: true)
        default: return false
        }
    }

    /// Whether there is a name, and nothing else but what `allowsBlank` allows. Asks each output once: outputs nest.
    private static func areNames(_ outputs: some Sequence<JSONValue>, allowsBlank: Bool) -> Bool {
        var hasName = false
        for output in outputs {
            if isName(output, allowsBlank: allowsBlank) {
                hasName = true
            } else if !allowsBlank || !isBlank(output) {
                return false
            }
        }
        return hasName
    }

    /// The name properties that it looks up.
    static func keys(_ json: JSONValue) -> [String] {
        guard let parts = json.elements, let word = parts.first?.text else { return [] }
        if word == "get" { return parts.dropFirst().prefix(1).compactMap(\.text).filter(NameRewriter.isName) }
        return (word == "case" ? outputs(of: parts) : Array(parts.dropFirst())).flatMap(keys)
    }

    static func isBlank(_ json: JSONValue) -> Bool { json.text?.allSatisfy(\.isWhitespace) ?? false }

    private static func outputs(of parts: [JSONValue]) -> [JSONValue] {
        parts.indices.dropFirst().filter { $0 % 2 == 0 || $0 == parts.count - 1 }.map { parts[$0] }
    }
}

/// A legacy text with `{name}` for properties.
struct NameTokens {
    private enum Part {
        case text(String)
        case token(String)
    }

    private var parts: [Part] = []

    init(_ text: String) {
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            parts.append(.token(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
    }

    /// An expression with names in other languages; nil if the text has no names.
    func rewritten(_ rewriter: NameRewriter) -> JSONValue? {
        let hasName = parts.contains { part in
            if case .token(let key) = part { NameRewriter.isName(key) } else { false }
        }
        return hasName ? expression(rewriter) : nil
    }

    func expression(_ rewriter: NameRewriter) -> JSONValue {
        var concat: [JSONValue] = [.string("concat")]
        for part in parts {
            switch part {
            case .text(let text): concat.append(.string(text))
            case .token(let key): concat.append(.array([.string("get"), .string(key)]))
            }
        }
        switch concat.count {
        case 1: return .string("")
        case 2 where concat[1].text != nil: return concat[1]
        case 2 where !NameExpression.isName(concat[1]): return .array([.string("to-string"), concat[1]])
        default: return rewriter.rewritten(.array(concat))
        }
    }
}
