import Bytes

/// Paths of assets in their one spelling, which signatures cover.
package enum AssetAddress {
    package static let original = "/original"
    package static let pages = "/pages"
    package static let focus = "/focus"

    /// `/assets/…` with the slashes of the id as they are, but for the one before a last part that would make it the path of
    /// something of another asset: `/assets/a/b.jpg`, `/assets/a%2Foriginal`.
    package static func path(_ id: String) -> String {
        let text = PercentEncoding.encoded(id, keeping: "/")
        // Escaped text is ASCII.
        guard let part = [original, pages, focus].first(where: { text.hasSuffix($0) }) else { return "/assets/" + text }
        return "/assets/\(text.dropLast(part.count))%2F\(part.dropFirst())"
    }
}
