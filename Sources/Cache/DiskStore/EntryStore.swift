package import Digest
package import Reactor

/// Answers as files in a folder, which several processes may share. docs/CACHING.md says what is where.
///
/// Nothing that is in the folder can make it fail: what is wrong is a miss and removed. All calls but ``counts``
/// wait for the disk: they are for worker threads. None of them throws; what fails because of the disk turns
/// storing off for a while, and finding goes on as far as it works.
package final class EntryStore: Sendable {
    private let core: StoreCore
    private let thread: OwnedThread?

    private init(_ core: StoreCore, thread: OwnedThread?) {
        self.core = core
        self.thread = thread
    }

    deinit { close() }

    /// Opens or makes the folder. Quick however many entries there are; they are listed in the background, by the thread
    /// `disk-0`. `report` is called on any thread, also before this returns, and without a lock held.
    ///
    /// Errors: those of making and opening the folder, `EAGAIN` without a thread. A folder that can only be read is opened.
    package static func open(
        _ settings: EntryStoreSettings, clock: Clock, report: @escaping @Sendable (EntryStoreEvent) -> Void
    ) throws(Errno) -> EntryStore {
        let core = try ready(settings, clock, report)
        let thread = try OwnedThread.start(name: "disk-0") { run(core) }
        return EntryStore(core, thread: thread)
    }

    /// The same without the thread, for tests that do its steps.
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

    /// What the thread does, for tests.
    func makeMaintenance() -> Maintenance { Maintenance(core) }

    /// The entry for `key`, verified, or nil. Four system calls for one of up to 256 KiB, which comes as memory.
    package func find(_ key: Digest256, tag: UInt64) -> FoundEntry? { core.find(key, tag: tag) }

    /// Whether there is a file for `key`; it may still turn out to be damaged. One system call.
    package func contains(_ key: Digest256, tag: UInt64) -> Bool { core.contains(EntryName(key, tag: tag)) }

    /// The same, and where there is one, that counts as a use of it.
    package func use(_ key: Digest256, tag: UInt64) -> Bool { core.use(EntryName(key, tag: tag)) }

    /// What purges have been up to now, for ``store(_:begunAt:)``.
    func epoch(of tag: UInt64) -> PurgeFence.Epoch { core.fence.epoch(tag) }

    /// Stores `record`, in place of what its key had, and says whether it did.
    ///
    /// It does not while storing is off, at 105 % of the room, if the record takes more than an eighth of it or its fields
    /// more than 64 KiB, nor if its tag or everything is purged before it is done. Five system calls. Nothing is synchronised
    /// with the disk: see docs/CACHING.md.
    @discardableResult
    package func store(_ record: EntryRecord) -> Bool {
        store(record, begunAt: epoch(of: record.tag))
    }

    /// The same for what was begun at `epoch`.
    @discardableResult
    func store(_ record: EntryRecord, begunAt epoch: PurgeFence.Epoch) -> Bool {
        core.store(record, begunAt: epoch)
    }

    /// Removes the entry for `key` and says whether there was one. What is being stored with its tag is not kept.
    @discardableResult
    package func remove(_ key: Digest256, tag: UInt64) -> Bool { core.remove(EntryName(key, tag: tag)) }

    /// Removes all entries with `tag`, also those that other processes stored, says how many there were, and has the other
    /// processes do so too, which they do within about a second.
    ///
    /// When it returns, none of them is found, and none that was begun before will be. If the disk does not let them be
    /// removed, they are held back in this process until it does.
    @discardableResult
    package func purge(tag: UInt64) -> Int {
        // The first record keeps work that others have begun from being stored, the second makes them forget what they have
        // found in between.
        core.share(.group(tag: tag))
        defer { core.share(.group(tag: tag)) }
        return core.purge(tag: tag)
    }

    /// Removes the entry for `key`, as ``remove(_:tag:)`` does, and has other processes forget it.
    @discardableResult
    package func purge(_ key: Digest256, tag: UInt64) -> Bool {
        defer { core.share(.entry(key: key, tag: tag)) }
        return core.remove(EntryName(key, tag: tag))
    }

    /// Removes all entries. When it returns, none is found any more; their files are deleted in the background.
    package func purgeAll() {
        core.purgeAll()
        core.share(.whole)
    }

    /// The right to make the entry of `key`, or nil while another process, or somebody else in this one, has it.
    package func tryLock(_ key: Digest256) -> KeyLock? { KeyLock(key, locks: core.locks, folder: core.folder) }

    /// What the store holds and did. Cheap; any thread.
    package var counts: EntryCounts { core.counts }

    /// Ends the background work and waits for it; what was begun is left as it is. Finding and storing still work.
    package func close() {
        core.wakeup.withLock { $0.isStopping = true }
        core.wakeup.signal()
        thread?.join()
    }
}
