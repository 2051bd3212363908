import HTTPMessage

/// The address under which a client reached the service, for documents that have to name whole addresses.
///
/// `Host` says it, or a proxy before the service: `X-Forwarded-Proto` and `X-Forwarded-Host`. What is no name or address of a
/// host is not repeated.
struct BaseAddress: Equatable, Sendable {
    /// What decides it, beside the address that was asked for.
    static let vary = "X-Forwarded-Proto, X-Forwarded-Host"
    private static let lengthLimit = 255

    /// `https://maps.example.org`, without a slash at the end; empty when nothing is known: then addresses begin with a path.
    let text: String

    /// Whether fields of a proxy say it, which any client may send.
    let isForwarded: Bool

    init(_ head: RequestHead) {
        let fields = head.fields
        isForwarded = fields.contains("X-Forwarded-Host") || fields.contains("X-Forwarded-Proto")
        // The first entry is the one nearest to the client.
        func forwarded(_ name: FieldName) -> String? {
            fields.first(name)?.split(separator: ",").first.map { String($0.filter { $0 != " " }) }
        }
        let scheme = forwarded("X-Forwarded-Proto").map { $0.lowercased() }
        let host = [forwarded("X-Forwarded-Host"), head.authority].compactMap { $0 }.first(where: Self.isHost)
        text = host.map { (scheme == "https" ? "https://" : "http://") + $0 } ?? ""
    }

    private static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= lengthLimit
            && text.utf8.allSatisfy { octet in
                switch octet {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }
}
