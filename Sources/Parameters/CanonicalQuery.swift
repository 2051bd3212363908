/// Writes the canonical text of a query: `QueryItems.parse` of it gives the items back, and equal items give equal text.
package struct CanonicalQuery: Sendable {
    private var bytes: [UInt8] = []

    /// What was written so far, in ASCII.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package init() {
        bytes.reserveCapacity(160)
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
        for byte in part.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ","):
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes.append(Self.hexDigit(byte >> 4))
                bytes.append(Self.hexDigit(byte & 15))
            }
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
