import Bytes
package import Parameters

package enum PresetFault: Error, Equatable, Sendable {
    /// A name is 1–64 of a–z, 0–9, `-` and `_`.
    case badName(String)
    case repeatedName(String)
    case badQuery(name: String, ParameterFaults)
}

/// Named sets of parameters for `preset`, checked when the table is made. Expansion precedes parsing: the request's own
/// parameters win, then later presets, but overlays and texts are all drawn; the canonical form does not name the presets.
package struct PresetTable: Equatable, Sendable {
    package static let countLimit = 8
    /// A preset must not name assets or other presets.
    package static let refusedNames = ["id", "preset", "default", "expires", "sig", "allow"]

    private let items: [String: [QueryItem]]

    package static let none = PresetTable()

    private init() { items = [:] }

    /// `presets` are names and queries (`width=300&height=300&fit=cover`, encoded as in a request).
    package init(_ presets: [(name: String, query: String)]) throws(PresetFault) {
        var items: [String: [QueryItem]] = [:]
        for (name, query) in presets {
            guard Self.isName(name) else { throw .badName(name) }
            guard items[name] == nil else { throw .repeatedName(name) }
            do throws(ParameterFaults) {
                items[name] = try Self.checked(try QueryItems.parse(query))
            } catch {
                throw .badQuery(name: name, error)
            }
        }
        self.items = items
    }

    package var names: [String] { items.keys.sorted() }

    /// `request` followed by the additions of its presets; their overlays and texts come last and so lie on top of those of the
    /// request, which can neither replace nor cover them. Unknown presets add nothing; `check` finds them.
    func expanding(_ request: [QueryItem]) -> [QueryItem] {
        guard let asked = request.first(where: { $0.name == "preset" && !$0.value.isEmpty }) else { return request }
        var expanded = request
        var overlays: [QueryItem] = []
        var known = Set(request.filter { !$0.value.isEmpty }.map { Self.fullName($0.name) })
        var used: Set<Substring> = []
        for name in asked.value.split(separator: ",").reversed().prefix(Self.countLimit) {
            let own = items[String(name)] ?? []
            let additions = own.filter { !Self.isOverlay($0) && !known.contains(Self.fullName($0.name)) }
            known.formUnion(additions.map { Self.fullName($0.name) })
            expanded += additions
            if used.insert(name).inserted { overlays = own.filter(Self.isOverlay) + overlays }
        }
        return expanded + overlays
    }

    func check(_ text: String) throws(ParameterFault.Reason) {
        let asked = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard asked.count <= Self.countLimit else {
            throw .outOfRange(allowed: "at most \(Self.countLimit) preset names, separated by commas")
        }
        for name in asked where items[name] == nil {
            throw .malformed(
                allowed: "preset names of this server, separated by commas" + Suggestion.hint(for: name, among: names))
        }
    }

    /// Checks the items as a request with any id; an incomplete one may be completed by the request.
    private static func checked(_ items: [QueryItem]) throws(ParameterFaults) -> [QueryItem] {
        var faults = items.filter { refusedNames.contains($0.name) }.map {
            ParameterFault(parameter: $0.name, value: $0.value, reason: .conflict(with: ["preset"]))
        }
        if faults.isEmpty {
            do throws(ParameterFaults) {
                _ = try ImageRequest.parse([QueryItem(name: "id", value: "a")] + items)
            } catch {
                faults = error.faults.filter { fault in
                    if case .incomplete = fault.reason { false } else { true }
                }
            }
        }
        guard faults.isEmpty else { throw ParameterFaults(faults) }
        return items.filter { !$0.value.isEmpty }
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { ASCII.isDigit($0) || (0x61...0x7a).contains($0) || "-_".utf8.contains($0) }
    }

    private static func isOverlay(_ item: QueryItem) -> Bool {
        ImageRequest.table.parameter(named: item.name)?.isRepeatable == true
    }

    private static func fullName(_ name: String) -> String { ImageRequest.table.parameter(named: name)?.name ?? name }
}
