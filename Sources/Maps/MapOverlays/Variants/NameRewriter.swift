import JSON

/// Rewrites the texts of labels to show names in other languages: each lookup of a name becomes one of `name:xx`,
/// `name_xx`, the same for the next language, `name:latin` and `name`. Other texts, such as road numbers, stay.
///
/// Of a name shown twice, in Latin and in local letters, the second is removed, with the space before it.
struct NameRewriter {
    private let languages: [String]
    private let keys: [String]

    /// `languages` are BCP 47 tags in order of preference.
    init(languages: [String]) {
        self.languages = Array(languages.prefix(8))
        var keys: [String] = []
        for language in self.languages {
            // The tag may have a country or script, and names only a language.
            let primary = language.split(separator: "-").first.map(String.init) ?? language
            let variants = (primary == language ? [] : [language]) + (Self.variants[primary] ?? [primary])
            for variant in variants { keys += ["name:\(variant)", "name_\(variant)"] }
        }
        self.keys = keys + ["name:latin", "name_latin", "name"]
    }

    /// Alternative tags of names.
    private static let variants: [String: [String]] = [
        "zh": ["zh", "zh-Hans", "zh-Hant"], "no": ["no", "nb", "nn"], "nb": ["nb", "no", "nn"],
        "nn": ["nn", "no", "nb"], "sr": ["sr", "sr-Latn"], "he": ["he", "iw"], "id": ["id", "in"],
    ]

    func field(_ field: JSONValue) -> JSONValue {
        switch field {
        case .string(let text): NameTokens(text).rewritten(self) ?? field
        case .object(let function): stepped(function) ?? field
        case .array: rewritten(field)
        default: field
        }
    }

    /// A legacy function over the zoom level, which cannot contain lookups, as a step; nil for other functions.
    private func stepped(_ function: OrderedObject<JSONValue>) -> JSONValue? {
        guard function["property"] == nil, let stops = function["stops"]?.elements else { return nil }
        var step: [JSONValue] = [.string("step"), .array([.string("zoom")])]
        for (index, stop) in stops.enumerated() {
            guard let pair = stop.elements, pair.count == 2, pair[0].number != nil, let text = pair[1].text else {
                return nil
            }
            // Below the first stop its output holds.
            if index > 0 { step.append(pair[0]) }
            step.append(NameTokens(text).expression(self))
        }
        return step.count == 3 ? step[2] : step.count > 3 ? .array(step) : nil
    }

    /// The lookup that replaces all lookups of names; `others` are the style's own keys.
    func lookup(_ others: [String]) -> JSONValue {
        var all = keys
        var seen = Set(keys)
        for key in others where !key.contains("nonlatin") && !key.hasPrefix("pgf:") && seen.insert(key).inserted {
            all.append(key)
        }
        return .array([.string("coalesce")] + all.map { .array([.string("get"), .string($0)]) })
    }

    /// Whether a property is a name, in any language.
    static func isName(_ key: String) -> Bool {
        if key == "name" || key == "name2" || key == "name3" { return true }
        return ["name:", "name_", "name2:", "name3:", "pgf:name"].contains { key.hasPrefix($0) }
    }

    func rewritten(_ json: JSONValue) -> JSONValue {
        guard var parts = json.elements, let word = parts.first?.text else { return json }
        // `format` keeps the size and color of a text.
        if word != "format", NameExpression.isName(json) { return lookup(NameExpression.keys(json)) }
        switch word {
        case "coalesce", "upcase", "downcase", "to-string", "string":
            for index in parts.indices.dropFirst() { parts[index] = rewritten(parts[index]) }
        case "let", "case":
            for index in parts.indices.dropFirst() where index % 2 == 0 || index == parts.count - 1 {
                parts[index] = rewritten(parts[index])
            }
        case "step":
            for index in parts.indices.dropFirst(2) where index % 2 == 0 { parts[index] = rewritten(parts[index]) }
        case "match":
            for index in parts.indices.dropFirst(2) where index % 2 == 1 || index == parts.count - 1 {
                parts[index] = rewritten(parts[index])
            }
        case "concat": return joined(parts, stride: 1)
        case "format": return joined(parts, stride: 2)
        default: return json
        }
        return .array(parts)
    }

    /// Joined parts, each with its options if `stride` is 2: only the first name stays.
    private func joined(_ parts: [JSONValue], stride width: Int) -> JSONValue {
        var result = Array(parts.prefix(1))
        var hasName = false
        // What stands before does not end in blanks, and is not looked at again.
        var settled = 1
        var index = 1
        while index < parts.count {
            let hasOptions = width == 2 && index + 1 < parts.count && parts[index + 1].object != nil
            let options = hasOptions ? [parts[index + 1]] : []
            defer { index += 1 + options.count }
            guard NameExpression.isName(parts[index], allowsBlank: true) else {
                result += [rewritten(parts[index])] + options
                continue
            }
            guard hasName else {
                hasName = true
                result += [lookup(NameExpression.keys(parts[index]))] + options
                continue
            }
            while let last = result.last, result.count > settled {
                if last.object != nil, result.count > 2, NameExpression.isBlank(result[result.count - 2]) {
                    result.removeLast(2)
                } else if NameExpression.isBlank(last) {
                    result.removeLast()
                } else {
                    break
                }
            }
            settled = result.count
        }
        return .array(result)
    }
}
