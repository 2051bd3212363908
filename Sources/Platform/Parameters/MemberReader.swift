package import JSON

/// Reads the members of one object of a file that a setting names, and collects their faults.
package struct MemberReader {
    package let object: OrderedObject<JSONValue>
    /// The object's path in the file, such as `sources.aerial`.
    package let path: String
    /// The values of `${NAME}`; nil: that means nothing.
    package let environment: [String: String]?
    package private(set) var faults: [(path: String, cause: String)] = []

    package init(object: OrderedObject<JSONValue>, path: String, environment: [String: String]? = nil) {
        (self.object, self.path, self.environment) = (object, path, environment)
    }

    /// Adds a fault of a member, or of the object itself.
    package mutating func fail(_ member: String?, _ cause: String) {
        faults.append(([path, member ?? ""].filter { !$0.isEmpty }.joined(separator: "."), cause))
    }

    package mutating func requireKnown(_ names: [String]) {
        for member in object.members where !names.contains(member.name) {
            let suggestion = Suggestion.nearest(to: member.name, among: names).map { "did you mean '\($0)'?" }
            fail(member.name, "it is unknown; \(suggestion ?? "allowed are \(names.joined(separator: ", "))")")
        }
    }

    package func has(_ member: String) -> Bool { object[member] != nil }

    /// A string with its variables filled in; nil if it is absent or faulty.
    package mutating func text(_ member: String) -> String? { object[member].flatMap { text($0, member) } }

    package mutating func texts(_ member: String, limit: Int) -> [String] {
        guard let value = object[member] else { return [] }
        guard let elements = value.elements, (1...limit).contains(elements.count) else {
            fail(member, "an array of 1 to \(limit) strings is expected")
            return []
        }
        return elements.enumerated().compactMap { text($1, "\(member)[\($0)]") }
    }

    package mutating func integer(_ member: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = object[member] else { return nil }
        if let whole = value.number.flatMap(Int.init(exactly:)), range.contains(whole) { return whole }
        fail(member, "a whole number from \(range.lowerBound) to \(range.upperBound) is expected")
        return nil
    }

    package mutating func number(_ member: String) -> Double? {
        guard let value = object[member] else { return nil }
        if let number = value.number, abs(number) <= 1e9 { return number }
        fail(member, "a number is expected")
        return nil
    }

    package mutating func word(_ member: String, _ words: [String]) -> String? {
        guard let given = text(member) else { return nil }
        if words.contains(given) { return given }
        let suggestion = Suggestion.hint(for: given, among: words, quote: "'")
        fail(member, "one of \(words.joined(separator: ", ")) is expected\(suggestion)")
        return nil
    }

    /// West, south, east and north.
    package mutating func bounds(_ member: String) -> [Double]? {
        guard let value = object[member] else { return nil }
        let numbers = value.elements?.compactMap(\.number) ?? []
        guard numbers.count == 4, value.elements?.count == 4, abs(numbers[0]) <= 180, abs(numbers[2]) <= 180,
            abs(numbers[1]) <= 90, abs(numbers[3]) <= 90, numbers[0] < numbers[2], numbers[1] < numbers[3]
        else {
            fail(member, "an array of west, south, east and north in degrees is expected")
            return nil
        }
        return numbers
    }

    private mutating func text(_ value: JSONValue, _ member: String) -> String? {
        if let text = value.text, !text.utf8.contains(0), text.utf8.count <= 4096 { return filled(text, member) }
        fail(member, "a string is expected")
        return nil
    }

    /// `text` with each `${NAME}` replaced. Faults contain the name of a missing variable, never a value.
    private mutating func filled(_ text: String, _ member: String) -> String? {
        guard let environment else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${") {
            result += rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            guard let end = rest.firstIndex(of: "}") else {
                fail(member, "a '${' is not closed")
                return nil
            }
            let name = String(rest[..<end])
            guard let value = environment[name] else {
                fail(member, "the environment has no variable '\(name)'")
                return nil
            }
            result += value
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}
