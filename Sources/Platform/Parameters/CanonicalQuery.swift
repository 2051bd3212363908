import Bytes

/// Equal items give equal text, and `QueryItems.parse` gives the items back.
package struct CanonicalQuery: Sendable {
    private var bytes: [UInt8] = []

    package var text: String { String(decoding: bytes, as: UTF8.self) }
    package init() { bytes.reserveCapacity(160) }

    package init(_ items: [QueryItem]) {
        self.init()
        for item in items { append(item.name, item.value) }
    }

    /// nil if it is too long, or has more items than a query may have.
    package static func text(_ items: [QueryItem], byteLimit: Int) -> String? {
        guard items.count <= QueryItems.countLimit else { return nil }
        // Encoding only makes it longer.
        guard items.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) <= byteLimit else { return nil }
        let text = CanonicalQuery(items).text
        return text.utf8.count <= byteLimit ? text : nil
    }

    package mutating func append(_ name: String, _ value: String) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        appendEncoded(name)
        bytes.append(UInt8(ascii: "="))
        appendEncoded(value)
    }

    /// RFC 3986 §3.4 allows `/ : ,` in a query.
    private mutating func appendEncoded(_ part: String) { PercentEncoding.append(part, keeping: "/:,", to: &bytes) }
}
