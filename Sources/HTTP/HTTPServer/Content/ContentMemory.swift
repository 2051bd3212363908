import Synchronization

/// Bounds the content that all connections together hold in memory, beyond the buffer that each of them may fill anyway.
package final class ContentMemory: Sendable {
    private let byteLimit: Int
    private let taken = Atomic<Int>(0)

    package init(byteLimit: Int) { self.byteLimit = byteLimit }
    package var byteCount: Int { taken.load(ordering: .relaxed) }

    fileprivate func take(_ count: Int) -> Bool {
        if taken.wrappingAdd(count, ordering: .relaxed).newValue <= byteLimit { return true }
        giveBack(count)
        return false
    }

    fileprivate func giveBack(_ count: Int) { _ = taken.wrappingSubtract(count, ordering: .relaxed) }

    /// The part of one request; given back with its last reference.
    final class Share: Sendable {
        private let memory: ContentMemory
        private let taken = Atomic<Int>(0)

        init(_ memory: ContentMemory) { self.memory = memory }
        deinit { memory.giveBack(taken.load(ordering: .relaxed)) }

        func grow(to byteCount: Int) -> Bool {
            let missing = byteCount - taken.load(ordering: .relaxed)
            guard missing > 0 else { return true }
            guard memory.take(missing) else { return false }
            taken.store(byteCount, ordering: .relaxed)
            return true
        }
    }
}
