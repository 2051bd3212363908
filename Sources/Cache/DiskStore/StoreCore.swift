import Bytes
import Digest
import Glibc
import Reactor
import Synchronization

/// What the store's threads share. No lock is held over a system call.
final class StoreCore: Sendable {
    struct Wakeup {
        var isSet = false
        var isStopping = false
    }

    let settings: EntryStoreSettings
    let clock: Clock
    let index: EntryIndex
    let fence = PurgeFence()
    let withheld = WithheldTags()
    let breaker = DiskBreaker()
    let counters = StoreCounters()
    let locks = KeyLocks()
    let recent = RecentNames()
    /// The last tag marker that is a file of its own.
    let markerFile = Mutex<EntryName?>(nil)
    let wakeup = Monitor(Wakeup())
    let purgeLogWriter = PurgeLogWriter(name: UInt64.random(in: 1...(.max)))
    /// For the maintenance: purges count from the opening of the store on.
    let purgeLogReader: Mutex<PurgeLogReader?>
    private let current: Mutex<StoreFolder>
    private let openings = Atomic<Int>(0)
    private let report: @Sendable (EntryStoreEvent) -> Void
    /// Called with what other processes purge, by the maintenance.
    private let purgeListeners = Mutex<[@Sendable (SharedPurge) -> Void]>([])
    /// Called by the maintenance now and then.
    private let chores = Mutex<[@Sendable () -> Void]>([])

    init(
        _ settings: EntryStoreSettings, clock: Clock, report: @escaping @Sendable (EntryStoreEvent) -> Void
    ) throws(Errno) {
        self.settings = settings
        self.clock = clock
        self.report = report
        index = EntryIndex(byteCapacity: settings.byteCapacity, fileCapacity: settings.fileCapacity)
        let folder = try StoreFolder(path: settings.path)
        purgeLogReader = Mutex(PurgeLogReader(ownName: purgeLogWriter.name, root: folder.root))
        current = Mutex(folder)
    }

    var folder: StoreFolder { current.withLock { $0 } }

    /// How often the folder was opened again.
    var openingCount: Int { openings.load(ordering: .acquiring) }

    /// Makes and opens the deleted folder again. Errors: see ``StoreFolder/init(path:)``.
    private func reopen() throws(Errno) {
        replaceFolder(by: try StoreFolder(path: settings.path))
        index.removeAll()
        openings.wrappingAdd(1, ordering: .acquiringAndReleasing)
        wake()
    }

    private func replaceFolder(by made: StoreFolder) {
        // The old one closes outside the lock.
        let before = current.withLock { folder in
            defer { folder = made }
            return folder
        }
        withExtendedLifetime(before) {}
    }

    /// As the folder may have been read-only. If that fails, nobody is kept from doing work twice.
    func openLockFile() {
        guard folder.lockFile == nil else { return }
        if let made = try? StoreFolder(path: settings.path) { replaceFolder(by: made) }
    }

    func wake() {
        wakeup.withLock { $0.isSet = true }
        wakeup.signal()
    }

    var isStopping: Bool { wakeup.withLock { $0.isStopping } }

    func takeWakeup() -> Bool {
        wakeup.withLock { wakeup in
            defer { wakeup.isSet = false }
            return wakeup.isSet
        }
    }

    // MARK: Finding

    func find(_ key: Digest256, tag: UInt64) -> FoundEntry? {
        guard !withheld.contains(tag) else { return missed() }
        let name = EntryName(key, tag: tag)
        let folder = self.folder
        switch EntryReader(key: key, tag: tag, unixMilliseconds: clock.unixMilliseconds()).read(
            name.path, in: folder.root)
        {
        case .found(let entry, let state):
            if !index.use(name) { index.insert(name, byteCount: folder.allocatedByteCount(state), cost: entry.cost) }
            counters.hits.add(1, ordering: .relaxed)
            return entry
        case .absent: index.remove(name)
        case .failed: break
        case .corrupt:
            removeCorrupt(name.path, name.text)
            index.remove(name)
        }
        return missed()
    }

    func used(_ name: EntryName) {
        _ = index.use(name)
        counters.hits.add(1, ordering: .relaxed)
    }

    private func missed() -> FoundEntry? {
        counters.misses.add(1, ordering: .relaxed)
        return nil
    }

    func contains(_ name: EntryName) -> Bool {
        !withheld.contains(name.tag) && (try? folder.root.state(of: name.path).kind) == .file
    }

    func use(_ name: EntryName) -> Bool {
        guard contains(name) else { return false }
        // The index may not know it before its folder was listed.
        _ = index.use(name)
        return true
    }

    /// Removes what is no entry; what cannot be removed is met again.
    func removeCorrupt(_ path: RelativePath, _ text: String) {
        do throws(Errno) {
            try folder.root.removeFile(path)
        } catch {
            guard error.code == EISDIR else { return }
            do throws(Errno) { try folder.moveAway(path) } catch { return }
            wake()
        }
        counters.corruptions.add(1, ordering: .relaxed)
        report(.removedCorrupt(name: text))
    }

    // MARK: Storing

