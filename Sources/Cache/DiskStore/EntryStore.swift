package import Digest
package import Reactor

/// Files in a folder that processes may share (docs/CACHING.md). Nothing there makes it fail; calls wait for the disk.
package final class EntryStore: Sendable {
    private let core: StoreCore
    private let thread: OwnedThread?

    private init(_ core: StoreCore, thread: OwnedThread?) {
        self.core = core
        self.thread = thread
    }

    deinit { close() }

    /// Lists entries in the background. `report` is called on any thread, also before this returns. Errors: `EAGAIN`, …
    package static func open(
        _ settings: EntryStoreSettings, clock: Clock, report: @escaping @Sendable (EntryStoreEvent) -> Void
    ) throws(Errno) -> EntryStore {
        let core = try ready(settings, clock, report)
        let thread = try OwnedThread.start(name: "disk-0") { run(core) }
        return EntryStore(core, thread: thread)
    }

    /// Without the thread, for tests that do its steps.
    static func openWithoutThread(
        _ settings: EntryStoreSettings, clock: Clock, report: @escaping @Sendable (EntryStoreEvent) -> Void
    ) throws(Errno) -> EntryStore {
        EntryStore(try ready(settings, clock, report), thread: nil)
    }

    private static func ready(
        _ settings: EntryStoreSettings, _ clock: Clock, _ report: @escaping @Sendable (EntryStoreEvent) -> Void
    ) throws(Errno) -> StoreCore {
        let core = try StoreCore(settings, clock: clock, report: report)
        do throws(Errno) { try core.tryStoring(byteCount: 1) } catch { core.turnOff(error, byteCount: 1) }
        return core
    }

    private static func run(_ core: StoreCore) {
        let maintenance = Maintenance(core)
        while true {
            let pause = maintenance.step()
            let wakeup = core.wakeup.wait(forAtMost: pause) { $0.isSet || $0.isStopping ? $0 : nil }
            if wakeup?.isStopping == true { return }
        }
    }

    func makeMaintenance() -> Maintenance { Maintenance(core) }

    /// Returns a verified entry. Five system calls for one of up to 256 KiB, which is in memory.
    package func find(_ key: Digest256, tag: UInt64) -> FoundEntry? { core.find(key, tag: tag) }

    /// Whether there is a file for `key`, which may still be damaged. One system call.
    package func contains(_ key: Digest256, tag: UInt64) -> Bool { core.contains(EntryName(key, tag: tag)) }

    /// As ``contains(_:tag:)``, and counts a use.
    package func use(_ key: Digest256, tag: UInt64) -> Bool { core.use(EntryName(key, tag: tag)) }

    /// Counts a use of an entry that was found before and is kept open.
    package func used(_ key: Digest256, tag: UInt64) { core.used(EntryName(key, tag: tag)) }

    func epoch(of tag: UInt64) -> PurgeFence.Epoch { core.fence.epoch(tag) }

    /// Not while storing is off, at 105 % of the room, over an eighth of it, or if purged meanwhile. Not synchronised.
    @discardableResult
    package func store(_ record: EntryRecord) -> Bool { store(record, begunAt: epoch(of: record.tag)) }

    @discardableResult
    func store(_ record: EntryRecord, begunAt epoch: PurgeFence.Epoch) -> Bool { core.store(record, begunAt: epoch) }

    /// Stores a tag marker: `key` has an entry of another group that goes with the group of `tag` too. Markers are found by
    /// ``contains(_:tag:)`` and ``use(_:tag:)`` alone; `cost` is that of the entry, for eviction. Returns whether there is one; else
    /// as ``store(_:)``. Usually one system call.
    package func mark(_ key: Digest256, tag: UInt64, cost: Duration) -> Bool {
        core.mark(key, tag: tag, cost: cost, begunAt: epoch(of: tag))
    }

    /// Removes the entry for `key`; returns whether there was one. Entries with its tag that are being stored are not kept.
    @discardableResult
    package func remove(_ key: Digest256, tag: UInt64) -> Bool { core.remove(EntryName(key, tag: tag)) }

    /// Also other processes' entries. From then on none is found, and none begun before is stored. Returns their number.
    @discardableResult package func purge(tag: UInt64) -> Int {
        // The first record keeps others from storing what they have begun; the second makes them forget what they found
        // meanwhile.
        core.share(.group(tag: tag))
        defer { core.share(.group(tag: tag)) }
        return core.purge(tag: tag)
    }

    /// As ``remove(_:tag:)``, also in other processes.
    @discardableResult package func purge(_ key: Digest256, tag: UInt64) -> Bool {
        defer { core.share(.entry(key: key, tag: tag)) }
        return core.remove(EntryName(key, tag: tag))
    }

    /// Removes all entries at once from sight, and their files in the background.
    package func purgeAll() {
        core.purgeAll()
        core.share(.whole)
    }

    /// The right to make the entry of `key`; nil while anybody else has it.
    package func tryLock(_ key: Digest256) -> KeyLock? { KeyLock(key, locks: core.locks, folder: core.folder) }

    /// Calls `listener` with what other processes purge from now on, on the thread `disk-0`, when it is gone from the disk.
    package func onSharedPurge(_ listener: @escaping @Sendable (SharedPurge) -> Void) {
        core.addPurgeListener(listener)
    }

    /// Calls `chore`, which must be short, each fifteen seconds on the thread `disk-0`.
    package func regularly(_ chore: @escaping @Sendable () -> Void) { core.addChore(chore) }

    package var counts: EntryCounts { core.counts }

    /// The most bytes that an entry may have, as blocks of the file system.
    package var entryByteLimit: Int { core.index.entryLimit }

    /// Ends the background work and waits for it, wherever it is. Finding and storing still work.
    package func close() {
        core.wakeup.withLock { $0.isStopping = true }
        core.wakeup.signal()
        thread?.join()
    }
}
