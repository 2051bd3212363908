import Renditions

extension RenditionKind {
    /// Of a file of the library, which may change.
    static let asset = RenditionKind(0, tagPrefix: "asset")
    /// Of content that its id names by digest: it can never be another.
    static let namedContent = RenditionKind(1, tagPrefix: "asset")
    /// A map, whose sources stay open for the life of the service.
    static let map = RenditionKind(2, tagPrefix: "map")

    /// The kind of an asset with this id: `~` and 43 characters of base64url name the content itself.
    static func asset(_ id: String) -> RenditionKind {
        let isDigest =
            id.utf8.count == 44 && id.utf8.first == UInt8(ascii: "~")
            && id.utf8.dropFirst().allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        return isDigest ? .namedContent : .asset
    }
}
