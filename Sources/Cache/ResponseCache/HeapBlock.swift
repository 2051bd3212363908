/// What glibc's malloc takes for a request: 8 bytes more, rounded up to 16, and no less than 32.
enum HeapBlock {
    private static let headerByteCount = 8
    private static let granule = 16
    /// In front of the elements of an array and of the text of a string.
    private static let objectHeaderByteCount = 32
    /// A string of at most this many bytes needs no memory.
    private static let inlineStringByteCount = 15

    /// A `StoredResponse`, a `SharedBytes` and what its closure holds, by their sizes on 64-bit platforms.
    static let ofObjects = byteCount(160) + byteCount(56) + byteCount(24)

    /// The bytes that a block of `count` bytes takes.
    static func byteCount(_ count: Int) -> Int {
        if count <= 0 { return 0 }
        return max((count + headerByteCount + granule - 1) / granule * granule, 2 * granule)
    }

    /// The bytes that the elements of an array of bytes take.
    static func ofArray(_ capacity: Int) -> Int {
        capacity == 0 ? 0 : byteCount(objectHeaderByteCount + capacity)
    }

    /// The bytes that a string takes beside itself. One that is a literal takes none, which cannot be told.
    static func ofString(_ text: String) -> Int {
        let count = text.utf8.count
        return count <= inlineStringByteCount ? 0 : byteCount(objectHeaderByteCount + count + 1)
    }
}