    func store(_ record: EntryRecord, begunAt epoch: PurgeFence.Epoch) -> Bool {
        let byteCount = record.content.count + record.fields.count + EntryFooter.byteCount
        let allocated = folder.allocatedByteCount(byteCount)
        guard breaker.isOn, record.fields.count <= EntryFooter.fieldsLimit, (100...999).contains(record.status),
            record.content.count <= EntryFooter.contentLimit, allocated <= index.entryLimit,
            !withheld.contains(record.tag)
        else { return false }
        guard index.hasRoom(for: allocated) else {
            wake()
            return false
        }
        do throws(Errno) {
            guard try write(record, begunAt: epoch, allocated: allocated) else { return false }
        } catch {
            if error.isFullDisk { index.limitToDisk(byteCount: allocated) }
            if !error.isShortageOfProcess { turnOff(error, byteCount: byteCount) }
            return false
        }
        stored()
        return true
    }

    func stored() {
        breaker.succeed(clock.monotonic())
        counters.stores.add(1, ordering: .relaxed)
        if index.isOverCapacity { wake() }
    }

    /// False if it was purged meanwhile. Makes what is missing, moves what is in the way, and tries again.
    private func write(_ record: EntryRecord, begunAt epoch: PurgeFence.Epoch, allocated: Int) throws(Errno) -> Bool {
        let name = EntryName(record.key, tag: record.tag)
        let trailer = EntryWriter.trailer(record)
        var attemptCount = 0
        while true {
            let folder = self.folder
            do throws(Errno) {
                return try EntryWriter.write(record.content, trailer, in: folder.root) { root, path throws(Errno) in
                    guard fence.enter(record.tag, begunAt: epoch) else {
                        try EntryWriter.removeWritten(path, in: root)
                        return false
                    }
                    defer { fence.leave(record.tag) }
                    try Self.giveName(name, in: folder) { () throws(Errno) in
                        try folder.root.rename(path, to: name.path)
                    }
                    index.insert(name, byteCount: allocated, cost: record.cost)
                    recent.add(name)
                    return true
                }
            } catch {
                attemptCount += 1
                guard attemptCount < 3, error == .noSuchEntry || error.isObstacle else { throw error }
                try repair(folder, error, name)
            }
        }
    }

    /// Calls `give`, and again with the folder of `name` if that was missing.
    static func giveName(_ name: EntryName, in folder: StoreFolder, _ give: () throws(Errno) -> Void) throws(Errno) {
        do throws(Errno) {
            try give()
        } catch {
            guard error == .noSuchEntry else { throw error }
            try folder.makeFolder(of: name)
            try give()
        }
    }

    private func repair(_ folder: StoreFolder, _ error: Errno, _ name: EntryName) throws(Errno) {
        do throws(Errno) {
            if error == .noSuchEntry { try folder.makeFolders() } else { try folder.clearWay(of: name) }
        } catch {
            guard error == .noSuchEntry else { throw error }
            try reopen()
            try self.folder.makeFolders()
        }
    }

    /// Writes, renames and removes a file of `byteCount` bytes. Errors: those of storing.
    func tryStoring(byteCount: Int) throws(Errno) {
        let bytes = SharedBytes([UInt8](repeating: 0, count: byteCount))
        var attemptCount = 0
        while true {
            let folder = self.folder
            do throws(Errno) {
                try folder.makeFolders()
                _ = try EntryWriter.write(bytes, [], in: folder.root) { root, path throws(Errno) in
                    let newPath = RelativePath("tmp/" + EntryWriter.newName())
                    try root.rename(path, to: newPath)
                    try EntryWriter.removeWritten(newPath, in: root)
                    return true
                }
                return
            } catch {
                // Another process took the file for an orphan, or the folder is gone.
                attemptCount += 1
                guard attemptCount < 3, error == .noSuchEntry else { throw error }
                do throws(Errno) { try folder.makeFolders() } catch { if error == .noSuchEntry { try reopen() } }
            }
        }
    }

    /// Turns storing off until it works again.
    func turnOff(_ error: Errno, byteCount: Int) {
        guard breaker.fail(byteCount: byteCount, now: clock.monotonic()) else { return }
        report(.turnedOff(error))
        wake()
    }

    func tell(_ event: EntryStoreEvent) { report(event) }

    func addPurgeListener(_ listener: @escaping @Sendable (SharedPurge) -> Void) {
        purgeListeners.withLock { $0.append(listener) }
    }

    func addChore(_ chore: @escaping @Sendable () -> Void) { chores.withLock { $0.append(chore) } }
    func doChores() { for chore in chores.withLock({ $0 }) { chore() } }

    /// Tells of what another process purged.
    func tell(_ purge: SharedPurge) {
        tell(.purgedElsewhere(purge))
        for listener in purgeListeners.withLock({ $0 }) { listener(purge) }
    }

    var counts: EntryCounts {
        var counts = EntryCounts()
        counts.hits = counters.hits.load(ordering: .relaxed)
        counts.misses = counters.misses.load(ordering: .relaxed)
        counts.stores = counters.stores.load(ordering: .relaxed)
        counts.evictions = counters.evictions.load(ordering: .relaxed)
        counts.corruptions = counters.corruptions.load(ordering: .relaxed)
        counts.isIndexed = counters.isIndexed.load(ordering: .acquiring)
        counts.isOn = breaker.isOn
        let sums = index.sums
        counts.entryCount = sums.entryCount
        counts.byteCount = sums.byteCount
        counts.indexByteCount = sums.overheadByteCount
        return counts
    }
}
