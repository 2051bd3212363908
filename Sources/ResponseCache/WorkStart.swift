import Reactor
import Synchronization

/// When a worker began with a picture; any thread.
final class WorkStart: Sendable {
    private static let none = Int64.min
    private let nanoseconds = Atomic(WorkStart.none)

    /// nil: it has not, or has stopped to wait for its turn.
    var instant: MonotonicInstant? {
        let value = nanoseconds.load(ordering: .acquiring)
        return value == Self.none ? nil : MonotonicInstant(nanoseconds: value)
    }

    func set(_ instant: MonotonicInstant) { nanoseconds.store(instant.nanoseconds, ordering: .releasing) }

    func clear() { nanoseconds.store(Self.none, ordering: .releasing) }
}
