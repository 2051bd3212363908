import Synchronization

/// Bounds how many of something run at once. Any thread.
package final class CountLimit: Sendable {
    private let most: Int
    private let count = Atomic(0)

    package init(_ most: Int) { self.most = most }

    /// Whether one more may begin; the caller calls `end` then.
    package func begin() -> Bool {
        if count.add(1, ordering: .relaxed).newValue <= most { return true }
        count.subtract(1, ordering: .relaxed)
        return false
    }

    package func end() { count.subtract(1, ordering: .relaxed) }
}
