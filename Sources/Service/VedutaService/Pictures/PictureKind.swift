/// What decides which fields the policy gives a picture.
enum PictureKind: Sendable {
    /// Of a file of the library, which may change.
    case asset
    /// Of content that its id names by digest: it can never be another.
    case namedContent
    /// A map, whose archive stays open for the life of the service.
    case map

    /// The kind of an asset with this id: `~` and 43 characters of base64url name the content itself.
    init(assetID id: String) {
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
        self = isDigest ? .namedContent : .asset
    }
}
