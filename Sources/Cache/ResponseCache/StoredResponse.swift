package import Bytes
package import Digest

/// Names one representation: the digest of all that decides its bytes (source validator, canonical plan, negotiated
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
    package let status: Int
    /// The media type of the content.
    package let mediaType: String
    /// The entity tag as it stands in the field, with its quotes.
    package let entityTag: String
    /// The time for `Last-Modified` in seconds since 1970; nil leaves the field out.
    package let lastModifiedUnixSeconds: Int64?
    /// Bytes of the response head that are the same for every hit, ready to be sent; what varies (`Date`, `Connection`,
    /// request id) the server adds.
    package let head: [UInt8]
    package let content: SharedBytes
    /// The group by which it is purged, and in which it is kept.
    package let tag: CacheTag
    /// Other groups with which it is purged as well: those of what it is made of beside its own source.
    package let furtherTags: [CacheTag]
    /// What making it took, in millionths of a second, which every hit saves.
    package let costMicroseconds: UInt64
    /// When it was made, in seconds since 1970.
    package let storedUnixSeconds: Int64
    /// The bytes of memory that it takes beside its content, with what the objects and the allocator take. Where the heap
    /// is another one than glibc's, an estimate.
    let overheadByteCount: Int

    /// Keeps an answer; `head` may be empty if the server formats it each time.
    package init(
        status: Int = 200, mediaType: String, entityTag: String, lastModifiedUnixSeconds: Int64? = nil,
        head: [UInt8] = [], content: SharedBytes, tag: CacheTag = CacheTag(word: 0),
        furtherTags: [CacheTag] = [], cost: Duration = .zero, storedUnixSeconds: Int64 = 0
    ) {
        self.status = status
        self.mediaType = mediaType
        self.entityTag = entityTag
        self.lastModifiedUnixSeconds = lastModifiedUnixSeconds
        self.head = head
        self.content = content
        self.tag = tag
        self.furtherTags = furtherTags
        let (seconds, attoseconds) = cost.components
        costMicroseconds = UInt64(clamping: seconds) &* 1_000_000 &+ UInt64(clamping: attoseconds / 1_000_000_000_000)
        self.storedUnixSeconds = storedUnixSeconds
        overheadByteCount =
            HeapBlock.ofArray(head.isEmpty ? 0 : head.capacity) + HeapBlock.ofString(mediaType)
            + HeapBlock.ofString(entityTag) + HeapBlock.ofArray(8 * furtherTags.count) + HeapBlock.ofObjects
    }

    /// Whether a purge of the group `tag` takes it out.
    func belongs(to tag: CacheTag) -> Bool { self.tag == tag || furtherTags.contains(tag) }

    /// What it counts for in a cache: the bytes of memory that it takes.
    package var byteCount: Int { HeapBlock.byteCount(content.count) + overheadByteCount }

    /// The same answer with its content at another place.
    func with(_ content: SharedBytes) -> StoredResponse {
        StoredResponse(
            status: status, mediaType: mediaType, entityTag: entityTag,
            lastModifiedUnixSeconds: lastModifiedUnixSeconds, head: head, content: content, tag: tag,
            furtherTags: furtherTags, cost: cost, storedUnixSeconds: storedUnixSeconds)
    }

    package var cost: Duration { .microseconds(Int64(clamping: costMicroseconds)) }
}
