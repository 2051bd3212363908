/// Where an asset is: its id in the path of a URL.
enum AssetAddress {
    /// `/assets/…`, where the slashes of the id stand for themselves.
    static func path(_ id: String) -> String { "/assets/" + encoded(id, keeping: "/") }

    /// `text` as a part of a path or as the value of a parameter: what is not unreserved (RFC 3986 §2.3) and not kept is
    /// escaped.
    static func encoded(_ text: String, keeping kept: String = "") -> String {
        let plain = Set("-._~".utf8).union(kept.utf8)
        var octets: [UInt8] = []
        for octet in text.utf8 {
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                octets.append(octet)
            case _ where plain.contains(octet): octets.append(octet)
            default: octets += [UInt8(ascii: "%"), digit(octet >> 4), digit(octet & 15)]
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}
