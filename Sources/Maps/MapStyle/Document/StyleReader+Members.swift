import JSON

// Each of these answers nil for a member that is absent or `null`, and tells of one that is of another kind.

extension StyleReader {
    mutating func object(_ json: JSONValue, _ path: String) -> OrderedObject<JSONValue>? {
        if case .object(let object) = json { return object }
        fail(path, .kind(expected: "object"))
        return nil
    }

    mutating func text(_ json: JSONValue?, _ path: String) -> String? {
        member(json, path, expected: "string") { $0.text }
    }

    mutating func number(_ json: JSONValue?, _ path: String) -> Double? {
        member(json, path, expected: "number") { $0.number }
    }

    mutating func boolean(_ json: JSONValue?, _ path: String) -> Bool? {
        member(json, path, expected: "boolean") { $0.boolean }
    }

    mutating func texts(_ json: JSONValue?, _ path: String) -> [String]? {
        member(json, path, expected: "array of strings") { json in
            guard let elements = json.elements else { return nil }
            let texts = elements.compactMap(\.text)
            return texts.count == elements.count ? texts : nil
        }
    }

    mutating func numbers(_ json: JSONValue?, _ path: String, count: Int) -> [Double]? {
        member(json, path, expected: "array of \(count) numbers") { json in
            let numbers = (json.elements ?? []).compactMap(\.number)
            return numbers.count == count && json.elements?.count == count ? numbers : nil
        }
    }

    mutating func word(_ json: JSONValue?, _ allowed: [String], _ path: String) -> String? {
        guard let word = text(json, path) else { return nil }
        if allowed.contains(word) { return word }
        fail(path, .word(word, allowed: allowed))
        return nil
    }

    /// The value again; tells when it is missing because nothing was there.
    mutating func required<Member>(_ value: Member?, _ path: String, _ json: JSONValue?) -> Member? {
        if value == nil, json == nil || json == .null { fail(path, .missing) }
        return value
    }

    private mutating func member<Member>(
        _ json: JSONValue?, _ path: String, expected: String, read: (JSONValue) -> Member?
    ) -> Member? {
        guard let json, json != .null else { return nil }
        if let value = read(json) { return value }
        fail(path, .kind(expected: expected))
        return nil
    }
}
