extension FolderLibrary {
    /// How many names of one folder are kept at a time; a larger one is read again for the names after those.
    private static let usualChunkCount = 2048

    /// The ids of the first `limit` pictures that come after `id` in the order of the octets of ids, by the rules of
    /// `list(limit:)` but without its bound of names.
    ///
    /// What is added or removed between two calls moves nothing else. Reads the folders on the way to `id` and those of
    /// the ids that it returns, not those before. Blocks on the file system.
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

    /// A name in the order of ids: those beneath a folder have a slash behind its name.
    private struct Entry {
        let key: [UInt8]
        let name: String
        let isFolder: Bool
    }

    /// Takes what comes next in one folder; `prefix` is how ids there begin.
    private func visit(_ folder: [String], prefix: [UInt8], _ walk: inout Walk) {
        let isOnTheWay = walk.after.starts(with: prefix)
        // All of this folder comes before the id, or all of it after.
        if !isOnTheWay, prefix.lexicographicallyPrecedes(walk.after) { return }
        let rest = isOnTheWay ? Array(walk.after[prefix.count...]) : []
        var (bound, way) = (rest, rest)
        while !walk.isDone {
            let entries = readEntries(folder, after: bound, orOnTheWayTo: way, chunkCount: walk.chunkCount)
            for entry in entries.prefix(walk.chunkCount) where !walk.isDone {
                if entry.isFolder {
                    visit(folder + [entry.name], prefix: prefix + entry.key, &walk)
                } else {
                    let id = String(decoding: prefix + entry.key, as: UTF8.self)
                    if (try? LibraryPath(id: id)) != nil { walk.ids.append(id) }
                }
            }
            guard entries.count > walk.chunkCount else { return }
            (bound, way) = (entries[walk.chunkCount - 1].key, [])
        }
    }

    /// The names in `folder` after `bound`, and the folder that `way` leads through, in order: some more than
    /// `chunkCount` of them if there are more.
    private func readEntries(
        _ folder: [String], after bound: [UInt8], orOnTheWayTo way: [UInt8], chunkCount: Int
    ) -> [Entry] {
        var entries: [Entry] = []
        func cut() {
            entries.sort { $0.key.lexicographicallyPrecedes($1.key) }
            entries.removeLast(max(entries.count - chunkCount - 1, 0))
        }
        forEachName(in: folder) { name, isFolder in
            guard isFolder ? folder.count < Self.depthLimit : Self.isPictureName(name) else { return true }
            let key = Array(name.utf8) + (isFolder ? [UInt8(ascii: "/")] : [])
            guard bound.lexicographicallyPrecedes(key) || isFolder && way.starts(with: key) else { return true }
            entries.append(Entry(key: key, name: name, isFolder: isFolder))
            if entries.count > 2 * chunkCount { cut() }
            return true
        }
        cut()
        return entries
    }
}
