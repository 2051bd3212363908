package import Bytes
package import Digest
import DiskStore

/// The digest of all that decides the bytes: source, plan, format, versions. Old entries are never found again.
package struct CacheKey: Hashable, Sendable {
    package let digest: Digest256

    package init(_ digest: Digest256) { self.digest = digest }
}

/// Formatted beforehand and shared: a hit allocates nothing, and a response being sent outlives its eviction.
package final class StoredResponse: Sendable {
    package let status: Int
    package let mediaType: String
    package let entityTag: String
    /// For `Last-Modified`, in seconds since 1970.
    package let lastModifiedUnixSeconds: Int64?
    /// The part of the head that is the same for every hit; the server adds `Date`, `Connection` and the request id.
    package let head: [UInt8]
    package let content: SharedBytes
    /// The group that it is stored in and purged with.
    package let tag: CacheTag
    /// Further groups that it is purged with: those of other things that it is made of.
    package let furtherTags: [CacheTag]
    /// The time that making it took, in millionths of a second; every hit saves it.
    package let costMicroseconds: UInt64
    package let storedUnixSeconds: Int64
    /// Memory besides the content, with objects and allocator; an estimate for heaps other than glibc's.
    let overheadByteCount: Int

    /// `head` may be empty if the server formats it each time.
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
        costMicroseconds = cost.wholeMicroseconds
        self.storedUnixSeconds = storedUnixSeconds
        overheadByteCount =
            HeapBlock.ofArray(head.isEmpty ? 0 : head.capacity) + HeapBlock.ofString(mediaType)
            + HeapBlock.ofString(entityTag) + HeapBlock.ofArray(8 * furtherTags.count) + HeapBlock.ofObjects
    }

    /// Whether a purge of `tag` removes it.
    func belongs(to tag: CacheTag) -> Bool { self.tag == tag || furtherTags.contains(tag) }

    package var byteCount: Int { HeapBlock.byteCount(content.count) + overheadByteCount }

    package func with(_ content: SharedBytes) -> StoredResponse {
        StoredResponse(
            status: status, mediaType: mediaType, entityTag: entityTag,
            lastModifiedUnixSeconds: lastModifiedUnixSeconds, head: head, content: content, tag: tag,
            furtherTags: furtherTags, cost: cost, storedUnixSeconds: storedUnixSeconds)
    }

    package var cost: Duration { .microseconds(Int64(clamping: costMicroseconds)) }
}
