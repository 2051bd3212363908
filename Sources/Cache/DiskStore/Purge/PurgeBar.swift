import Synchronization

/// Tags whose entries could not all be removed when they were purged: nothing of them is given out until they are.
final class PurgeBar: Sendable {
    private struct State {
        var isWhole = false
        var tags: Set<UInt64> = []
        var putCount = 0
    }

    /// Beyond so many tags, everything is kept back.
    private static let tagLimit = 4096
    private let isUp = Atomic<Bool>(false)
    private let state = Mutex(State())

    /// Whether nothing with `tag` may be given out. An atomic read in the usual case.
    func holds(_ tag: UInt64) -> Bool {
        guard isUp.load(ordering: .acquiring) else { return false }
        return state.withLock { $0.isWhole || $0.tags.contains(tag) }
    }

    /// Whether nothing is held back.
    var isEmpty: Bool { !isUp.load(ordering: .acquiring) }

    /// Holds `tag` back, or everything when nil.
    func put(_ tag: UInt64?) {
        state.withLock { state in
            state.putCount += 1
            if let tag, state.tags.count < Self.tagLimit { state.tags.insert(tag) } else { state.isWhole = true }
            isUp.store(true, ordering: .releasing)
        }
    }

    /// What is held back, and how often something was put to it.
    var held: Held {
        state.withLock { Held(tags: $0.isWhole ? nil : Array($0.tags), putCount: $0.putCount) }
    }

    /// What was held has been removed. What was put to it meanwhile has not: then all of it stays held.
    func lift(_ held: Held) {
        state.withLock { state in
            guard state.putCount == held.putCount else { return }
            state = State(putCount: state.putCount)
            isUp.store(false, ordering: .releasing)
        }
    }

    /// What is held back at some time.
    struct Held {
        /// Nil for everything.
        let tags: [UInt64]?
        fileprivate let putCount: Int
    }
}
