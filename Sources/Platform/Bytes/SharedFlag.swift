import Synchronization

/// A flag that goes up once and is read from any thread without a lock.
package final class SharedFlag: Sendable {
    private let flag = Atomic(false)

    package init() {}

    /// Whether it is up. What the raising thread did before is seen by who sees the flag up.
    package var isSet: Bool { flag.load(ordering: .acquiring) }

    package func set() { flag.store(true, ordering: .releasing) }
}
