import Synchronization

/// Purged tags whose entries could not all be removed: until they are, none is found.
final class WithheldTags: Sendable {
    private struct State {
        var isWhole = false
        var tags: Set<UInt64> = []
        var additionCount = 0
    }

    /// Beyond this many tags everything is withheld.
    private static let tagLimit = 4096
    private let isUp = Atomic<Bool>(false)
    private let state = Mutex(State())

    func contains(_ tag: UInt64) -> Bool {
        guard isUp.load(ordering: .acquiring) else { return false }
        return state.withLock { $0.isWhole || $0.tags.contains(tag) }
    }

    var isEmpty: Bool { !isUp.load(ordering: .acquiring) }

    func add(_ tag: UInt64?) {
        state.withLock { state in
            state.additionCount += 1
            if let tag, state.tags.count < Self.tagLimit { state.tags.insert(tag) } else { state.isWhole = true }
            isUp.store(true, ordering: .releasing)
        }
    }

    var held: Held { state.withLock { Held(tags: $0.isWhole ? nil : Array($0.tags), additionCount: $0.additionCount) } }

    /// Releases what has been removed. If anything was added meanwhile, all of it stays withheld.
    func release(_ held: Held) {
        state.withLock { state in
            guard state.additionCount == held.additionCount else { return }
            state = State(additionCount: state.additionCount)
            isUp.store(false, ordering: .releasing)
        }
    }

    struct Held {
        /// Nil for everything.
        let tags: [UInt64]?
        fileprivate let additionCount: Int
    }
}
