import Synchronization

/// Some of the names in one folder, in the order of ids, as the folder was in the state `status`.
struct FolderRun: Sendable {
    /// A name; the key of a folder has a slash at its end, as ids beneath it do.
    struct Entry: Sendable {
        let key: [UInt8]
        let isFolder: Bool

        var name: String { String(decoding: isFolder ? key.dropLast() : key[...], as: UTF8.self) }
    }

    let folder: [String]
    let status: FileStatus
    /// All keys after this one are here, up to the last entry.
    let lower: [UInt8]
    /// In order; a folder that an id leads through may come before `lower`.
    let entries: [Entry]
    /// No names come after the last entry.
    let isLast: Bool

    /// Whether the names after `bound`, and the folder with the key `way`, are here as far as they exist.
    func covers(_ bound: [UInt8], _ way: [UInt8]?) -> Bool {
        guard !bound.lexicographicallyPrecedes(lower) else { return false }
        if !isLast, let last = entries.last?.key, !bound.lexicographicallyPrecedes(last) { return false }
        guard let way else { return true }
        return lower.lexicographicallyPrecedes(way) || entry(way) != nil
    }

    func index(after bound: [UInt8]) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if bound.lexicographicallyPrecedes(entries[middle].key) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    func entry(_ key: [UInt8]) -> Entry? {
        let index = index(after: key) - 1
        return index >= 0 && entries[index].key == key ? entries[index] : nil
    }

    /// The key of the first folder in a path.
    static func folderKey(in path: [UInt8]) -> [UInt8]? {
        path.firstIndex(of: UInt8(ascii: "/")).map { Array(path[...$0]) }
    }
}

/// The latest runs of names, so that a large folder is not read again for each page.
final class FolderRuns: Sendable {
    private let runs = Mutex<[FolderRun]>([])

    private static let limit = 4

    /// nil unless they were read in this state of the folder.
    func find(_ folder: [String], _ status: FileStatus, after bound: [UInt8], _ way: [UInt8]?) -> FolderRun? {
        runs.withLock { runs in
            guard
                let index = runs.firstIndex(where: {
                    $0.folder == folder && $0.status.isSameState(as: status) && $0.covers(bound, way)
                })
            else { return nil }
            let run = runs.remove(at: index)
            runs.append(run)
            return run
        }
    }

    /// Keeps `run` in place of the least recently used one, and of what is outdated.
    func keep(_ run: FolderRun) {
        runs.withLock { runs in
            runs.removeAll { $0.folder == run.folder && !$0.status.isSameState(as: run.status) }
            if runs.count >= Self.limit { runs.removeFirst() }
            runs.append(run)
        }
    }
}
