/// The field names in a list, as in Vary and Connection.
package struct FieldNameList: Equatable, Sendable {
    /// In order; includes a listed `*`.
    package var names: [FieldName] = []
    /// Whether every element but empty ones was a name.
    package var isWellFormed = true

    package init() {}
    package func contains(_ name: FieldName) -> Bool { names.contains(name) }
}

extension Fields {
    package func names(listedIn name: FieldName) -> FieldNameList {
        var list = FieldNameList()
        forEachLine(name) { value in
            ListElements.forEach(in: value) { element in
                if element.byteCount == 0 { return }
                guard let name = FieldName(element.text) else {
                    list.isWellFormed = false
                    return
                }
                list.names.append(name)
            }
        }
        return list
    }

    /// The values of all lines called `name` as one (RFC 9110 §5.3).
    package func combined(_ name: FieldName) -> String? {
        guard let index = firstIndex(of: name) else { return nil }
        guard firstIndex(of: name, from: index + 1) != nil else { return valueBytes(at: index).text }
        return all(name).joined(separator: ", ")
    }

    package func removing(_ names: [FieldName]) -> Fields { selecting { !names.contains($0) } }
    package func keeping(_ names: [FieldName]) -> Fields { selecting { names.contains($0) } }

    package func selecting(_ isKept: (FieldName) -> Bool) -> Fields {
        var kept = Fields()
        for index in 0..<count {
            guard let name = FieldName(nameBytes(at: index).text), isKept(name) else { continue }
            kept.append(name, bytes: valueBytes(at: index))
        }
        return kept
    }

    package mutating func append(_ other: Fields) {
        for index in 0..<other.count {
            guard let name = FieldName(other.nameBytes(at: index).text) else { continue }
            append(name, bytes: other.valueBytes(at: index))
        }
    }

    /// Removes what Connection lists or belongs there (RFC 9110 §7.6.1, RFC 9111 §3.1), but never names in `kept`.
    package func removingConnectionFields(kept: [FieldName] = []) -> Fields {
        let listed = names(listedIn: .connection).names.filter { !kept.contains($0) }
        return removing(Self.connectionFields + listed)
    }

    private static let connectionFields: [FieldName] = [
        .connection, .transferEncoding, "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Upgrade",
        "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
    ]
}
