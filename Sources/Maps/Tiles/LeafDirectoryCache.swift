import Synchronization

/// Parsed leaf directories by their offset, bounded in entries; the longest held goes first.
///
/// First in, first out is enough: leaves follow the Hilbert curve, so one leaf serves a whole neighbourhood, and a reload
/// costs well under a millisecond. The lock is never held across reading or parsing.
final class LeafDirectoryCache: Sendable {
    private struct State {
        var directories: [UInt64: PMTilesDirectory] = [:]
        var order: [UInt64] = []
        var entryCount = 0
    }

    private let state = Mutex(State())
    private let entryLimit: Int

    /// Holds at most `entryLimit` entries of 24 bytes, counted over all directories.
    init(entryLimit: Int) {
        self.entryLimit = entryLimit
    }

    func directory(at offset: UInt64) -> PMTilesDirectory? {
        state.withLock { $0.directories[offset] }
    }

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
