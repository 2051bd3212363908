import Glibc
import Reactor
import Synchronization

struct DirectoryScan {
    var nextAt = MonotonicInstant(nanoseconds: .min)
    var folder = 0
    /// Until every folder has been listed once.
    var isFirstRound = true
    /// The opening of the root that this is about.
    var openingCount = 0
    /// Two listings after a change miss nothing, however coarse the file system's times are.
    var seen = [Seen](repeating: Seen(), count: EntryName.folderCount)

    struct Seen {
        var modifiedNanoseconds: Int64 = .min
        var listingCount = 0
    }

    /// Between two folders once all are known: a round takes three minutes.
    static let pace = Duration.milliseconds(700)
}

extension Maintenance {
    func listFolder(_ now: MonotonicInstant) {
        if scan.openingCount != core.openingCount {
            scan = DirectoryScan()
            scan.openingCount = core.openingCount
            core.counters.isIndexed.store(false, ordering: .releasing)
        }
        if scan.folder == 0 { beginRound() }
        let folder = scan.folder
        do throws(Errno) {
            try countFolder(folder)
        } catch {
            // The next round lists it.
            scan.seen[folder] = DirectoryScan.Seen()
        }
        scan.folder = (folder + 1) % EntryName.folderCount
        let end = core.clock.monotonic()
        if scan.isFirstRound {
            // As long as the listing took, so that half of the disk is left to requests.
            scan.nextAt = end + min(max(end - now, .microseconds(100)), .seconds(1))
            if scan.folder == 0 {
                scan.isFirstRound = false
                core.counters.isIndexed.store(true, ordering: .releasing)
            }
        } else {
            scan.nextAt = end + DirectoryScan.pace
        }
    }

    private func beginRound() {
        roundBegins()
        do throws(Errno) {
            var listing = try FolderListing(adopting: core.folder.root.openFolder(StoreFolder.temporary))
            while !core.isStopping, let name = try listing.next() {
                removeOrphan(StoreFolder.temporary.appending(name))
            }
        } catch {
            // The next round tries again.
        }
    }

    private func removeOrphan(_ path: RelativePath) {
        let folder = core.folder
        // Fails if it is gone already, or a folder, or the file system cannot lock.
        guard let file = try? folder.root.openFile(path), (try? file.tryLock()) == true else { return }
        try? folder.root.removeFile(path)
    }

    private func removeForeign(_ path: RelativePath, _ name: FileName) {
        // Some file systems keep a file like this that was removed while open.
        if !name.bytes.starts(with: ".nfs".utf8) { core.removeCorrupt(path, name.text) }
    }

    /// Updates the index by the folder number `folder`.
    private func countFolder(_ folder: Int) throws(Errno) {
        let root = core.folder
        let path = EntryName.folderPath(folder)
        var modified: Int64 = .min
        do throws(Errno) {
            let state = try root.root.state(of: path)
            if state.kind != .folder { try root.moveAway(path) }
            modified = state.modifiedNanoseconds
        } catch {
            guard error == .noSuchEntry || error.code == ENOTDIR else { throw error }
            return forgetMissing(folder, listed: [])
        }
        let seen = scan.seen[folder]
        if seen.modifiedNanoseconds == modified, seen.listingCount >= 2 { return }
        let listed = try list(folder, path)
        addUnknown(listed, root)
        if core.index.count(inFolder: folder) > listed.count { forgetMissing(folder, listed: Set(listed)) }
        scan.seen[folder] = DirectoryScan.Seen(
            modifiedNanoseconds: modified,
            listingCount: seen.modifiedNanoseconds == modified ? seen.listingCount + 1 : 1)
    }

    private func list(_ folder: Int, _ path: RelativePath) throws(Errno) -> [EntryName] {
        var names: [EntryName] = []
        var listing = try FolderListing(adopting: core.folder.root.openFolder(path))
        while !core.isStopping, let file = try listing.next() {
            if let name = EntryName(bytes: file.bytes, inFolder: folder) {
                names.append(name)
            } else if !file.isFolder {
                removeForeign(path.appending(file), file)
            }
        }
        return names
    }

    /// Adds `names` that the index does not know, oldest first.
    private func addUnknown(_ names: [EntryName], _ root: StoreFolder) {
        var found: [(name: EntryName, state: FileState)] = []
        for name in names where !core.index.contains(name) {
            if core.isStopping { return }
            do throws(Errno) {
                let state = try root.root.state(of: name.path)
                switch state.kind {
                // A file larger than anything stored would evict everything else: a hole need not take room.
                case .file
                where state.byteCount >= EntryFooter.byteCount
                    && root.allocatedByteCount(state) <= core.index.entryLimit:
                    found.append((name, state))
                case .file, .other: core.removeCorrupt(name.path, name.text)
                case .folder: break
                }
            } catch {
                // Gone since, or looked at again in the next round.
            }
        }
        found.sort { $0.state.modifiedNanoseconds < $1.state.modifiedNanoseconds }
        for (name, state) in found { core.index.insert(name, byteCount: root.allocatedByteCount(state)) }
    }

    /// Forgets known entries of the folder that are not in `listed` and really gone.
    private func forgetMissing(_ folder: Int, listed: Set<EntryName>) {
        guard core.index.count(inFolder: folder) > 0 else { return }
        let root = core.folder
        for name in core.index.names(inFolder: folder, where: { !listed.contains($0) }) {
            do throws(Errno) {
                _ = try root.root.state(of: name.path)
            } catch {
                if error == .noSuchEntry || error.code == ENOTDIR { core.index.remove(name) }
            }
        }
    }
}
