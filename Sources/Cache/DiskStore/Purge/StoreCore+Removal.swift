import Glibc
import Reactor

extension StoreCore {
    /// Removes the file of `name`; returns whether there was one. An entry that cannot be removed is no longer found.
    func remove(_ name: EntryName) -> Bool {
        fence.purge(name.tag)
        index.remove(name)
        do throws(Errno) {
            try folder.root.removeFile(name.path)
            return true
        } catch {
            if !Self.isGone(error) { withhold(name.tag, error) }
            return false
        }
    }

    func purge(tag: UInt64) -> Int {
        fence.purge(tag)
        do throws(Errno) {
            return try removeAll(tag: tag)
        } catch {
            withhold(tag, error)
            return 0
        }
    }

    /// As ``purge(tag:)``, regardless of entries being stored. Errors: those of listing and removing.
    func removeAll(tag: UInt64) throws(Errno) -> Int {
        let root = folder
        let folderNumber = Int(tag >> 56)
        var names: [EntryName] = []
        do throws(Errno) {
            var listing = try FolderListing(adopting: root.root.openFolder(EntryName.folderPath(folderNumber)))
            while let file = try listing.next() {
                if let name = EntryName(bytes: file.bytes, inFolder: folderNumber), name.tag == tag {
                    names.append(name)
                }
            }
        } catch {
            guard Self.isGone(error) else { throw error }
            // A link in place of the folder: what it leads to must not be given out either.
            if error.code == ENOTDIR { try moveLink(EntryName.folderPath(folderNumber)) }
        }
        var count = 0
        for name in names {
            do throws(Errno) {
                try root.root.removeFile(name.path)
                count += 1
            } catch {
                guard Self.isGone(error) else { throw error }
            }
            index.remove(name)
        }
        return count
    }

    func purgeAll() {
        fence.purgeAll()
        do throws(Errno) { try removeAll() } catch { withhold(nil, error) }
        wake()
    }

    /// As ``purgeAll()``, regardless of entries being stored. Errors: those of renaming.
    func removeAll() throws(Errno) {
        do throws(Errno) {
            try folder.moveAway(StoreFolder.entries)
        } catch {
            guard Self.isGone(error) else { throw error }
        }
        index.removeAll()
    }

    private func moveLink(_ path: RelativePath) throws(Errno) {
        do throws(Errno) { try folder.moveAway(path) } catch { guard Self.isGone(error) else { throw error } }
    }

    private func withhold(_ tag: UInt64?, _ error: Errno) {
        withheld.add(tag)
        turnOff(error, byteCount: 1)
    }

    /// Whether there is nothing to remove, or nothing of ours.
    private static func isGone(_ error: Errno) -> Bool { [ENOENT, ENOTDIR, EISDIR, ELOOP].contains(error.code) }

    /// Tries again to remove what purges could not. Errors: those of removing.
    func removeWithheld() throws(Errno) {
        let held = withheld.held
        if let tags = held.tags {
            for tag in tags {
                fence.purge(tag)
                _ = try removeAll(tag: tag)
                share(.group(tag: tag))
            }
        } else {
            fence.purgeAll()
            try removeAll()
            share(.whole)
        }
        withheld.release(held)
    }
}
