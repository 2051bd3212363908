import Synchronization

/// Results of `quality=auto` for sources, to save searching again for another size. One per process. Drops the older
/// half when full. Changes no byte: a new search would find the same.
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

    /// An entry takes some 200 bytes.
    package init(capacity: Int = 10_000) { self.capacity = max(2, capacity) }

    /// The memo of one source, named by something that changes with its bytes.
    package func bound(to validator: String) -> BoundQualityMemo {
        BoundQualityMemo(
            lookUp: { [self] in start(for: Key(source: validator, cause: $0)) },
            keep: { [self] in keep($1, for: Key(source: validator, cause: $0)) })
    }

    package var count: Int { state.withLock { $0.young.count + $0.old.count } }
    func start(for key: Key) -> QualityStart? { state.withLock { $0.young[key] ?? $0.old[key] } }

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

/// What is known of one source, by what the search depended on.
package struct BoundQualityMemo: Sendable {
    package let lookUp: @Sendable (_ cause: String) -> QualityStart?
    package let keep: @Sendable (_ cause: String, QualityStart) -> Void

    package init(
        lookUp: @escaping @Sendable (String) -> QualityStart?, keep: @escaping @Sendable (String, QualityStart) -> Void
    ) { (self.lookUp, self.keep) = (lookUp, keep) }

    /// The known start for `cause`, or the result of `find`, which is then kept.
    func start<E: Error>(_ cause: String, find: () throws(E) -> QualityStart) throws(E) -> QualityStart {
        if let known = lookUp(cause) { return known }
        let found = try find()
        keep(cause, found)
        return found
    }
}
