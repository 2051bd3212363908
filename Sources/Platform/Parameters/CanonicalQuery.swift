import Bytes

/// Writes the canonical text of a query: `QueryItems.parse` of it gives the items back, and equal items give equal text.
package struct CanonicalQuery: Sendable {
    private var bytes: [UInt8] = []

    /// What was written so far, in ASCII.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package init() {
        bytes.reserveCapacity(160)
    }

    package init(_ items: [QueryItem]) {
        self.init()
        for item in items { append(item.name, item.value) }
    }

    /// Appends one item; nothing is left out or reordered here.
    package mutating func append(_ name: String, _ value: String) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        appendEncoded(name)
        bytes.append(UInt8(ascii: "="))
        appendEncoded(value)
    }

    /// Leaves the unreserved characters and `/ : ,` as they are (RFC 3986 §3.4 allows them in a query), everything else
    /// becomes an upper-case escape.
    private mutating func appendEncoded(_ part: String) {
        PercentEncoding.append(part, keeping: "/:,", to: &bytes)
    }
}
