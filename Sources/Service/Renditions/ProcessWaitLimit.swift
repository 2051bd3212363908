import Synchronization

/// How many workers may wait for another process that renders the same, and for how long. One worker is always left for
/// renditions that nobody else makes; where there is but one, it does not wait.
final class ProcessWaitLimit: Sendable {
    /// How often the lock of the other process is tried.
    static let pollInterval = Duration.milliseconds(5)
    /// How many times at most: ten seconds. The lock of a process that has died is free at once.
    static let pollLimit = 2000

    private let waitingLimit: Int
    private let waiting = Atomic<Int>(0)

    init(workerCount: Int) {
        waitingLimit = max(0, workerCount - 1)
    }

    /// Whether the caller may wait; then it calls `end`.
    func begin() -> Bool {
        if waiting.add(1, ordering: .relaxed).newValue <= waitingLimit { return true }
        waiting.subtract(1, ordering: .relaxed)
        return false
    }

    func end() { waiting.subtract(1, ordering: .relaxed) }
}
