import JSON

/// Turns a JSON object whose members are parameters, as the content of a POST, into items of a query.
///
/// Values are strings, numbers and booleans. An array has the values of a repeatable parameter, or the numbers of a list
/// (`"bbox": [10, 40, 11, 41]`). null counts as absent.
package struct JSONItems {
    package struct Form: Sendable {
        package var byteLimit = 2 << 20
        package var itemLimit = 4096
        /// Of arrays and objects in each other.
        package var depthLimit = 4
        /// A parameter whose values are JSON: an array has several.
        package var jsonName: String?
        /// What joins the numbers of a list other than a comma, by parameter.
        package var separators: [String: String] = [:]
        /// The members that an object has which is a value of a repeatable parameter, by parameter: `{"votes": 3, "label": "a",
        /// "ids": ["b", "c"]}` is `votes:3|label:a|ids:b,c`.
        package var objectMembers: [String: [String]] = [:]
        /// Whether all values are numbers.
        package var takesNumbersAlone = false
        /// Whether members that are unknown are passed over.
        package var ignoresUnknown = false

        package init() {}
    }

    private let table: ParameterTable
    private let form: Form
    private var items: [QueryItem] = []
    private var faults: [ParameterFault] = []
    /// Whether there are too many items; further ones are ignored.
    private var isFull = false

    package static func read(
        _ bytes: [UInt8], table: ParameterTable, _ form: Form = Form()
    ) throws(ParameterFaults) -> [QueryItem] {
        var reader = JSONItems(table: table, form: form)
        do throws(JSONError) {
            let json = try JSONReader.read(bytes, depthLimit: form.depthLimit, byteLimit: form.byteLimit)
            if let object = json.object {
                for member in object.members where !reader.isFull { reader.read(member.name, member.value) }
            } else {
                reader.note("body", .malformed(allowed: "a JSON object whose members are parameters"))
            }
        } catch {
            reader.note("body", .malformed(allowed: "a JSON object: \(error.message)"))
        }
        guard reader.faults.isEmpty else { throw ParameterFaults(reader.faults) }
        return reader.items
    }

    private init(table: ParameterTable, form: Form) { (self.table, self.form) = (table, form) }

    private mutating func note(_ name: String, _ reason: ParameterFault.Reason) {
        faults.append(ParameterFault(parameter: name, value: "", reason: reason))
    }

    private mutating func read(_ name: String, _ value: JSONValue) {
        guard let parameter = table.parameter(named: name) else {
            // The reader of the items refuses the name, whatever its value is.
            if !form.ignoresUnknown { add(name, text(value) ?? "") }
            return
        }
        guard value != .null else { return }
        if parameter.name == form.jsonName {
            for value in value.elements ?? [value] where !isFull {
                add(name, value.text ?? value.withoutControls.jsonText)
            }
        } else if let elements = value.elements, parameter.isRepeatable {
            for element in elements where !isFull {
                add(
                    name, element.elements.flatMap { joined($0, ",") } ?? parts(element, of: parameter) ?? text(element)
                )
            }
        } else if let elements = value.elements {
            add(name, joined(elements, form.separators[parameter.name] ?? ","))
        } else {
            add(name, parts(value, of: parameter) ?? text(value))
        }
    }

    private mutating func add(_ name: String, _ text: String?) {
        guard items.count + faults.count < form.itemLimit else {
            isFull = true
            faults.insert(
                ParameterFault(parameter: "body", value: "", reason: .tooManyItems(limit: form.itemLimit)), at: 0)
            return
        }
        guard let text else { return note(name, .malformed(allowed: allowed(for: name))) }
        guard name.isPlain, text.isPlain else { return note(name, .badEncoding) }
        items.append(QueryItem(name: name, value: text))
    }

    private func joined(_ elements: [JSONValue], _ separator: String) -> String? {
        guard !form.takesNumbersAlone else { return nil }
        let texts = elements.compactMap(text)
        return texts.count == elements.count ? texts.joined(separator: separator) : nil
    }

    /// nil for what is no object of the members that `parameter` has, with texts, numbers, booleans and lists of these.
    private func parts(_ value: JSONValue, of parameter: ParameterTable.Parameter) -> String? {
        guard let names = form.objectMembers[parameter.name], let members = value.object?.members else { return nil }
        let given = members.filter { $0.value != .null && !(form.ignoresUnknown && !names.contains($0.name)) }
        let parts = given.compactMap { member in
            names.contains(member.name)
                ? (text(member.value) ?? member.value.elements.flatMap { joined($0, ",") })
                    .map { BarText.escaped("\(member.name):\($0)") } : nil
        }
        return parts.count == given.count ? parts.joined(separator: "|") : nil
    }

    private func allowed(for name: String) -> String {
        if form.takesNumbersAlone { return "a number" }
        guard let parameter = table.parameter(named: name), let members = form.objectMembers[parameter.name] else {
            return "a string, a number, a boolean or an array of these"
        }
        return "a string, an object with \(ParameterReader.list(members)), or an array of these"
    }

    /// nil for arrays, objects and null, and for what the form does not take.
    private func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): form.takesNumbersAlone ? nil : text
        case .boolean(let isTrue): form.takesNumbersAlone ? nil : isTrue ? "1" : "0"
        // The reader of a parameter refuses larger numbers, unless they are whole.
        case .number(let number):
            abs(number) < 999_999_999
                ? PlainDecimal(billionths: Int64((number * 1e9).rounded())).description
                : Int64(exactly: number).map(String.init) ?? "\(number)"
        case .null, .array, .object: nil
        }
    }
}

extension JSONValue {
    /// With spaces for control characters, which parameters refuse.
    fileprivate var withoutControls: JSONValue {
        switch self {
        case .null, .boolean, .number: return self
        case .string(let text): return .string(Self.withoutControls(text))
        case .array(let elements): return .array(elements.map(\.withoutControls))
        case .object(let object):
            var plain = OrderedObject<JSONValue>()
            for member in object.members { plain[Self.withoutControls(member.name)] = member.value.withoutControls }
            return .object(plain)
        }
    }

    private static func withoutControls(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 < 0x20 || $0 == 0x7f ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }
}

extension String {
    /// Whether it has none of the control characters that parameters refuse.
    package var isPlain: Bool { unicodeScalars.allSatisfy { !$0.isControl } }
}

extension Unicode.Scalar {
    package var isControl: Bool { value < 0x20 || (0x7f...0x9f).contains(value) }
}
