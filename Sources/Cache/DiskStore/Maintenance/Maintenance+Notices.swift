import Reactor

extension Maintenance {
    /// How often it is looked whether another process has purged something.
    static let noticePace = Duration.seconds(1)

    /// Purges here what other processes purged: what this one stored of it since, and what its owner has in memory. All else
    /// was removed by who left the notice.
    func heedNotices(_ now: MonotonicInstant) {
        noticesDueAt = now + Self.noticePace
        let folder = core.folder
        var heeded: [PurgeNotice] = []
        for notice in noticeReader.readNew(in: folder.root) where !heeded.contains(notice) {
            heeded.append(notice)
            // From the disk first: what is found there until then is older than the report.
            core.heed(notice)
            if notice == .whole { census.forgetSeen() }
            core.tell(.purgedElsewhere(notice))
        }
        if noticeReader.hasReadAll { core.recent.looked() }
    }
}

extension Census {
    /// All folders are to be listed again.
    mutating func forgetSeen() {
        seen = [Seen](repeating: Seen(), count: EntryName.folderCount)
    }
}

extension StoreCore {
    /// Removes what this process stored since the purge that `notice` tells of; nothing that it began before is stored.
    fileprivate func heed(_ notice: PurgeNotice) {
        switch notice {
        case .group(let tag): gate.purge(tag)
        case .entry(_, let tag): gate.purge(tag)
        case .whole:
            gate.purgeAll()
            index.removeAll()
        }
        guard let names = recent.names else { return purgeAgain(notice) }
        for name in names where notice.covers(name) { _ = remove(name) }
    }

    /// So much was stored lately that nobody knows what: all of it goes.
    private func purgeAgain(_ notice: PurgeNotice) {
        switch notice {
        case .group(let tag): _ = purge(tag: tag)
        case .entry(let key, let tag): _ = remove(EntryName(key, tag: tag))
        case .whole: purgeAll()
        }
    }

    /// Tells the other processes of a purge; those that do not hear of it may have it in memory for longer.
    func leave(_ notice: PurgeNotice) {
        let folder = self.folder
        do throws(Errno) {
            try noticeWriter.leave(notice, in: folder.root)
        } catch {
            tell(.noticeNotLeft(error))
        }
    }
}

extension PurgeNotice {
    fileprivate func covers(_ name: EntryName) -> Bool {
        switch self {
        case .group(let tag): name.tag == tag
        case .entry(let key, let tag): name == EntryName(key, tag: tag)
        case .whole: true
        }
    }
}
