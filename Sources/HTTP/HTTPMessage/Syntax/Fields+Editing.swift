/// The field names that a list has, as in Vary and Connection.
package struct FieldNameList: Equatable, Sendable {
    /// The names in order; `*` is one of them if it is listed.
    package var names: [FieldName] = []
    /// Whether every element was a name; empty ones do not count.
    package var isWellFormed = true

    package init() {}

    /// Whether `name` is listed.
    package func contains(_ name: FieldName) -> Bool { names.contains(name) }
}

extension Fields {
    /// The names that the lines called `name` list.
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

    /// The values of all lines called `name` as one (RFC 9110 §5.3); nil when there is none.
    package func combined(_ name: FieldName) -> String? {
        guard let index = firstIndex(of: name) else { return nil }
        guard firstIndex(of: name, from: index + 1) != nil else { return valueBytes(at: index).text }
        return all(name).joined(separator: ", ")
    }

    /// The same fields without those called one of `names`.
    package func removing(_ names: [FieldName]) -> Fields { selecting { !names.contains($0) } }

    /// Only the fields called one of `names`.
    package func keeping(_ names: [FieldName]) -> Fields { selecting { names.contains($0) } }

    /// The fields whose names `isKept` wants, in order.
    package func selecting(_ isKept: (FieldName) -> Bool) -> Fields {
        var kept = Fields()
        for index in 0..<count {
            guard let name = FieldName(nameBytes(at: index).text), isKept(name) else { continue }
            kept.append(name, bytes: valueBytes(at: index))
        }
        return kept
    }

    /// Adds the lines of `other` at the end.
    package mutating func append(_ other: Fields) {
        for index in 0..<other.count {
            guard let name = FieldName(other.nameBytes(at: index).text) else { continue }
            append(name, bytes: other.valueBytes(at: index))
        }
    }

    /// The same fields without those that belong to one connection: what Connection lists, and what may be meant so without
    /// being listed (RFC 9110 §7.6.1, RFC 9111 §3.1). Names in `kept` stay even if they are listed.
    package func removingConnectionFields(kept: [FieldName] = []) -> Fields {
        let listed = names(listedIn: .connection).names.filter { !kept.contains($0) }
        return removing(Self.connectionFields + listed)
    }

    private static let connectionFields: [FieldName] = [
        .connection, .transferEncoding, "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Upgrade",
        "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
    ]
}
