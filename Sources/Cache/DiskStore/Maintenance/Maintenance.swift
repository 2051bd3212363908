import Glibc
import Reactor
import Synchronization

/// Background work in small steps: trying to store again, evicting entries, deleting what was moved away, and the directory
/// scan that finds entries of earlier and of other processes. Confined to one thread.
final class Maintenance {
    let core: StoreCore
    var scan = DirectoryScan()
    private var isEvicting = false
    /// Names in the root that are to be deleted.
    private var trash: [RelativePath] = []
    private var mayHaveTrash = true
    /// When it is tried again to remove what a purge could not.
    private var removalAt = MonotonicInstant(nanoseconds: .min)
    private var removalDelay = Duration.seconds(1)
    var purgeLogReader: PurgeLogReader
    var sharedPurgesDueAt = MonotonicInstant(nanoseconds: .min)

    /// Entries that one step removes at most.
    private static let batchLimit = 64

    init(_ core: StoreCore) {
        self.core = core
        let handedOver = core.purgeLogReader.withLock { $0.take() }
        purgeLogReader = handedOver ?? PurgeLogReader(ownName: core.purgeLogWriter.name, root: core.folder.root)
    }

    /// Does something of what there is to do; returns how long there is nothing to do, unless ``StoreCore/wake()`` is called.
    func step() -> Duration {
        let now = core.clock.monotonic()
        if core.takeWakeup() { mayHaveTrash = true }
        if let byteCount = core.breaker.dueTrialByteCount(now) { tryStoring(byteCount) }
        if core.withheld.isEmpty { removalDelay = .seconds(1) } else if removalAt <= now { removeWithheld(now) }
        if sharedPurgesDueAt <= now { applySharedPurges(now) }
        let isEvicting = evictSome()
        let isBusy = isEvicting || deleteSome()
        // Learning of more entries than may stay costs memory for each: first those go that are too many.
        if !isEvicting, scan.nextAt <= now { listFolder(now) }
        if isBusy { return .zero }
        let next = min(
            scan.nextAt, core.breaker.retryAt, sharedPurgesDueAt, core.withheld.isEmpty ? .distantFuture : removalAt)
        return max(next - core.clock.monotonic(), .zero)
    }

    private func tryStoring(_ byteCount: Int) {
        do throws(Errno) {
            do throws(Errno) {
                try core.tryStoring(byteCount: byteCount)
            } catch {
                // Our own entries may be what fills the disk.
                guard error.isFullDisk, makeRoom(byteCount) else { throw error }
                try core.tryStoring(byteCount: byteCount)
            }
            core.openLockFile()
            if core.breaker.trialWorked(core.clock.monotonic()) { core.tell(.turnedOn) }
        } catch {
            core.breaker.trialFailed(core.clock.monotonic())
        }
    }

    /// Evicts entries of twice `byteCount` bytes, and as many as are too many for the disk; whether there were any.
    private func makeRoom(_ byteCount: Int) -> Bool {
        let names = core.index.evict(byteCount: 2 * byteCount, limit: 1024)
        return remove(names + core.index.evict(limit: 1024))
    }

    private func removeWithheld(_ now: MonotonicInstant) {
        do throws(Errno) {
            try core.removeWithheld()
            mayHaveTrash = true
        } catch {
            removalAt = now + removalDelay
            removalDelay = min(removalDelay * 2, .seconds(60))
        }
    }

    /// Whether it evicted entries and should go on.
    private func evictSome() -> Bool {
        if !isEvicting { isEvicting = core.index.isOverCapacity }
        guard isEvicting, core.breaker.isOn else { return false }
        let names = core.index.evict(limit: Self.batchLimit)
        let worked = remove(names)
        isEvicting = worked && names.count == Self.batchLimit
        return isEvicting
    }

    /// Removes the files of `names`, which have left the index; false if that failed, then storing is off.
    private func remove(_ names: [EntryName]) -> Bool {
        let folder = core.folder
        for name in names {
            do throws(Errno) {
                try folder.root.removeFile(name.path)
                core.counters.evictions.add(1, ordering: .relaxed)
            } catch {
                if error == .noSuchEntry { continue }
                // It is still there: the scan finds it again.
                for name in names { scan.seen[name.folder] = DirectoryScan.Seen() }
                guard [EROFS, EIO].contains(error.code) else { continue }
                core.turnOff(error, byteCount: 1)
                return false
            }
        }
        return !names.isEmpty
    }

    /// Whether it deleted something that had been moved away and should go on.
    private func deleteSome() -> Bool {
        let root = core.folder
        if trash.isEmpty, mayHaveTrash {
            mayHaveTrash = false
            do throws(Errno) {
                var listing = try FolderListing(adopting: root.root.openFolder(RelativePath(".")))
                while let name = try listing.next() {
                    if name.bytes.starts(with: StoreFolder.trashPrefix.utf8) {
                        trash.append(RelativePath(bytes: name.bytes))
                    }
                }
            } catch {
                // It is looked for again with the next round.
            }
        }
        guard let path = trash.last else { return false }
        var budget = 4 * Self.batchLimit
        do throws(Errno) {
            if try Self.delete(path, in: root, budget: &budget, depth: 0) { trash.removeLast() }
        } catch {
            trash.removeLast()
        }
        return true
    }

    /// Deletes what is at `path` as far as `budget` names go; whether nothing is left. Links are deleted, not followed.
    private static func delete(
        _ path: RelativePath, in folder: StoreFolder, budget: inout Int, depth: Int
    ) throws(Errno) -> Bool {
        guard budget > 0 else { return false }
        budget -= 1
        do throws(Errno) {
            try folder.root.removeFile(path)
            return true
        } catch {
            if error == .noSuchEntry { return true }
            guard error.code == EISDIR, depth < 32 else { throw error }
        }
        var names: [FileName] = []
        var listing = try FolderListing(adopting: folder.root.openFolder(path))
        while names.count < budget, let name = try listing.next() { names.append(name) }
        for name in names {
            guard try delete(path.appending(name), in: folder, budget: &budget, depth: depth + 1) else { return false }
        }
        guard budget > 0 else { return false }
        do throws(Errno) {
            try folder.root.removeFolder(path)
        } catch {
            if error.code == ENOTEMPTY, !names.isEmpty { return false }
            if error != .noSuchEntry { throw error }
        }
        return true
    }

    /// There may be something to delete that this process did not move away, and room where there was none.
    func roundBegins() {
        mayHaveTrash = true
        guard core.index.isLimitedByDisk, core.breaker.isOn else { return }
        do throws(Errno) {
            core.index.raiseLimit(availableByteCount: try core.folder.root.availableByteCount())
        } catch {
            // It stays as it is until the next round.
        }
    }
}
