package import Parameters

/// What is wrong with a preset of the configuration.
package enum PresetFault: Error, Equatable, Sendable {
    /// A name is 1–64 of a–z, 0–9, `-` and `_`.
    case badName(String)
    /// Two presets have this name.
    case repeatedName(String)
    /// Its query is refused.
    case badQuery(name: String, ParameterFaults)
}

/// The named sets of parameters that `preset` asks for. They are checked when the table is made, so that a request can only
/// fail where it and its presets contradict each other.
///
/// Expansion comes before parsing: what the request says itself wins, later presets win over earlier ones, and nothing of
/// the name is left in the canonical form.
package struct PresetTable: Equatable, Sendable {
    /// The most presets of one request.
    package static let countLimit = 8
    /// What a preset may not say: which asset, and what would lead to further presets or assets.
    package static let refusedNames = ["id", "preset", "default", "expires", "sig"]

    private let items: [String: [QueryItem]]

    package static let none = PresetTable()

    private init() {
        items = [:]
    }

    /// Takes names and queries (`width=300&height=300&fit=cover`, encoded as in a request).
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

    /// `request` and, after it, what its presets say beyond it. Unknown presets add nothing; `check` finds them.
    func expanding(_ request: [QueryItem]) -> [QueryItem] {
        guard let asked = request.first(where: { $0.name == "preset" && !$0.value.isEmpty }) else { return request }
        var expanded = request
        var known = Set(request.filter { !$0.value.isEmpty }.map { Self.fullName($0.name) })
        for name in asked.value.split(separator: ",").reversed().prefix(Self.countLimit) {
            let additions = (items[String(name)] ?? []).filter { !known.contains(Self.fullName($0.name)) }
            known.formUnion(additions.map { Self.fullName($0.name) })
            expanded += additions
        }
        return expanded
    }

    /// Refuses names that are none.
    func check(_ text: String) throws(ParameterFault.Reason) {
        let asked = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard asked.count <= Self.countLimit else {
            throw .outOfRange(allowed: "at most \(Self.countLimit) preset names, separated by commas")
        }
        for name in asked where items[name] == nil {
            let nearest = Suggestion.nearest(to: name, among: names).map { "; did you mean `\($0)`" } ?? ""
            throw .malformed(allowed: "preset names of this server, separated by commas\(nearest)")
        }
    }

    /// The items, if a request with them and any id would do; what is only incomplete may be completed by the request.
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
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private static func fullName(_ name: String) -> String {
        ImageRequest.table.parameter(named: name)?.name ?? name
    }
}
