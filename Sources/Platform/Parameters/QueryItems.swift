import Bytes

/// Takes the query of a request target apart.
package enum QueryItems {
    package static let countLimit = 256

    /// The items of `rawQuery` (what follows `?`, still encoded), in order; empty items between `&` are skipped.
    ///
    /// `+` and `%20` both mean a space. Throws every item whose escapes are broken, that is not UTF-8 or that holds a
    /// control character, and a query of more than `countLimit` items.
    package static func parse(_ rawQuery: String) throws(ParameterFaults) -> [QueryItem] {
        var items: [QueryItem] = []
        var faults: [ParameterFault] = []
        for part in rawQuery.utf8.split(separator: UInt8(ascii: "&")) {
            guard items.count + faults.count < countLimit else {
                faults.append(ParameterFault(parameter: "", value: "", reason: .tooManyItems(limit: countLimit)))
                break
            }
            let nameEnd = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let rawName = part[..<nameEnd]
            let rawValue = part[nameEnd...].dropFirst()
            if let name = decoded(rawName), let value = decoded(rawValue) {
                items.append(QueryItem(name: name, value: value))
            } else {
                let name = decoded(rawName) ?? String(decoding: rawName, as: UTF8.self)
                let value = String(decoding: rawValue, as: UTF8.self)
                faults.append(ParameterFault(parameter: name, value: value, reason: .badEncoding))
            }
        }
        guard faults.isEmpty else { throw ParameterFaults(faults) }
        return items
    }

    /// `text` with its escapes resolved, or nil where they are broken or give something that is not plain text.
    private static func decoded(_ text: Substring.UTF8View) -> String? {
        if text.allSatisfy(isPlain) { return String(Substring(text)) }
        guard let bytes = PercentEncoding.decoded(text, plusIsSpace: true) else { return nil }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { return nil }
        guard let string = String(validating: bytes, as: UTF8.self) else { return nil }
        // U+0080–U+009F are control characters too.
        return string.unicodeScalars.contains { (0x80...0x9f).contains($0.value) } ? nil : string
    }

    /// Whether `byte` stands for itself: printable ASCII that is no escape.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7f && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "+")
    }
}
