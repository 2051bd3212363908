import Synchronization

/// What was found out lately, by what was asked: up to `limit` answers, which are then forgotten together. Any thread may ask.
final class Memo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let known = Mutex<[Key: Value]>([:])
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Two threads may find out the same at one time.
    func value(_ key: Key, _ find: () -> Value) -> Value {
        if let value = known.withLock({ $0[key] }) { return value }
        let value = find()
        known.withLock { known in
            if known.count >= limit { known.removeAll(keepingCapacity: true) }
            known[key] = value
        }
        return value
    }
}
