package import Colors

/// Reads a request's parameters by name and type and collects every fault. A getter returns nil for an absent (or
/// empty) and for a faulty parameter; `finish()` throws all faults at once:
///
///     var reader = ParameterReader(items, table: table)
///     let width = reader.int("width", 16...4096) ?? 512
///     let scale = reader.decimal("scale", 1...4) ?? 1
///     try reader.finish()
package struct ParameterReader {
    private struct Entry {
        let position: Int
        let name: String
        let item: QueryItem
    }

    private struct PlacedFault {
        let position: Int
        let fault: ParameterFault
    }

    private var entries: [Entry] = []
    private var faults: [PlacedFault] = []

    /// Unknown, repeated and unbuilt names become faults; a known name with an empty value is absent.
    package init(_ items: [QueryItem], table: ParameterTable) {
        for (position, item) in items.enumerated() {
            guard let parameter = table.parameter(named: item.name) else {
                // A suggestion takes time, and faults beyond the limit are not reported.
                let suggestion = faults.count < ParameterFaults.countLimit ? table.suggestion(for: item.name) : nil
                note(.unknown(suggestion: suggestion), item, at: position)
                continue
            }
            guard !item.value.isEmpty else { continue }
            guard parameter.isBuilt else {
                note(.notSupportedYet(allowed: nil), item, at: position)
                continue
            }
            guard parameter.isRepeatable || !isPresent(parameter.name) else {
                note(.repeated, item, at: position)
                continue
            }
            entries.append(Entry(position: position, name: parameter.name, item: item))
        }
    }

    /// Whether it has a value, even a faulty one.
    package func isPresent(_ name: String) -> Bool { entries.contains { $0.name == name } }

    package func present(_ names: [String]) -> [String] { names.filter { isPresent($0) } }

    /// A thrown reason becomes the parameter's fault.
    package mutating func value<Value>(
        _ name: String, _ parse: (String) throws(ParameterFault.Reason) -> Value
    ) -> Value? {
        guard let entry = entries.first(where: { $0.name == name }) else { return nil }
        return value(of: entry, parse)
    }

    /// In URL order, without faulty ones.
    package mutating func values<Value>(
        _ name: String, _ parse: (String) throws(ParameterFault.Reason) -> Value
    ) -> [Value] {
        values(of: [name]) { _, text throws(ParameterFault.Reason) in try parse(text) }
    }

    /// In URL order across the names, without faulty ones.
    package mutating func values<Value>(
        of names: [String], _ parse: (_ name: String, _ text: String) throws(ParameterFault.Reason) -> Value
    ) -> [Value] {
        var found: [Value] = []
        for entry in entries where names.contains(entry.name) {
            let value = value(of: entry) { text throws(ParameterFault.Reason) in try parse(entry.name, text) }
            if let value { found.append(value) }
        }
        return found
    }

    package mutating func string(_ name: String, byteLimit: Int = 8192) -> String? {
        value(name) { text throws(ParameterFault.Reason) in
            guard text.utf8.count <= byteLimit else { throw .outOfRange(allowed: "at most \(byteLimit) bytes long") }
            return text
        }
    }

    package mutating func int(_ name: String, _ range: ClosedRange<Int>) -> Int? {
        value(name) { text throws(ParameterFault.Reason) in try PlainNumber.int(text, in: range) }
    }

    package mutating func decimal(_ name: String, _ range: ClosedRange<PlainDecimal>) -> PlainDecimal? {
        value(name) { text throws(ParameterFault.Reason) in try PlainNumber.decimal(text, in: range) }
    }

    package mutating func choice(_ name: String, _ choices: [String]) -> String? {
        value(name) { text throws(ParameterFault.Reason) in
            guard choices.contains(text) else { throw Self.unlisted(text, among: choices) }
            return text
        }
    }

    package mutating func choice<Value: RawRepresentable & CaseIterable>(
        _ name: String, of type: Value.Type = Value.self
    ) -> Value? where Value.RawValue == String {
        value(name) { text throws(ParameterFault.Reason) in
            guard let value = Value(rawValue: text) else {
                throw Self.unlisted(text, among: Value.allCases.map(\.rawValue))
            }
            return value
        }
    }

    /// `1` or `0`.
    package mutating func flag(_ name: String) -> Bool? { choice(name, ["0", "1"]).map { $0 == "1" } }

    package mutating func color(_ name: String) -> Color? {
        value(name) { text throws(ParameterFault.Reason) in
            guard let color = Color(text: text) else { throw .malformed(allowed: Color.allowed) }
            return color
        }
    }

    /// For faults that show only when parameters are seen together.
    package mutating func refuse(_ name: String, _ reason: ParameterFault.Reason) {
        if let entry = entries.first(where: { $0.name == name }) {
            note(reason, entry.item, at: entry.position)
        } else {
            note(reason, QueryItem(name: name, value: ""), at: Int.max)
        }
    }

    /// A fault if absent.
    package mutating func require(_ name: String) { if !isPresent(name) { refuse(name, .missing) } }

    /// In URL order, at most ``ParameterFaults/countLimit``.
    package func finish() throws(ParameterFaults) {
        guard !faults.isEmpty else { return }
        // The sort is stable: faults at one place stay in order.
        throw ParameterFaults(faults.sorted { $0.position < $1.position }.map(\.fault))
    }

    /// What is wrong with `text`, which is none of `choices`.
    package static func unlisted(_ text: String, among choices: [String]) -> ParameterFault.Reason {
        .malformed(allowed: list(choices) + Suggestion.hint(for: text, among: choices))
    }

    /// `a`, `b` or `c`.
    package static func list(_ choices: [String]) -> String {
        guard let last = choices.last, choices.count > 1 else { return choices.first ?? "" }
        return choices.dropLast().joined(separator: ", ") + " or " + last
    }

    private mutating func value<Value>(
        of entry: Entry, _ parse: (String) throws(ParameterFault.Reason) -> Value
    ) -> Value? {
        do {
            return try parse(entry.item.value)
        } catch {
            note(error, entry.item, at: entry.position)
            return nil
        }
    }

    private mutating func note(_ reason: ParameterFault.Reason, _ item: QueryItem, at position: Int) {
        let fault = ParameterFault(parameter: item.name, value: item.value, reason: reason)
        faults.append(PlacedFault(position: position, fault: fault))
    }
}
