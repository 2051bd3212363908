package import Bytes
package import DiskStore
package import Reactor

// Memory is looked at on the loop's thread, disk on a worker, and what disk had goes to memory. An answer is put into memory
// before those who wait get it, and on disk afterwards: nobody waits for a disk to write. Each purge is noted in the ledger
// before any entry is taken out, and whoever stores asks the ledger, so that no work that began before a purge outlives it.

/// An answer as one of the tiers had it or a flight made it.
package struct KeptAnswer: Sendable {
    /// The answer; its content is empty when that stays on disk.
    package let response: StoredResponse
    /// The content, where it is too large to be read into memory.
    package let file: SharedFile?

    /// An answer whose content is in memory.
    package init(_ response: StoredResponse) {
        self.response = response
        file = nil
    }

    fileprivate init(_ response: StoredResponse, file: SharedFile) {
        self.response = response
        self.file = file
    }

    /// The content, read into memory where it has stayed on disk; nil where it cannot be read. It waits for the disk; workers
    /// only.
    package func wholeContent() -> SharedBytes? {
        guard let file else { return response.content }
        return file.wholeContent()
    }
}

/// Both tiers of the response cache.
package final class TieredCache: Sendable {
    private let memory: MemoryCache
    private let disk: EntryStore?
    private let memoryByteCapacity: Int
    package let ledger = PurgeLedger()

    /// A cache of at most `memoryByteCapacity` bytes of memory, what knowing the entries of `disk` takes included.
    package init(memoryByteCapacity: Int, disk: EntryStore?) {
        memory = MemoryCache(byteCapacity: memoryByteCapacity)
        self.memoryByteCapacity = memoryByteCapacity
        self.disk = disk
    }

    // MARK: Looking up

    /// The answer in memory for `key`, or nil. No allocation; any thread.
    package func response(for key: CacheKey) -> StoredResponse? { memory.response(for: key) }

    /// Whether there is a second tier.
    package var hasDisk: Bool { disk != nil }

    /// Whether memory has something for `key`; counts as no use.
    package func isInMemory(_ key: CacheKey) -> Bool { memory.contains(key) }

    /// Whether one of the tiers has something for `key`; counts as no use. It waits for the disk.
    package func contains(_ key: CacheKey, tag: CacheTag, furtherTags: [CacheTag] = []) -> Bool {
        if memory.contains(key) { return true }
        guard let disk, disk.contains(key.digest, tag: tag.word) else { return false }
        return furtherTags.allSatisfy { disk.contains(key.digest, tag: $0.word) }
    }

    /// The answer on disk for `key`, which goes to memory if its content was read into memory and `keepsInMemory` says so.
    /// It waits for the disk; workers only.
    ///
    /// - Parameters:
    ///   - furtherTags: the other groups of the answer; one that was purged with one of them is no answer.
    ///   - entityTag, status, mediaTypes: what the answer must have, of the types one; an entry with others is no answer and
    ///     is removed.
    ///   - epoch: taken before the look at the source that led to `key`.
    package func find(
        _ key: CacheKey, tag: CacheTag, furtherTags: [CacheTag] = [], entityTag: String, status: Int = 200,
        mediaTypes: [String], since epoch: PurgeEpoch, keepsInMemory: Bool
    ) -> KeptAnswer? {
        guard let disk, let found = disk.find(key.digest, tag: tag.word) else { return nil }
        guard let fields = StoredFields(found.fields), fields.entityTag == entityTag,
            mediaTypes.contains(fields.mediaType), found.status == status
        else {
            disk.remove(key.digest, tag: tag.word)
            return nil
        }
        // One whose marker is missing was purged, or is only just being written: removing it could take the new one.
        guard furtherTags.allSatisfy({ disk.use(key.digest, tag: $0.word) }) else { return nil }
        // An entry that a purge is about to remove may still have been found.
        guard !ledger.isPurged(tag, key, since: epoch), !ledger.isPurged(furtherTags, since: epoch) else { return nil }
        func response(_ content: SharedBytes) -> StoredResponse {
            StoredResponse(
                status: found.status, mediaType: fields.mediaType, entityTag: fields.entityTag,
                lastModifiedUnixSeconds: fields.lastModifiedUnixSeconds, head: fields.head, content: content, tag: tag,
                furtherTags: furtherTags, cost: found.cost, storedUnixSeconds: found.storedUnixSeconds)
        }
        makeRoomForIndex()
        switch found.content {
        case .memory(let content):
            let response = response(content)
            if keepsInMemory { keep(response, for: key, since: epoch) }
            return KeptAnswer(response)
        case .file(let file): return KeptAnswer(response(SharedBytes([])), file: file)
        }
    }

    // MARK: Keeping

    /// Takes `response` into memory, unless it was purged since `epoch` or is too large; whether it did.
    @discardableResult
    package func keep(_ response: StoredResponse, for key: CacheKey, since epoch: PurgeEpoch) -> Bool {
        memory.insert(response, for: key) { isPurged(response, key, since: epoch) }
    }

    /// Writes `response` to disk, unless it was purged since `epoch`; whether it is there. It waits for the disk; workers
    /// only.
    @discardableResult
    package func write(_ response: StoredResponse, for key: CacheKey, since epoch: PurgeEpoch) -> Bool {
        guard let disk, !isPurged(response, key, since: epoch) else { return false }
        let fields = StoredFields(
            mediaType: response.mediaType, entityTag: response.entityTag,
            lastModifiedUnixSeconds: response.lastModifiedUnixSeconds, head: response.head)
        let isStored = disk.store(
            EntryRecord(
                key: key.digest, tag: response.tag.word, status: response.status,
                storedUnixSeconds: response.storedUnixSeconds, cost: response.cost, fields: fields.bytes,
                content: response.content))
        makeRoomForIndex()
        guard isStored else { return false }
        // A purge that was noted after the first look may have gone past before the entry was there.
        guard writeTagMarkers(response, key, on: disk), !isPurged(response, key, since: epoch) else {
            for tag in [response.tag] + response.furtherTags { disk.remove(key.digest, tag: tag.word) }
            return false
        }
        return true
    }

    /// An entry lies in the folder of one tag. In the folders of its other tags lies a marker, an empty entry with the same
    /// key; without all of them the entry is not found, so a purge by tag need only list one folder. Markers are written
    /// last, so that none stands for an older entry.
    private func writeTagMarkers(_ response: StoredResponse, _ key: CacheKey, on disk: EntryStore) -> Bool {
        response.furtherTags.allSatisfy { tag in
            disk.store(
                EntryRecord(
                    key: key.digest, tag: tag.word, status: response.status,
                    storedUnixSeconds: response.storedUnixSeconds, cost: .zero, fields: [], content: SharedBytes([])))
        }
    }

    private func isPurged(_ response: StoredResponse, _ key: CacheKey, since epoch: PurgeEpoch) -> Bool {
        ledger.isPurged(response.tag, key, since: epoch) || ledger.isPurged(response.furtherTags, since: epoch)
    }

    /// The right to make the answer for `key`, or nil while another process on the same folder has it. Without a second tier
    /// everybody has it.
    package func lock(_ key: CacheKey) -> MakingLock? {
        guard let disk else { return MakingLock(held: nil) }
        return disk.tryLock(key.digest).map { MakingLock(held: $0) }
    }

    /// Knowing what is on disk takes memory, which comes out of the configured bound.
    private func makeRoomForIndex() {
        guard let disk else { return }
        let rest = max(0, memoryByteCapacity - disk.counts.indexByteCount)
        // Every sixty-fourth of the bound is often enough, and keeps within five hundredths of it what is resident.
        if abs(rest - memory.byteCapacity) > memoryByteCapacity / 64 { memory.setByteCapacity(rest) }
    }

    // MARK: Purging

    /// Takes out all entries of a group, in both tiers, and keeps what is being made from going in. Workers only.
    package func purge(tag: CacheTag) -> PurgeResult {
        ledger.notePurge(of: tag)
        let diskCount = disk?.purge(tag: tag.word) ?? 0
        return PurgeResult(memory: forget(tag), disk: diskCount)
    }

    /// Takes out the entry of `key`, whose group is `tag`. Workers only.
    package func purge(_ key: CacheKey, tag: CacheTag) -> PurgeResult {
        ledger.notePurge(of: key)
        let wasOnDisk = disk?.purge(key.digest, tag: tag.word) ?? false
        return PurgeResult(memory: forget(key), disk: wasOnDisk ? 1 : 0)
    }

    /// Takes everything out. Workers only.
    package func purgeAll() -> PurgeResult {
        ledger.notePurgeOfAll()
        let diskCount = disk?.counts.entryCount ?? 0
        disk?.purgeAll()
        return PurgeResult(memory: forgetAll(), disk: diskCount)
    }

    /// Forgets in memory what another process on the same folder has purged and taken from the disk.
    package func apply(_ purge: SharedPurge) {
        switch purge {
        case .group(let tag): _ = forget(CacheTag(word: tag))
        case .entry(let key, _): _ = forget(CacheKey(key))
        case .whole: _ = forgetAll()
        }
    }

    // The disk comes first, and then the purge is noted once more: a request that came after the first note may have found
    // on disk what it is about to take into memory.

    private func forget(_ tag: CacheTag) -> Int {
        ledger.notePurge(of: tag)
        return memory.purge(tag: tag)
    }

    private func forget(_ key: CacheKey) -> Int {
        ledger.notePurge(of: key)
        return memory.remove(key) == nil ? 0 : 1
    }

    private func forgetAll() -> Int {
        ledger.notePurgeOfAll()
        return memory.removeAll()
    }

    // MARK: Numbers and the end

    package var memoryCounts: CacheCounts { memory.counts }

    /// What disk holds and did; nil without a second tier.
    package var diskCounts: EntryCounts? { disk?.counts }

    /// Ends what the second tier does in the background. Nothing is looked up or stored afterwards.
    package func close() { disk?.close() }
}

/// The right to make an answer while other processes on the same folder wait for it; it ends with its last reference.
package struct MakingLock: Sendable {
    fileprivate let held: KeyLock?
}
