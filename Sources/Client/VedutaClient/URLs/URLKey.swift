import Bytes
import Foundation

/// A key that signs URLs for a server with `VEDUTA_KEYS`. Keep it where users cannot read it: whoever has it can sign anything.
public struct URLKey: Sendable, Hashable {
    /// The name of the key, which signatures show.
    public let id: String
    private let secret: Data

    /// Reads `id:secret` as in `VEDUTA_KEYS`: a name of up to 32 letters, digits, `-` and `_`, and 32 to 256 bytes in base64.
    public init(_ text: String) throws(VedutaError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let digits = parts.count == 2 ? parts[1].replacing("+", with: "-").replacing("/", with: "_") : ""
        guard parts.count == 2, (1...32).contains(parts[0].utf8.count), parts[0].utf8.allSatisfy(Self.isNameByte),
            let secret = Base64.bytes(digits.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed(), .url),
            (32...256).contains(secret.count)
        else {
            // The value is a secret, so the fault does not repeat it.
            let message = "The key must be id:secret, with a secret of 32 to 256 bytes in base64."
            throw .invalidURL([Fault(parameter: "", value: "", message: message)])
        }
        id = String(parts[0])
        self.secret = Data(secret)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(ASCII.lowercased(byte))
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    /// `expires` and `sig` of the text `message`, which its end follows in a line of its own.
    func credentials(of message: String, until end: Date?) -> String {
        let expires = end.map { String(Int(held: $0.timeIntervalSince1970.rounded(.up), in: 0...253_402_300_799)) }
        let code = SHA256.authenticationCode(of: Data("\(message)\n\(expires ?? "")".utf8), key: secret)
        return (expires.map { "expires=\($0)&" } ?? "") + "sig=\(id).\(Data(code).base64URL)"
    }
}

extension URLKey: CustomStringConvertible, CustomReflectable {
    /// The name alone.
    public var description: String { "\(id):(not shown)" }
    /// Nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Data {
    /// In the alphabet for URLs (RFC 4648 §5), without padding.
    var base64URL: String {
        let text = base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        return String(text.prefix { $0 != "=" })
    }
}
