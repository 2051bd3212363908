import Glibc
import Synchronization

extension FolderLibrary {
    /// Names of one folder that are read and kept at a time; a larger one is read again for the names after those.
    private static let usualChunkCount = 16_384
    /// A folder that changed less than this before it was read may change again without its time showing it.
    private static let timeStepNanoseconds = 100_000_000

    /// The ids of the first `limit` images after `id` in the order of the bytes of ids, by the rules of `list(limit:)`
    /// but without its bound of names.
    ///
    /// What is added or removed between two calls moves nothing else. Looks at the folders on the way to `id` and at
    /// those of the ids that it returns, and reads them unless the names after `id` were read lately and the folder has
    /// not changed since. Blocks on the file system.
    package func ids(after id: String, limit: Int) -> [String] {
        ids(after: id, limit: limit, chunkCount: Self.usualChunkCount)
    }

    func ids(after id: String, limit: Int, chunkCount: Int) -> [String] {
        var walk = Walk(after: Array(id.utf8), limit: limit, chunkCount: chunkCount)
        visit([], prefix: [], &walk)
        return walk.ids
    }

    private struct Walk {
        let after: [UInt8]
        let limit: Int
        let chunkCount: Int
        var ids: [String] = []
        var isDone: Bool { ids.count >= limit }
    }

    /// `prefix` is how ids in `folder` begin.
    private func visit(_ folder: [String], prefix: [UInt8], _ walk: inout Walk) {
        let isOnTheWay = walk.after.starts(with: prefix)
        // All of this folder comes before the id.
        if !isOnTheWay, prefix.lexicographicallyPrecedes(walk.after) { return }
        let rest = isOnTheWay ? Array(walk.after[prefix.count...]) : []
        var (bound, way) = (rest, FolderRun.folderKey(in: rest))
        while !walk.isDone {
            guard let run = run(of: folder, after: bound, orThrough: way, chunkCount: walk.chunkCount) else { return }
            // It comes before `bound`, which leads through it.
            if let way, let entry = run.entry(way) { visit(folder + [entry.name], prefix: prefix + way, &walk) }
            var index = run.index(after: bound)
            while index < run.entries.count, !walk.isDone {
                let entry = run.entries[index]
                index += 1
                if entry.isFolder {
                    visit(folder + [entry.name], prefix: prefix + entry.key, &walk)
                } else {
                    let id = String(decoding: prefix + entry.key, as: UTF8.self)
                    if (try? LibraryPath(id: id)) != nil { walk.ids.append(id) }
                }
            }
            guard !run.isLast, let last = run.entries.last?.key else { return }
            (bound, way) = (last, nil)
        }
    }

    /// Names in `folder` after `bound`, and the folder with the key `way`; nil where it cannot be read.
    private func run(
        of folder: [String], after bound: [UInt8], orThrough way: [UInt8]?, chunkCount: Int
    ) -> FolderRun? {
        guard let opened = try? openFolder(folder), let status = try? opened.status() else { return nil }
        if let run = runs.find(folder, status, after: bound, way) { return run }
        let run = readRun(folder, status, after: bound, orThrough: way, chunkCount: chunkCount)
        if Self.isOld(status) { runs.keep(run) }
        return run
    }

    /// Whether a later change shows in the status.
    static func isOld(_ status: FileStatus) -> Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let seconds = Int64(now.tv_sec) - status.changedUnixSeconds
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow
            ? seconds > 0
            : nanoseconds + Int64(now.tv_nsec) - Int64(status.changedNanoseconds) >= timeStepNanoseconds
    }

    /// Reads the first `chunkCount` names after `bound`, and the folder with the key `way`.
    private func readRun(
        _ folder: [String], _ status: FileStatus, after bound: [UInt8], orThrough way: [UInt8]?, chunkCount: Int
    ) -> FolderRun {
        var entries: [FolderRun.Entry] = []
        var isLast = true
        let limit = way == nil ? chunkCount : chunkCount + 1
        func cut() {
            entries.sort { $0.key.lexicographicallyPrecedes($1.key) }
            if entries.count > limit {
                entries.removeLast(entries.count - limit)
                isLast = false
            }
        }
        forEachName(in: folder, whatever: { listedNameCount.add(1, ordering: .relaxed) }) { name, isFolder in
            guard isFolder ? folder.count < Self.depthLimit : isPictureName(name) else { return true }
            let key = Array(name.utf8) + (isFolder ? [UInt8(ascii: "/")] : [])
            guard bound.lexicographicallyPrecedes(key) || isFolder && key == way else { return true }
            entries.append(FolderRun.Entry(key: key, isFolder: isFolder))
            if entries.count > 2 * limit { cut() }
            return true
        }
        cut()
        return FolderRun(folder: folder, status: status, lower: bound, entries: entries, isLast: isLast)
    }
}
