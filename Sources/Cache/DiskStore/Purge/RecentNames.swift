import Synchronization

/// After a purge by another process, entries that this process stored since then are removed; entries of others stay.
final class RecentNames: Sendable {
    private struct State {
        var names: [EntryName] = []
        var starts: [Int] = []
        /// For how many looks names are missing, as there were too many.
        var incompleteLookCount = 0
    }

    /// A purge is logged after its files were listed, which may take seconds: names are kept for this many looks.
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

    /// The names of the last looks and since; nil if there were too many.
    var names: [EntryName]? { state.withLock { $0.incompleteLookCount > 0 ? nil : $0.names } }

    /// All logged purges have been applied: older names may be forgotten.
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
