import Synchronization

package final class SharedFlag: Sendable {
    private let flag = Atomic(false)

    package init() {}

    /// A thread that sees it set also sees everything that the setting thread did before.
    package var isSet: Bool { flag.load(ordering: .acquiring) }
    package func set() { flag.store(true, ordering: .releasing) }
}
