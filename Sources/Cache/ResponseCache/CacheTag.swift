package import Digest

/// Groups the responses of one asset, so that they can be purged together: 64 bits of the digest of its name.
package struct CacheTag: Hashable, Sendable {
    package let word: UInt64

    package init(word: UInt64) { self.word = word }

    package init(_ digest: Digest256) { word = digest.leadingWord }

    /// For the asset with this id, decoded.
    package init(assetID: String) { self.init(SHA256.digest(of: assetID)) }

    /// For a map, which has no source to purge by name; `canonical` is its request.
    package init(map canonical: String) { self.init(card: "map", canonical) }

    /// For an image that a request describes; `kind` is a part of its path.
    package init(card kind: String, _ canonical: String) {
        var hash = SHA256()
        // No asset id begins like this, so these and assets share no tags.
        hash.update("/\(kind)?")
        hash.update(canonical)
        self.init(hash.digest())
    }

    package var hex: String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
