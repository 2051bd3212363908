package import Parameters

extension ImageRequest {
    /// The query that a signature covers: the canonical text. A preset is known to its server alone, so parameters beside
    /// one are signed as they are written, by their full names and in the order of the table.
    package static func signedQuery(of items: [QueryItem]) throws(ParameterFaults) -> String {
        let given = items.filter { !$0.value.isEmpty }
        guard given.contains(where: { $0.name == "preset" }) else { return try parse(items).canonical }
        let named = given.map { QueryItem(name: table.parameter(named: $0.name)?.name ?? $0.name, value: $0.value) }
        let order = table.parameters.map(\.name)
        func place(_ item: QueryItem) -> Int { order.firstIndex(of: item.name) ?? order.count }
        return CanonicalQuery(named.sorted { place($0) < place($1) }).text
    }

    /// As `signedQuery(of:)`, for whoever writes a URL without a server: also finds the faults of what stands beside a preset, which
    /// may complete it.
    package static func writtenQuery(of items: [QueryItem]) throws(ParameterFaults) -> String {
        let known = items.filter { $0.name != "preset" }
        if known.count < items.count {
            do throws(ParameterFaults) {
                _ = try parse(known)
            } catch {
                let faults = error.faults.filter { fault in
                    if case .incomplete = fault.reason { false } else { true }
                }
                if !faults.isEmpty { throw ParameterFaults(faults) }
            }
        }
        return try signedQuery(of: items)
    }
}
