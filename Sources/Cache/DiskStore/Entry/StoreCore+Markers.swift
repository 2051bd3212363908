import Bytes
import Digest
import Reactor
import Synchronization

// Of a tag marker only the name counts, so markers are names of one small file, which a process makes once: a link is one system
// call and no inode, a file of its own five and one. Where a link fails (the file has as many names as it may have, EMLINK, or lost
// the one that is known here, or the file system has no links), the next marker is a file of its own, to which others are linked.
extension StoreCore {
    func mark(_ key: Digest256, tag: UInt64, cost: Duration, begunAt epoch: PurgeFence.Epoch) -> Bool {
        let name = EntryName(key, tag: tag)
        if link(name, cost: cost, begunAt: epoch) { return true }
        let record = EntryRecord(
            key: key, tag: tag, status: 204, storedUnixSeconds: 0, cost: cost, fields: [], content: SharedBytes([]))
        guard store(record, begunAt: epoch) else { return false }
        markerFile.withLock { $0 = name }
        return true
    }

    /// Each name counts as a file of its own against both limits.
    private func link(_ name: EntryName, cost: Duration, begunAt epoch: PurgeFence.Epoch) -> Bool {
        let folder = self.folder
        let allocated = folder.allocatedByteCount(EntryFooter.byteCount)
        guard let known = markerFile.withLock({ $0 }), breaker.isOn, !withheld.contains(name.tag),
            index.hasRoom(for: allocated), fence.enter(name.tag, begunAt: epoch)
        else { return false }
        defer { fence.leave(name.tag) }
        do throws(Errno) {
            try Self.giveName(name, in: folder) { () throws(Errno) in try folder.root.link(known.path, as: name.path) }
        } catch {
            // The entry was evicted before its markers, or is replaced.
            guard error == .alreadyExists, let state = try? folder.root.state(of: name.path), state.kind == .file,
                state.byteCount == EntryFooter.byteCount
            else { return false }
        }
        index.insert(name, byteCount: allocated, cost: cost)
        recent.add(name)
        stored()
        return true
    }
}
