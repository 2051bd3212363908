import JSON
import Parameters

/// Reads the members of one object of the maps file and notes what is wrong with them.
struct MemberReader {
    /// The object's place in the file, such as `sources.aerial`.
    let path: String
    let object: OrderedObject<JSONValue>
    /// What `${NAME}` stands for.
    let environment: [String: String]
    private(set) var faults: [(path: String, cause: String)] = []

    init(_ object: OrderedObject<JSONValue>, path: String, environment: [String: String]) {
        self.object = object
        self.path = path
        self.environment = environment
    }

    /// Notes a fault of a member, or of the object itself.
    mutating func fail(_ member: String?, _ cause: String) {
        let place = [path, member ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
        faults.append((place, cause))
    }

    /// Notes members that are none of `names`.
    mutating func requireKnown(_ names: [String]) {
        for member in object.members where !names.contains(member.name) {
            let suggestion = Suggestion.nearest(to: member.name, among: names).map { "did you mean '\($0)'?" }
            fail(member.name, "it is unknown; \(suggestion ?? "allowed are \(names.joined(separator: ", "))")")
        }
    }

    /// Whether the object has a member.
    func has(_ member: String) -> Bool { object[member] != nil }

    /// A string with its variables filled in; nil where there is none.
    mutating func text(_ member: String) -> String? {
        guard let value = object[member] else { return nil }
        return text(value, member)
    }

    /// A list of strings with their variables filled in.
    mutating func texts(_ member: String, limit: Int) -> [String] {
        guard let value = object[member] else { return [] }
        guard let elements = value.elements, (1...limit).contains(elements.count) else {
            fail(member, "an array of 1 to \(limit) strings is expected")
            return []
        }
        return elements.enumerated().compactMap { text($1, "\(member)[\($0)]") }
    }

    /// A whole number in a range.
    mutating func integer(_ member: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = object[member] else { return nil }
        guard let number = value.number, let whole = Int(exactly: number), range.contains(whole) else {
            fail(member, "a whole number from \(range.lowerBound) to \(range.upperBound) is expected")
            return nil
        }
        return whole
    }

    mutating func number(_ member: String) -> Double? {
        guard let value = object[member] else { return nil }
        guard let number = value.number, abs(number) <= 1e9 else {
            fail(member, "a number is expected")
            return nil
        }
        return number
    }

    /// One of some words.
    mutating func word(_ member: String, _ words: [String]) -> String? {
        guard let given = text(member) else { return nil }
        guard words.contains(given) else {
            let suggestion = Suggestion.nearest(to: given, among: words).map { "; did you mean '\($0)'?" } ?? ""
            fail(member, "one of \(words.joined(separator: ", ")) is expected\(suggestion)")
            return nil
        }
        return given
    }

    /// West, south, east and north.
    mutating func bounds(_ member: String) -> [Double]? {
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
        guard let text = value.text, !text.utf8.contains(0), text.utf8.count <= 4096 else {
            fail(member, "a string is expected")
            return nil
        }
        return filled(text, member)
    }

    /// `text` with each `${NAME}` replaced. The message of a missing one tells its name, never a value.
    private mutating func filled(_ text: String, _ member: String) -> String? {
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
