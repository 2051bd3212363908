import HTTPMessage
import Reactor
import ServiceConfiguration

/// The address under which a client reached the service, for documents that have to name whole addresses.
///
/// `--public-url` says it for all. Without it `Host` does, or a trusted proxy before the service: `X-Forwarded-Proto` and
/// `X-Forwarded-Host`, of which the first entry counts. What is no name or address of a host is not repeated.
struct BaseAddress: Equatable, Sendable {
    /// What the configuration says of it.
    struct Rules: Sendable {
        var publicURL: PublicURL?
        var trustedProxies = TrustedProxies.none
    }

    private static let lengthLimit = 255

    /// `https://maps.example.org`, without a slash at the end; empty when nothing is known: then addresses begin with a path.
    let text: String
    /// Whether fields of a proxy say it.
    let isForwarded: Bool
    /// The fields that decide it, beside the address that was asked for; empty where none do.
    let vary: String

    /// What a request with this head, sent by `peer`, is told.
    init(_ head: RequestHead, from peer: SocketAddress?, _ rules: Rules) {
        if let publicURL = rules.publicURL {
            (text, isForwarded, vary) = (publicURL.text, false, "")
            return
        }
        vary = rules.trustedProxies.isEmpty ? "" : "X-Forwarded-Proto, X-Forwarded-Host"
        let fields = head.fields
        let isTrusted = rules.trustedProxies.contains(peer)
        isForwarded = isTrusted && (fields.contains("X-Forwarded-Host") || fields.contains("X-Forwarded-Proto"))
        // The first entry is the one nearest to the client.
        func forwarded(_ name: FieldName) -> String? {
            guard isTrusted else { return nil }
            return fields.first(name)?.split(separator: ",").first.map { String($0.filter { $0 != " " }) }
        }
        let scheme = forwarded("X-Forwarded-Proto").map { $0.lowercased() }
        let host = [forwarded("X-Forwarded-Host"), head.authority].compactMap { $0 }.first(where: Self.isHost)
        text = host.map { (scheme == "https" ? "https://" : "http://") + $0 } ?? ""
    }

    private static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= lengthLimit
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }
}
