import Synchronization

package final class SharedFlag: Sendable {
    private let flag = Atomic(false)

    package init() {}

    /// Whoever sees it set also sees what the setting thread did before.
    package var isSet: Bool { flag.load(ordering: .acquiring) }
    package func set() { flag.store(true, ordering: .releasing) }
}
