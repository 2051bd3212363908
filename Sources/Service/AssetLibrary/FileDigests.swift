import Digest
import Synchronization

/// Digests of files, each kept for the state of its file, so that an unchanged file is not read again.
///
/// The state is number, size and times. They stay in here: what others are told of a file depends on content, size and
/// time of modification alone, which are the same on every replica.
final class FileDigests: Sendable {
    private struct Key: Hashable {
        let device: UInt64
        let number: UInt64
    }

    private struct Entry {
        let status: FileStatus
        let digest: Digest256
    }

    private struct Generations {
        var young: [Key: Entry] = [:]
        var old: [Key: Entry] = [:]
    }

    private let generations = Mutex(Generations())
    private let generationLimit: Int

    /// Keeps at most `limit` digests, some 200 bytes each, those that were asked for lately.
    init(limit: Int = 65_536) { generationLimit = max(1, limit / 2) }

    /// nil unless the file was read in this state.
    func digest(of status: FileStatus) -> Digest256? {
        let key = Key(device: status.device, number: status.number)
        return generations.withLock { generations in
            if let entry = generations.young[key] { return entry.status.isSameState(as: status) ? entry.digest : nil }
            guard let entry = generations.old[key], entry.status.isSameState(as: status) else { return nil }
            put(entry, key, &generations)
            return entry.digest
        }
    }

    func keep(_ digest: Digest256, of status: FileStatus) {
        let key = Key(device: status.device, number: status.number)
        generations.withLock { put(Entry(status: status, digest: digest), key, &$0) }
    }

    private func put(_ entry: Entry, _ key: Key, _ generations: inout Generations) {
        if generations.young.count >= generationLimit, generations.young[key] == nil {
            generations.old = generations.young
            generations.young = [:]
        }
        generations.young[key] = entry
    }
}
