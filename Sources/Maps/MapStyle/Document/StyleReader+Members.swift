import JSON

/// An object of a style, with its path.
struct StyleObject {
    var object: OrderedObject<JSONValue>
    let path: String

    subscript(name: String) -> JSONValue? { object[name] }

    func path(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}

// These return nil for a member that is absent or `null`; a member of another kind is a fault.

extension StyleReader {
    mutating func object(_ json: JSONValue, _ path: String) -> StyleObject? {
        if case .object(let members) = json { return StyleObject(object: members, path: path) }
        fail(path, .kind(expected: "object"))
        return nil
    }

    mutating func text(_ name: String, of object: StyleObject) -> String? {
        value(object[name], object.path(name), expected: "string") { $0.text }
    }

    mutating func boolean(_ name: String, of object: StyleObject) -> Bool? {
        value(object[name], object.path(name), expected: "boolean") { $0.boolean }
    }

    mutating func number(_ name: String, of object: StyleObject, in range: ClosedRange<Double>? = nil) -> Double? {
        let number = value(object[name], object.path(name), expected: "number") { $0.number }
        if let range, let number, !range.contains(number) {
            fail(object.path(name), .range(least: range.lowerBound, greatest: range.upperBound))
        }
        return number
    }

    mutating func texts(_ name: String, of object: StyleObject) -> [String]? {
        value(object[name], object.path(name), expected: "array of strings") { json in
            guard let elements = json.elements else { return nil }
            let texts = elements.compactMap(\.text)
            return texts.count == elements.count ? texts : nil
        }
    }

    mutating func numbers(_ json: JSONValue?, _ path: String, count: Int) -> [Double]? {
        value(json, path, expected: "array of \(count) numbers") { json in
            let numbers = (json.elements ?? []).compactMap(\.number)
            return numbers.count == count && json.elements?.count == count ? numbers : nil
        }
    }

    mutating func word(_ name: String, of object: StyleObject, _ allowed: [String]) -> String? {
        guard let word = text(name, of: object) else { return nil }
        if allowed.contains(word) { return word }
        fail(object.path(name), .word(word, allowed: allowed))
        return nil
    }

    /// A missing member is a fault.
    mutating func requiredText(_ name: String, of object: StyleObject) -> String? {
        if object[name] == nil || object[name] == .null { fail(object.path(name), .missing) }
        return text(name, of: object)
    }

    private mutating func value<Value>(
        _ json: JSONValue?, _ path: String, expected: String, read: (JSONValue) -> Value?
    ) -> Value? {
        guard let json, json != .null else { return nil }
        if let value = read(json) { return value }
        fail(path, .kind(expected: expected))
        return nil
    }
}
