/// Heap bytes by the rules of glibc's malloc: 8 bytes more, rounded up to 16, at least 32.
enum HeapBlock {
    private static let headerByteCount = 8
    private static let granule = 16
    /// Precedes the elements of an array and the text of a string.
    private static let objectHeaderByteCount = 32
    /// Strings up to this length need no memory.
    private static let inlineStringByteCount = 15

    /// A `StoredResponse`, two `SharedBytes` (one counts the other, see ``ResultMemory``) and what their closures hold, by their
    /// sizes on 64-bit platforms.
    static let ofObjects = byteCount(160) + 2 * byteCount(56) + byteCount(24) + byteCount(40) + byteCount(32)

    static func byteCount(_ count: Int) -> Int {
        if count <= 0 { return 0 }
        return max((count + headerByteCount + granule - 1) / granule * granule, 2 * granule)
    }

    static func ofArray(_ capacity: Int) -> Int { capacity == 0 ? 0 : byteCount(objectHeaderByteCount + capacity) }

    /// The text of a string. A literal takes none, which cannot be told.
    static func ofString(_ text: String) -> Int {
        let count = text.utf8.count
        return count <= inlineStringByteCount ? 0 : byteCount(objectHeaderByteCount + count + 1)
    }
}
