import Glibc
import Reactor
import Synchronization

/// In small steps: tries to store again, evicts, deletes, scans for entries of earlier and of other processes.
final class Maintenance {
    let core: StoreCore
    var scan = DirectoryScan()
    private var isEvicting = false
    /// Names in the root to delete.
    private var trash: [RelativePath] = []
    private var mayHaveTrash = true
    private var removalAt = MonotonicInstant(nanoseconds: .min)
    private var removalDelay = Duration.seconds(1)
    var purgeLogReader: PurgeLogReader
    var sharedPurgesDueAt = MonotonicInstant(nanoseconds: .min)

    private var choresDueAt = MonotonicInstant(nanoseconds: .min)

    private static let batchLimit = 64
    private static let choreInterval = Duration.seconds(15)

    init(_ core: StoreCore) {
        self.core = core
        let handedOver = core.purgeLogReader.withLock { $0.take() }
        purgeLogReader = handedOver ?? PurgeLogReader(ownName: core.purgeLogWriter.name, root: core.folder.root)
    }

    /// Does some of the work; returns how long there is none, unless ``StoreCore/wake()`` is called.
    func step() -> Duration {
        let now = core.clock.monotonic()
        if core.takeWakeup() { mayHaveTrash = true }
        if let byteCount = core.breaker.dueTrialByteCount(now) { tryStoring(byteCount) }
        if core.withheld.isEmpty { removalDelay = .seconds(1) } else if removalAt <= now { removeWithheld(now) }
        if sharedPurgesDueAt <= now { applySharedPurges(now) }
        if choresDueAt <= now {
            choresDueAt = now + Self.choreInterval
            core.doChores()
        }
        let isEvicting = evictSome()
        let isBusy = isEvicting || deleteSome()
        // Knowing more entries than may stay costs memory for each: surplus ones go first.
        if !isEvicting, scan.nextAt <= now { listFolder(now) }
        if isBusy { return .zero }
        let next = min(
            scan.nextAt, core.breaker.retryAt, sharedPurgesDueAt, choresDueAt,
            core.withheld.isEmpty ? .distantFuture : removalAt)
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

    /// Evicts entries of twice `byteCount` bytes and those above the limits; returns whether there were any.
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

    private func evictSome() -> Bool {
        if !isEvicting { isEvicting = core.index.isOverCapacity }
        guard isEvicting, core.breaker.isOn else { return false }
        let names = core.index.evict(limit: Self.batchLimit)
        let worked = remove(names)
        isEvicting = worked && names.count == Self.batchLimit
        return isEvicting
    }

    /// Removes the files of `names`, which have left the index; if that fails, turns storing off and returns false.
    private func remove(_ names: [EntryName]) -> Bool {
        let folder = core.folder
        for name in names {
            do throws(Errno) {
                try folder.root.removeFile(name.path)
                core.counters.evictions.add(1, ordering: .relaxed)
            } catch {
                if error == .noSuchEntry { continue }
                // The scan finds it again.
                for name in names { scan.seen[name.folder] = DirectoryScan.Seen() }
                guard [EROFS, EIO].contains(error.code) else { continue }
                core.turnOff(error, byteCount: 1)
                return false
            }
        }
        return !names.isEmpty
    }

    /// Deletes some of what was moved away; returns whether to continue.
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
                // The next round looks again.
            }
        }
        guard let path = trash.last else { return false }
        var budget = 4 * Self.batchLimit
        do throws(Errno) {
            if try Self.delete(path, in: root, budget: &budget, depth: 0) { trash.removeLast() }
        } catch { trash.removeLast() }
        return true
    }

    /// Deletes up to `budget` names at `path`; returns whether nothing is left. Links are deleted, not followed.
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

    /// There may be trash of another process, and room where there was none.
    func roundBegins() {
        mayHaveTrash = true
        guard core.index.isLimitedByDisk, core.breaker.isOn else { return }
        // Without an answer the limit stays until the next round.
        if let byteCount = try? core.folder.root.availableByteCount() {
            core.index.raiseLimit(availableByteCount: byteCount)
        }
    }
}
