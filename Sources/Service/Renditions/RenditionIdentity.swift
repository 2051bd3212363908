package import Digest
package import HTTPMessage
package import HTTPServer
package import ResponseCache

/// What decides the bytes of every rendition beside its request and its source, the same for the life of the process: every
/// key and entity tag begins with it.
package final class RenditionFingerprint: Sendable {
    fileprivate let hash: SHA256

    /// Takes in `texts` and `lists`, in order; each one changes it.
    package init(_ texts: [String], lists: [[String]]) {
        var hash = SHA256()
        for text in texts { hash.update(field: text) }
        for list in lists {
            hash.update(UInt64(list.count))
            for line in list { hash.update(field: line) }
        }
        self.hash = hash
    }

    /// The digest of it and `fields`.
    package func digest(with fields: [String] = []) -> Digest256 {
        var hash = hash
        for field in fields { hash.update(field: field) }
        return hash.digest()
    }
}

/// What a rendition is known by: its key in the cache and its entity tag.
package final class RenditionIdentity: Sendable {
    /// The state of the sources.
    package let validator: SourceValidator
    /// Whether it is shown instead of the one that was asked for.
    package let isFallback: Bool
    package let key: CacheKey
    /// Strong: 128 bits of the digest.
    package let entityTag: EntityTag?
    /// The field lines of every answer with it; 304 sends these alone, and those of the policy.
    package let fields: FieldLines

    init(_ validator: SourceValidator, digest: Digest256, vary: String) {
        self.validator = validator
        isFallback = validator.isFallback
        key = CacheKey(digest)
        entityTag = EntityTag(opaque: digest.base64URL(byteCount: 16))
        var fields = FieldLines()
        // Preconditions speak of the rendition that is missing, so a fallback gives no validator to anybody.
        if !isFallback, let entityTag { fields.append(.entityTag, entityTag) }
        if let lastModified = validator.lastModified { fields.append(.lastModified, date: lastModified) }
        if !vary.isEmpty { fields.append(.vary, vary) }
        self.fields = fields
    }
}
