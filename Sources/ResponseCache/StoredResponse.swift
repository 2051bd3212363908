package import Bytes
package import Digest

/// Names one representation: the digest of all that decides its octets (source validator, canonical plan, negotiated
/// format, versions). A changed source makes another key, so old entries are never found again.
package struct CacheKey: Hashable, Sendable {
    /// The digest that makes the key.
    package let digest: Digest256

    /// The key for `digest`.
    package init(_ digest: Digest256) {
        self.digest = digest
    }
}

/// An answer as it is kept: everything a hit needs, formatted when it was stored, so that writing it allocates nothing.
///
/// Immutable and shared: a hit costs one reference count, and an answer being sent outlives its eviction.
package final class StoredResponse: Sendable {
    /// What an entry takes beside its content, head and texts: slot, index, objects, allocator. Measured, rounded up.
    package static let overheadByteCount = 512

    /// The status code.
    package let status: Int
    /// The media type of the content.
    package let mediaType: String
    /// The entity tag as it stands in the field, with its quotes.
    package let entityTag: String
    /// The time for `Last-Modified` in seconds since 1970; nil leaves the field out.
    package let lastModifiedUnixSeconds: Int64?
    /// Octets of the response head that are the same for every hit, ready to be sent; what varies (`Date`, `Connection`,
    /// request id) the server adds.
    package let head: [UInt8]
    /// The content.
    package let content: SharedBytes

    /// Keeps an answer; `head` may be empty if the server formats it each time.
    package init(
        status: Int = 200, mediaType: String, entityTag: String, lastModifiedUnixSeconds: Int64? = nil,
        head: [UInt8] = [], content: SharedBytes
    ) {
        self.status = status
        self.mediaType = mediaType
        self.entityTag = entityTag
        self.lastModifiedUnixSeconds = lastModifiedUnixSeconds
        self.head = head
        self.content = content
    }

    /// What the entry counts for in a cache: its octets and the overhead.
    package var byteCount: Int {
        content.count + head.count + mediaType.utf8.count + entityTag.utf8.count + Self.overheadByteCount
    }
}
