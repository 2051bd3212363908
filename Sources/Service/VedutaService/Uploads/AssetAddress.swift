import Bytes

/// Where an asset is: its id in the path of a URL.
enum AssetAddress {
    /// `/assets/…`, where the slashes of the id stand for themselves.
    static func path(_ id: String) -> String { "/assets/" + PercentEncoding.encoded(id, keeping: "/") }
}
