import Reactor

extension Maintenance {
    static let sharedPurgePace = Duration.seconds(1)

    /// Applies other processes' purges to what this one stored since and to its owner's memory; the rest is removed already.
    func applySharedPurges(_ now: MonotonicInstant) {
        sharedPurgesDueAt = now + Self.sharedPurgePace
        let folder = core.folder
        var applied: [SharedPurge] = []
        for purge in purgeLogReader.readNew(in: folder.root) where !applied.contains(purge) {
            applied.append(purge)
            // From the disk first: what is found there until then is older than the report.
            core.apply(purge)
            if purge == .whole { scan.forgetSeen() }
            core.tell(purge)
        }
        if purgeLogReader.hasReadAll { core.recent.looked() }
    }
}

extension DirectoryScan {
    mutating func forgetSeen() { seen = [Seen](repeating: Seen(), count: EntryName.folderCount) }
}

extension StoreCore {
    /// Removes what this process stored since another one purged; nothing that it began before is stored.
    fileprivate func apply(_ purge: SharedPurge) {
        switch purge {
        case .group(let tag), .entry(_, let tag): fence.purge(tag)
        case .whole:
            fence.purgeAll()
            index.removeAll()
        }
        guard let names = recent.names else { return purgeAgain(purge) }
        for name in names where purge.covers(name) { _ = remove(name) }
    }

    /// Too much was stored lately to know what: all of it is purged.
    private func purgeAgain(_ purge: SharedPurge) {
        switch purge {
        case .group(let tag): _ = self.purge(tag: tag)
        case .entry(let key, let tag): _ = remove(EntryName(key, tag: tag))
        case .whole: purgeAll()
        }
    }

    /// Tells other processes of a purge. If that fails, they may keep its entries in memory for longer.
    func share(_ purge: SharedPurge) {
        let folder = self.folder
        do throws(Errno) { try purgeLogWriter.append(purge, in: folder.root) } catch { tell(.purgeNotShared(error)) }
    }
}

extension SharedPurge {
    fileprivate func covers(_ name: EntryName) -> Bool {
        switch self {
        case .group(let tag): name.tag == tag
        case .entry(let key, let tag): name == EntryName(key, tag: tag)
        case .whole: true
        }
    }
}
