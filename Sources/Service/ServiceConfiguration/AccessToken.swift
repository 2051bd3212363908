import Bytes
import Digest

/// The token that lets a client change something. Only its digest is kept, so no log or message can show it.
package struct AccessToken: Sendable, Equatable {
    private let digest: Digest256

    /// In characters.
    static let lengthLimit = 1024
    /// A shorter token can be guessed.
    package static let safeLength = 16

    package let isShort: Bool

    static let allowed =
        "letters, digits and - . _ ~ + /, up to \(lengthLimit) characters, with = only at the end; `openssl rand -base64 32` makes one"

    /// Takes a `b64token` (RFC 6750 §2.1).
    package init?(_ text: String) {
        guard text.utf8.count <= Self.lengthLimit, Self.isToken(text) else { return nil }
        digest = SHA256.digest(of: text)
        isShort = text.utf8.count < Self.safeLength
    }

    /// In a time that says nothing about how much of `text` is right: digests are compared, in constant time.
    package func matches(_ text: String) -> Bool {
        constantTimeEquals(SHA256.digest(of: text).bytes.span.bytes, digest.bytes.span.bytes)
    }

    static func isToken(_ text: String) -> Bool {
        let body = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        return !body.isEmpty
            && body.allSatisfy {
                PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
            }
    }
}

extension AccessToken: CustomStringConvertible {
    package var description: String { "(a token)" }
}

/// A text that no description or mirror shows.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    package let text: String

    /// nil for more than 4,096 bytes, or characters that are not visible.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 4096, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return nil
        }
        self.text = text
    }

    package var description: String { "(not shown)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
