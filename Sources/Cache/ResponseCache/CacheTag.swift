package import Digest

/// Groups the pictures of one asset, so that they can be purged together: 64 bits of the digest of what names it.
package struct CacheTag: Hashable, Sendable {
    package let word: UInt64

    package init(word: UInt64) {
        self.word = word
    }

    /// The tag of the asset whose name has this digest.
    package init(_ digest: Digest256) {
        word = digest.leadingWord
    }

    /// The tag of all pictures of the asset with this id, as its parameter reads after decoding.
    package init(assetID: String) {
        self.init(SHA256.digest(of: assetID))
    }

    /// The tag of the map of this canonical request, which has no source that could be purged by name.
    package init(map canonical: String) {
        var hash = SHA256()
        // No id of an asset begins with this, so a map shares no tag with one.
        hash.update("/map?")
        hash.update(canonical)
        self.init(hash.digest())
    }

    /// The tag as 16 lower-case hexadecimal digits.
    package var hex: String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
