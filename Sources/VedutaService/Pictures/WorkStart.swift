import Reactor
import Synchronization

/// When a worker began with a picture; any thread.
final class WorkStart: Sendable {
    private let nanoseconds = Atomic<Int64>(0)

    /// nil: it has not, or has stopped to wait for its turn.
    var instant: MonotonicInstant? {
        let value = nanoseconds.load(ordering: .acquiring)
        return value == 0 ? nil : MonotonicInstant(nanoseconds: value)
    }

    func set(_ instant: MonotonicInstant) { nanoseconds.store(instant.nanoseconds, ordering: .releasing) }

    func clear() { nanoseconds.store(0, ordering: .releasing) }
}
