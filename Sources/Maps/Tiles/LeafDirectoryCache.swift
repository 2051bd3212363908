import Synchronization

/// Leaf directories by offset, bounded in entries, first in, first out: leaves follow the Hilbert curve, so one serves a
/// neighbourhood, and reloading costs under a millisecond. The lock is never held across reading or parsing.
final class LeafDirectoryCache: Sendable {
    private struct State {
        var directories: [UInt64: PMTilesDirectory] = [:]
        var order: [UInt64] = []
        var entryCount = 0
    }

    private let state = Mutex(State())
    private let entryLimit: Int

    /// `entryLimit`: entries of 24 bytes, over all directories.
    init(entryLimit: Int) { self.entryLimit = entryLimit }
    func directory(at offset: UInt64) -> PMTilesDirectory? { state.withLock { $0.directories[offset] } }

    func insert(_ directory: PMTilesDirectory, at offset: UInt64) {
        guard directory.entries.count <= entryLimit else { return }
        state.withLock { state in
            guard state.directories[offset] == nil else { return }
            state.directories[offset] = directory
            state.order.append(offset)
            // One entry more a directory stands for the dictionary's own memory, so that empty leaves are bounded too.
            state.entryCount += directory.entries.count + 1
            while state.entryCount > entryLimit, state.order.count > 1 {
                let oldest = state.order.removeFirst()
                guard let dropped = state.directories.removeValue(forKey: oldest) else { continue }
                state.entryCount -= dropped.entries.count + 1
            }
        }
    }
}
