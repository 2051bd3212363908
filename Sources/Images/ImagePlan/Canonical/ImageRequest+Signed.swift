package import Parameters

extension ImageRequest {
    /// The query that a signature covers: the canonical text, with each id as `idSpelling` writes it. A preset is known to its server
    /// alone, so parameters beside one are signed as they are written, by their full names and in the order of the table.
    package static func signedQuery(
        of items: [QueryItem], idSpelling: (String) -> String = { $0 }
    ) throws(ParameterFaults) -> String {
        let given = items.filter { !$0.value.isEmpty }
        guard given.contains(where: { $0.name == "preset" }) else {
            var request = try parse(items)
            request.spellIDs(idSpelling)
            return request.canonical
        }
        let named = given.map { item in
            let name = table.parameter(named: item.name)?.name ?? item.name
            return QueryItem(name: name, value: idNames.contains(name) ? idSpelling(item.value) : item.value)
        }
        let order = table.parameters.map(\.name)
        // Overlays and texts are drawn in the order of the URL.
        let overlays = table.parameters.firstIndex(where: \.isRepeatable)
        func place(_ item: QueryItem) -> Int {
            table.parameter(named: item.name)?.isRepeatable == true
                ? overlays ?? order.count : order.firstIndex(of: item.name) ?? order.count
        }
        return CanonicalQuery(named.sorted { place($0) < place($1) }).text
    }

    private static let idNames = ["id", "default"]

    /// Writes each id as `spelling` does.
    package mutating func spellIDs(_ spelling: (String) -> String) {
        id = spelling(id)
        fallbackID = fallbackID.map(spelling)
        for index in overlays.indices {
            if let id = overlays[index].id { overlays[index].replaceID(with: spelling(id)) }
        }
    }

    /// As `signedQuery(of:idSpelling:)`, for code that builds a URL without a server: also finds the faults of what stands beside a
    /// preset, which may complete it.
    package static func writtenQuery(
        of items: [QueryItem], idSpelling: (String) -> String = { $0 }
    ) throws(ParameterFaults) -> String {
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
        return try signedQuery(of: items, idSpelling: idSpelling)
    }
}
