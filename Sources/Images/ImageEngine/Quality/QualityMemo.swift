import Synchronization

/// What was found out about sources for `quality=auto`, so that the next size of a picture needs not look for it again.
///
/// One per process. Holds at most `capacity` entries and forgets the older half when it is full. It changes no byte of any
/// picture: what it holds is what would be found again.
package final class QualityMemo: Sendable {
    struct Key: Hashable, Sendable {
        var source: String
        var cause: String
    }

    private struct State {
        var young: [Key: QualityStart] = [:]
        var old: [Key: QualityStart] = [:]
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// Makes an empty memo of at most `capacity` entries, some 200 bytes each.
    package init(capacity: Int = 10_000) {
        self.capacity = max(2, capacity)
    }

    /// The memo for one source, named by what changes when its bytes do.
    package func bound(to validator: String) -> BoundQualityMemo {
        BoundQualityMemo(memo: self, source: validator)
    }

    /// How many entries there are.
    package var count: Int { state.withLock { $0.young.count + $0.old.count } }

    func start(for key: Key) -> QualityStart? {
        state.withLock { $0.young[key] ?? $0.old[key] }
    }

    func keep(_ start: QualityStart, for key: Key) {
        state.withLock { state in
            if state.young.count >= capacity / 2 {
                state.old = state.young
                state.young = [:]
            }
            state.young[key] = start
        }
    }
}

/// What was found out about one source.
package struct BoundQualityMemo: Sendable {
    let memo: QualityMemo
    let source: String

    /// What is kept for `cause`, or else what `find` finds, which is then kept.
    func start<E: Error>(_ cause: String, find: () throws(E) -> QualityStart) throws(E) -> QualityStart {
        let key = QualityMemo.Key(source: source, cause: cause)
        if let known = memo.start(for: key) { return known }
        let found = try find()
        memo.keep(found, for: key)
        return found
    }
}
