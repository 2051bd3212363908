import Dispatch
import Foundation
import Synchronization

/// Answers in memory and in a folder, each within its bound. Several processes may share a folder.
final class ResponseStore: Sendable {
    /// Where an answer was found.
    enum Tier: Sendable { case memory, disk }

    private struct State {
        var memory: RecentEntries<StoredResponse>
        /// What is in the folder, by name of file.
        var disk: RecentEntries<Void>
        var isScanned = false
        var statistics = ImageURLCache.Statistics()
    }

    private let folder: URL?
    private let state: Mutex<State>
    /// Files are read and written here, one at a time, and never on a thread of the concurrency pool.
    private let queue = DispatchQueue(label: "veduta.store")

    init(memory: Int, disk: Int, folder: URL?) {
        self.folder = folder
        state = Mutex(State(memory: RecentEntries(byteLimit: memory), disk: RecentEntries(byteLimit: disk)))
    }

    /// The name of an answer: its URL, and what of the request chooses between representations.
    static func key(_ url: URL, accept: String?) -> String {
        SHA256.hex(SHA256.digest(of: Data((url.absoluteString + "\n" + (accept ?? "")).utf8)))
    }

    var statistics: ImageURLCache.Statistics {
        state.withLock { state in
            var statistics = state.statistics
            (statistics.memoryBytes, statistics.diskBytes) = (state.memory.byteCount, state.disk.byteCount)
            return statistics
        }
    }

    /// Setting them evicts what is over them.
    var limits: (memory: Int, disk: Int) {
        get { state.withLock { ($0.memory.byteLimit, $0.disk.byteLimit) } }
        set {
            queue.sync {
                let (evicted, files) = state.withLock { state in
                    (state.memory.byteLimit, state.disk.byteLimit) = newValue
                    return (state.memory.trim().count, state.disk.trim())
                }
                count(evictions: evicted)
                evict(files: files)
            }
        }
    }

    // MARK: Asynchronous use

    func stored(_ key: String) async -> (response: StoredResponse, tier: Tier)? {
        if let response = fromMemory(key) { return (response, .memory) }
        return await onQueue { self.fromDisk(key) }
    }

    func store(_ response: StoredResponse, for key: String, onDisk: Bool) async {
        await onQueue { self.keep(response, for: key, onDisk: onDisk) }
    }

    /// Takes what a 304 says of an answer.
    func renew(_ response: StoredResponse, for key: String) async {
        await onQueue {
            self.state.withLock { state in
                state.statistics.revalidations += 1
                _ = state.memory.insert(response, for: key, byteCount: response.byteCount)
            }
            guard let file = self.file(key) else { return }
            self.scan()
            guard let byteCount = try? CacheFile.renew(response.head, in: file) else { return }
            self.evict(files: self.state.withLock { $0.disk.insert((), for: key, byteCount: byteCount) })
        }
    }

    /// Removes the answers whose URLs `isMeant` names.
    func removeAll(where isMeant: @escaping @Sendable (URL) -> Bool) async {
        await onQueue {
            for key in self.keys() where self.head(key).map({ isMeant($0.url) }) ?? false { self.drop(key) }
        }
    }

    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: work()) } }
    }

    // MARK: Use at once, as of a `URLCache`

    func storedNow(_ key: String) -> StoredResponse? { fromMemory(key) ?? queue.sync { fromDisk(key)?.response } }

    func storeNow(_ response: StoredResponse, for key: String, onDisk: Bool) {
        queue.sync { keep(response, for: key, onDisk: onDisk) }
    }

    func remove(_ key: String) { queue.sync { drop(key) } }

    /// Removes what was stored or confirmed at `date` or later; everything without one.
    func removeAll(since date: Date? = nil) {
        queue.sync {
            for key in keys() {
                if let date, let head = head(key), head.confirmed < date { continue }
                drop(key)
            }
        }
    }

    // MARK: On the queue

    private func keep(_ response: StoredResponse, for key: String, onDisk: Bool) {
        let evicted = state.withLock { state in
            state.statistics.stores += 1
            return state.memory.insert(response, for: key, byteCount: response.byteCount).count
        }
        count(evictions: evicted)
        guard onDisk, let folder, let file = file(key), limits.disk > 0 else { return }
        scan()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard let byteCount = try? CacheFile.write(response, to: file) else { return }
        evict(files: state.withLock { $0.disk.insert((), for: key, byteCount: byteCount) })
    }

    private func drop(_ key: String) {
        state.withLock { state in
            state.memory.remove(key)
            state.disk.remove(key)
        }
        if let file = file(key) { try? FileManager.default.removeItem(at: file) }
    }

    private func keys() -> Set<String> {
        scan()
        return state.withLock { Set($0.memory.keys).union($0.disk.keys) }
    }

    /// What is known of an answer, which is not used by that.
    private func head(_ key: String) -> StoredResponse.Head? {
        state.withLock { $0.memory[key]?.head } ?? file(key).flatMap { CacheFile.head(of: $0) }
    }

    private func evict(files names: [String]) {
        for name in names { file(name).map { try? FileManager.default.removeItem(at: $0) } }
        count(evictions: names.count)
    }

    private func count(evictions: Int) {
        if evictions > 0 { state.withLock { $0.statistics.evictions += evictions } }
    }

    private func fromMemory(_ key: String) -> StoredResponse? {
        state.withLock { state in
            let response = state.memory.value(for: key)
            // A miss is counted where the disk has nothing either.
            if response != nil {
                (state.statistics.reads, state.statistics.hits) =
                    (state.statistics.reads + 1, state.statistics.hits + 1)
            }
            return response
        }
    }

    private func fromDisk(_ key: String) -> (response: StoredResponse, tier: Tier)? {
        scan()
        let response = file(key).flatMap { CacheFile.read($0) }
        state.withLock { state in
            state.statistics.reads += 1
            guard let response else {
                state.disk.remove(key)
                return
            }
            state.statistics.hits += 1
            _ = state.disk.value(for: key)
            _ = state.memory.insert(response, for: key, byteCount: response.byteCount)
        }
        // The order of use survives the process by the dates of files.
        if response != nil, let file = file(key) {
            try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file.path)
        }
        return response.map { ($0, .disk) }
    }

    private func file(_ key: String) -> URL? { folder?.appending(path: key) }

    /// Finds what is in the folder, once, the least recently used first.
    private func scan() {
        guard let folder,
            state.withLock({ state in
                defer { state.isScanned = true }
                return !state.isScanned
            })
        else { return }
        let wanted: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
        let files =
            (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: Array(wanted))) ?? []
        let known = files.compactMap { file -> (name: String, byteCount: Int, date: Date)? in
            let name = file.lastPathComponent
            guard name.utf8.count == 64, let values = try? file.resourceValues(forKeys: wanted) else { return nil }
            return (name, values.fileSize ?? 0, values.contentModificationDate ?? .distantPast)
        }
        for entry in known.sorted(by: { $0.date < $1.date }) {
            evict(files: state.withLock { $0.disk.insert((), for: entry.name, byteCount: entry.byteCount) })
        }
    }
}
