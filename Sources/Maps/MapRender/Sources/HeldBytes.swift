/// Counts the bytes of what one map holds of its tiles until it ends. Belongs to one thread.
final class HeldBytes {
    private let limit: Int
    private(set) var byteCount = 0

    init(limit: Int = MapEngine.heldByteLimit) { self.limit = limit }

    /// Throws ``MapError/tilesTooLarge(byteLimit:)``.
    func add(_ count: Int) throws(MapError) {
        byteCount += max(0, count)
        if byteCount > limit { throw .tilesTooLarge(byteLimit: limit) }
    }
}
