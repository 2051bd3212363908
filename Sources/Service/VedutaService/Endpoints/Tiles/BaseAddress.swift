import Bytes
import HTTPMessage
import Reactor
import ServiceConfiguration

/// The address at which a client reached the service, for documents with whole addresses.
///
/// `--public-url` tells it for all; otherwise `Host`, or a trusted proxy by the first entry of `X-Forwarded-Proto` and
/// `X-Forwarded-Host`: where several proxies add entries, it is what the client asked for, and unlike addresses of clients, hosts
/// do not tell which proxy wrote them. What is no host name or address is not repeated.
struct BaseAddress: Equatable, Sendable {
    struct Rules: Sendable {
        var publicURL: PublicURL?
        var trustedProxies = TrustedProxies.none
    }

    private static let lengthLimit = 255

    /// Without a slash at the end; empty where nothing is known, so that addresses begin with a path.
    let text: String
    let isForwarded: Bool
    /// The fields that decide it; may be empty.
    let vary: String

    init(_ head: RequestHead, from peer: SocketAddress?, _ rules: Rules) {
        if let publicURL = rules.publicURL {
            (text, isForwarded, vary) = (publicURL.text, false, "")
            return
        }
        vary = rules.trustedProxies.isEmpty ? "" : "X-Forwarded-Proto, X-Forwarded-Host"
        let fields = head.fields
        let isTrusted = rules.trustedProxies.contains(peer)
        isForwarded = isTrusted && (fields.contains("X-Forwarded-Host") || fields.contains("X-Forwarded-Proto"))
        // The first entry is the nearest to the client.
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
                PercentEncoding.isUnreserved(byte) && byte != UInt8(ascii: "~") || ":[]".utf8.contains(byte)
            }
    }
}
