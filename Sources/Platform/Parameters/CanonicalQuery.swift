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

    package mutating func append(_ name: String, _ value: String) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        appendEncoded(name)
        bytes.append(UInt8(ascii: "="))
        appendEncoded(value)
    }

    /// RFC 3986 §3.4 allows `/ : ,` in a query.
    private mutating func appendEncoded(_ part: String) { PercentEncoding.append(part, keeping: "/:,", to: &bytes) }
}
