import Synchronization

/// The entries that this process stored lately. When another one purges, it removes what it sees. What this one stored
/// between that and the moment in which it reads of the purge, it removes itself, and nothing else: what others have stored
/// since the purge is good.
final class RecentNames: Sendable {
    private struct State {
        var names: [EntryName] = []
        /// Where the names of each of the last looks begin.
        var starts: [Int] = []
        /// For how many more looks some names are missing, as there were too many.
        var incompleteLookCount = 0
    }

    /// A purge is logged after the files were listed, and that may take some seconds: names are kept for this many looks.
    private static let lookCount = 8
    private static let limit = 16_384
    private let state = Mutex(State())

    func add(_ name: EntryName) {
        state.withLock { state in
            if state.names.count < Self.limit {
                state.names.append(name)
            } else {
                state.incompleteLookCount = Self.lookCount + 1
            }
        }
    }

    /// The names of the last looks and since, or nil if there were too many to keep.
    var names: [EntryName]? { state.withLock { $0.incompleteLookCount > 0 ? nil : $0.names } }

    /// All purges that were logged have been applied: names from long before may be forgotten.
    func looked() {
        state.withLock { state in
            state.starts.append(state.names.count)
            state.incompleteLookCount = max(state.incompleteLookCount - 1, 0)
            guard state.starts.count > Self.lookCount else { return }
            let oldest = state.starts.removeFirst()
            state.names.removeFirst(oldest)
            for index in state.starts.indices { state.starts[index] -= oldest }
        }
    }
}
