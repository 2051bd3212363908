package import Digest
package import HTTPMessage
package import HTTPServer
package import ResponseCache

/// What decides the bytes of every rendition besides its request and its source, for the life of the process: every key
/// and entity tag begins with it.
package final class RenditionFingerprint: Sendable {
    fileprivate let hash: SHA256

    /// Each text and list changes it.
    package init(_ texts: [String], lists: [[String]]) {
        var hash = SHA256()
        for text in texts { hash.update(field: text) }
        for list in lists {
            hash.update(UInt64(list.count))
            for line in list { hash.update(field: line) }
        }
        self.hash = hash
    }

    package func digest(with fields: [String] = []) -> Digest256 {
        var hash = hash
        for field in fields { hash.update(field: field) }
        return hash.digest()
    }
}

package final class RenditionIdentity: Sendable {
    package let validator: SourceValidator
    /// Whether it is shown in place of another one.
    package let isFallback: Bool
    package let key: CacheKey
    /// Strong: 128 bits of the digest.
    package let entityTag: EntityTag?
    /// For every answer with it; 304 sends these alone, and those of the policy.
    package let fields: FieldLines

    init(_ validator: SourceValidator, digest: Digest256, vary: String) {
        self.validator = validator
        isFallback = validator.isFallback
        key = CacheKey(digest)
        entityTag = EntityTag(opaque: digest.base64URL(byteCount: 16))
        var fields = FieldLines()
        // Preconditions are about the missing rendition, so a fallback gives no validator to anybody.
        if !isFallback, let entityTag { fields.append(.entityTag, entityTag) }
        if let lastModified = validator.lastModified { fields.append(.lastModified, date: lastModified) }
        if !vary.isEmpty { fields.append(.vary, vary) }
        self.fields = fields
    }
}
