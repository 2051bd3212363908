import Bytes

/// Tells a fleet from others with the same Redis or bucket: the first part of the names of its keys, and a folder of its objects.
package struct SharedPrefix: Equatable, Sendable {
    /// Can stand in a text of Lua, in a pattern of Redis and in a key of S3.
    package let text: String

    package static let allowed = "up to \(limit) letters, digits, - and _"
    private static let limit = 32

    package init() { text = "veduta" }

    package init?(_ text: String) {
        guard (1...Self.limit).contains(text.utf8.count), text.utf8.allSatisfy(Self.isOfName) else { return nil }
        self.text = text
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) && byte != UInt8(ascii: ".") && byte != UInt8(ascii: "~")
    }
}
