import Bytes

package struct QueryItem: Equatable, Sendable {
    /// Case matters.
    package var name: String
    /// Empty for `name=` and `name`.
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

package enum QueryItems {
    package static let countLimit = 256

    /// Skips empty items; `+` and `%20` both mean a space. Throws every item with a broken escape, a control character or no UTF-8.
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

    /// Nil if escapes are broken, or give control characters or no UTF-8.
    private static func decoded(_ text: Substring.UTF8View) -> String? {
        if text.allSatisfy(isPlain) { return String(Substring(text)) }
        guard let bytes = PercentEncoding.decoded(text, plusIsSpace: true) else { return nil }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { return nil }
        guard let string = String(validating: bytes, as: UTF8.self) else { return nil }
        // U+0080–U+009F are control characters too.
        return string.unicodeScalars.contains { (0x80...0x9f).contains($0.value) } ? nil : string
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7f && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "+")
    }
}
