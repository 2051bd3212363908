package import Reactor
import Synchronization

/// When work on something began; any thread.
package final class WorkStart: Sendable {
    private static let none = Int64.min
    private let nanoseconds = Atomic(WorkStart.none)

    /// Of work that has not begun.
    package init() {}

    /// nil: it has not begun, has stopped to wait for its turn, or is done.
    package var instant: MonotonicInstant? {
        let value = nanoseconds.load(ordering: .acquiring)
        return value == Self.none ? nil : MonotonicInstant(nanoseconds: value)
    }

    package func set(_ instant: MonotonicInstant) { nanoseconds.store(instant.nanoseconds, ordering: .releasing) }

    /// It waits for its turn again, or is done.
    package func clear() { nanoseconds.store(Self.none, ordering: .releasing) }
}
