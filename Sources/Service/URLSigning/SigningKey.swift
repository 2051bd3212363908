import Bytes
import Digest

/// A secret that signs URLs, with the name by which a signature says which key made it.
package struct SigningKey: Sendable, Equatable {
    /// Up to 32 letters, digits, `-` and `_`.
    package let id: String
    private let secret: [UInt8]

    /// The least bytes of a secret: as many as the code has, below which the key is the weaker part (RFC 2104 §3).
    package static let leastByteCount = 32
    static let byteLimit = 256
    static let idLimit = 32

    /// What `init(text:)` takes.
    package static let allowed =
        "id:key, with an id of up to \(idLimit) letters, digits, - and _, and a key of \(leastByteCount) to \(byteLimit) bytes in base64; `openssl rand -base64 32` makes one"

    /// Reads `id:secret`, where the secret is in base64 or base64url, padded or not.
    package init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, Self.isID(parts[0]), let secret = Self.bytes(parts[1]),
            (Self.leastByteCount...Self.byteLimit).contains(secret.count)
        else { return nil }
        id = String(parts[0])
        self.secret = secret
    }

    /// HMAC-SHA256 (RFC 2104) of `message`.
    func code(of message: String) -> Digest256 { HMAC.sha256(Array(message.utf8), key: secret) }

    /// Tells this secret from another under the same id, where answers are kept: no text that is signed begins like this one.
    package var tag: String { code(of: "veduta-key-tag-1").base64URL(byteCount: 8) }

    static func isID(_ text: Substring) -> Bool {
        (1...idLimit).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        guard text.utf8.count <= byteLimit * 4 / 3 + 4 else { return nil }
        var digits = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        while digits.last == UInt8(ascii: "=") { digits.removeLast() }
        return Base64.bytes(digits, .url)
    }
}

extension SigningKey: CustomStringConvertible, CustomReflectable {
    /// The name alone.
    package var description: String { "\(id):(not shown)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The keys of a server: each signature names its own, so that an old key can stay while a new one is rolled out.
package struct SigningKeys: Sendable, Equatable {
    private let keys: [SigningKey]

    package static let countLimit = 8

    /// Nil without a key, with more than ``countLimit``, or with two of one id.
    package init?(_ keys: [SigningKey]) {
        guard (1...Self.countLimit).contains(keys.count), Set(keys.map(\.id)).count == keys.count else { return nil }
        self.keys = keys
    }

    /// The key that signs: the first.
    package var current: SigningKey { keys[0] }

    package var count: Int { keys.count }

    package subscript(id: Substring) -> SigningKey? { keys.first { $0.id == id } }
}
