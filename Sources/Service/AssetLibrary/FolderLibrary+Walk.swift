import Glibc
import Synchronization

/// Some ids of a folder library in their order.
struct FolderPage {
    var ids: [String] = []
    /// Where the walk ended early: the path of a folder with a slash at its end. All ids before it were looked at, and
    /// none after it. Nil: the walk came to its limit, or to the end of the library.
    var end: String?
}

extension FolderLibrary {
    /// Names of one folder that are read and kept at a time; a larger one is read again for the names after those.
    static let usualChunkCount = 16_384
    /// Folders that are opened for one page, besides those on the way to where it begins.
    package static let folderLimit = 10_000
    /// Names that are read from one question whether to stop to the next.
    private static let stopInterval = 1024
    /// A folder that changed less than this before it was read may change again without its time showing it.
    private static let timeStepNanoseconds = 100_000_000

    /// The ids of the first `limit` images after `id` in the order of the bytes of ids, by the rules of `list(limit:)`
    /// but without its bound of names. Fewer where `folderLimit` folders do not have so many; nil once `mustStop` is
    /// true, which is asked at each folder and during long ones.
    ///
    /// What is added or removed between two calls moves nothing else. Looks at the folders on the way to `id` and at
    /// those of the ids that it returns, and reads them unless the names after `id` were read lately and the folder has
    /// not changed since. Blocks on the file system.
    func page(
        after id: String, limit: Int, chunkCount: Int = FolderLibrary.usualChunkCount,
        folderLimit: Int = FolderLibrary.folderLimit, mustStop: @escaping () -> Bool = { false }
    ) -> FolderPage? {
        var walk = Walk(
            after: Array(id.utf8), limit: limit, chunkCount: chunkCount, mustStop: mustStop, foldersLeft: folderLimit)
        visit([], prefix: [], &walk)
        return walk.isStopped ? nil : walk.page
    }

    private struct Walk {
        let after: [UInt8]
        let limit: Int
        let chunkCount: Int
        let mustStop: () -> Bool
        var foldersLeft: Int
        var page = FolderPage()
        var isStopped = false
        var isDone: Bool { page.ids.count >= limit || page.end != nil || isStopped }
    }

    /// `prefix` is how ids in `folder` begin.
    private func visit(_ folder: [String], prefix: [UInt8], _ walk: inout Walk) {
        let isOnTheWay = walk.after.starts(with: prefix)
        // All of this folder comes before the id.
        if !isOnTheWay, prefix.lexicographicallyPrecedes(walk.after) { return }
        // No id leads through it.
        guard folder.isEmpty || (try? LibraryPath(id: folder.joined(separator: "/"))) != nil else { return }
        // Those on the way are opened always, so each page goes further than the one before.
        if !isOnTheWay {
            guard walk.foldersLeft > 0 else {
                walk.page.end = String(decoding: prefix, as: UTF8.self)
                return
            }
            walk.foldersLeft -= 1
        }
        walk.isStopped = walk.mustStop()
        let rest = isOnTheWay ? Array(walk.after[prefix.count...]) : []
        var (bound, way) = (rest, FolderRun.folderKey(in: rest))
        while !walk.isDone {
            guard let run = run(of: folder, after: bound, orThrough: way, &walk) else { return }
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
                    if (try? LibraryPath(id: id)) != nil { walk.page.ids.append(id) }
                }
            }
            guard !run.isLast, let last = run.entries.last?.key else { return }
            (bound, way) = (last, nil)
        }
    }

    /// Names in `folder` after `bound`, and the folder with the key `way`; nil where it cannot be read, or the walk is
    /// stopped.
    private func run(
        of folder: [String], after bound: [UInt8], orThrough way: [UInt8]?, _ walk: inout Walk
    ) -> FolderRun? {
        guard let opened = try? openFolder(folder), let status = try? opened.status() else { return nil }
        if let run = runs.find(folder, status, after: bound, way) { return run }
        guard let names = readNames(folder, after: bound, orThrough: way, &walk) else { return nil }
        let run = FolderRun(
            folder: folder, status: status, lower: bound, entries: names.entries, isLast: names.isWhole)
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

    /// Reads the first names after `bound`, and the folder with the key `way`; nil where the walk is stopped.
    private func readNames(
        _ folder: [String], after bound: [UInt8], orThrough way: [UInt8]?, _ walk: inout Walk
    ) -> FirstNames? {
        var names = FirstNames(walk.chunkCount, after: bound, orThrough: way)
        let mustStop = walk.mustStop
        var count = 0
        var isStopped = false
        forEachName(
            in: folder,
            whatever: {
                listedNameCount.add(1, ordering: .relaxed)
                count += 1
                if count % Self.stopInterval == 0 { isStopped = mustStop() }
                return !isStopped
            },
            { name, isFolder in
                guard isFolder ? folder.count < Self.depthLimit : isPictureName(name) else { return true }
                names.add(name, isFolder: isFolder)
                return true
            })
        guard !isStopped else {
            walk.isStopped = true
            return nil
        }
        names.finish()
        return names
    }
}
