import Digest

/// The token that lets a client change something. Its digest is all that is kept, so no log, message or memory of a
/// configuration can show it.
package struct AccessToken: Sendable, Equatable {
    private let digest: Digest256

    /// How long a token may be, in characters.
    static let lengthLimit = 1024
    /// Below so many characters the log says that a token can be guessed.
    package static let safeLength = 16

    /// Whether the text was so short that it can be guessed.
    package let isShort: Bool

    /// What `init(_:)` takes.
    static let allowed =
        "letters, digits and - . _ ~ + /, up to \(lengthLimit) characters, with = only at the end; `openssl rand -base64 32` makes one"

    /// Takes a token in the form that a field can carry (`b64token`, RFC 6750 §2.1).
    package init?(_ text: String) {
        guard text.utf8.count <= Self.lengthLimit, Self.isToken(text) else { return nil }
        digest = SHA256.digest(of: text)
        isShort = text.utf8.count < Self.safeLength
    }

    /// Whether `text` is the token, in a time that says nothing about how much of it is right: digests are compared, and
    /// these in constant time.
    package func matches(_ text: String) -> Bool {
        constantTimeEquals(SHA256.digest(of: text).bytes.span.bytes, digest.bytes.span.bytes)
    }

    /// Whether `text` has the form of a token.
    static func isToken(_ text: String) -> Bool {
        let body = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        return !body.isEmpty
            && body.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
    }
}

extension AccessToken: CustomStringConvertible {
    /// That there is one, not which.
    package var description: String { "(a token)" }
}
