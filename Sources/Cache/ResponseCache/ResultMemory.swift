package import Bytes
import Synchronization

/// Counts the bytes of results that live: in a cache, or until connections have sent them. A result that many clients are sent
/// counts once.
package final class ResultMemory: Sendable {
    private let byteLimit: Int
    private let held = Atomic<Int>(0)

    package init(byteLimit: Int) { self.byteLimit = byteLimit }

    package var byteCount: Int { held.load(ordering: .relaxed) }

    /// Whether nothing more is to be made until some have gone. Those being made may go beyond the limit.
    package var isFull: Bool { byteCount > byteLimit }

    /// Negative beyond the limit.
    package var freeByteCount: Int { byteLimit - byteCount }

    /// `content`, which counts until its last reference goes.
    package func counted(_ content: SharedBytes) -> SharedBytes {
        let count = content.count
        held.add(count, ordering: .relaxed)
        guard count > 0 else { return content }
        return content.onRelease(counting: true) { [self] in held.subtract(count, ordering: .relaxed) }
    }

    /// Counts what ``discount(_:)`` takes away again.
    package func count(_ byteCount: Int) { held.add(byteCount, ordering: .relaxed) }
    package func discount(_ byteCount: Int) { held.subtract(byteCount, ordering: .relaxed) }
}
