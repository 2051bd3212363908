package import Bytes
package import DiskStore
package import Reactor
package import SharedCache

// The loop looks in memory and a worker on disk, whose finds go to memory. A response is in memory before waiters get
// it, and written to disk afterwards: nobody waits for a write. Each purge is noted in the ledger before any entry is
// removed, and code that stores checks the ledger, so that the result of work that began before a purge is not kept.

package struct KeptAnswer: Sendable {
    /// Its content is empty when that stays on disk.
    package let response: StoredResponse
    /// The content, if it is too large for memory.
    package let file: SharedFile?

    package init(_ response: StoredResponse) {
        self.response = response
        file = nil
    }

    fileprivate init(_ response: StoredResponse, file: SharedFile) {
        self.response = response
        self.file = file
    }

    /// The content, read into memory if it is on disk; nil if it cannot be read. Waits for the disk; workers only.
    package func wholeContent() -> SharedBytes? { if let file { file.wholeContent() } else { response.content } }
}

/// Memory and disk tier of the response cache.
package final class TieredCache: Sendable {
    private let memory: MemoryCache
    private let disk: EntryStore?
    private let openEntries: OpenEntries
    private let shared: SharedCache?
    private let memoryByteCapacity: Int
    package let ledger = PurgeLedger()
    package let results: ResultMemory

    /// How many files stay open for entries of the disk, with some 2 KB of memory each.
    package static func openFileLimit(ofDescriptors limit: Int) -> Int { min(1024, limit / 16) }

    /// Uses at most `memoryByteCapacity` bytes of memory, with the index of `disk`; results that are still to be sent may take
    /// `unsentByteLimit` more.
    package init(
        memoryByteCapacity: Int, unsentByteLimit: Int = 1 << 30, openFileLimit: Int = 64, disk: EntryStore?,
        shared: SharedCache? = nil
    ) {
        results = ResultMemory(byteLimit: memoryByteCapacity + unsentByteLimit)
        memory = MemoryCache(byteCapacity: memoryByteCapacity)
        self.memoryByteCapacity = memoryByteCapacity
        self.disk = disk
        let openEntries = OpenEntries(limit: openFileLimit)
        self.openEntries = openEntries
        disk?.regularly { openEntries.closeResting() }
        self.shared = shared
        shared?.onPurge { [weak self] in self?.purgeHere($0) }
    }

    // MARK: Looking up

    package func response(for key: CacheKey) -> StoredResponse? { memory.response(for: key) }

    /// What the disk has, if it was verified and served lately and did not change since. Does not wait for the disk.
    package func openEntry(for key: CacheKey) -> KeptAnswer? {
        guard let disk, let found = openEntries.find(key) else { return nil }
        disk.used(key.digest, tag: found.response.tag.word)
        for tag in found.response.furtherTags { disk.used(key.digest, tag: tag.word) }
        return found
    }

    package var hasDisk: Bool { disk != nil }
    /// Whether a worker may find what memory has not.
    package var hasLowerTier: Bool { disk != nil || shared != nil }

    /// Counts as no use.
    package func isInMemory(_ key: CacheKey) -> Bool { memory.contains(key) }

    /// Whether one of the tiers has a response; counts as no use. Waits for the disk.
    package func contains(_ key: CacheKey, tag: CacheTag, furtherTags: [CacheTag] = []) -> Bool {
        if memory.contains(key) { return true }
        guard let disk, disk.contains(key.digest, tag: tag.word) else { return false }
        return furtherTags.allSatisfy { disk.contains(key.digest, tag: $0.word) }
    }

    /// Workers only. Removes an entry that differs from what is asked; `epoch` is from before the look at the source. `keepsOpen`:
    /// ``openEntry(for:)`` finds content that is too large for memory, though memory is to have none of it.
    package func find(
        _ key: CacheKey, tag: CacheTag, furtherTags: [CacheTag] = [], entityTag: String, status: Int = 200,
        mediaTypes: [String], since epoch: PurgeEpoch, keepsInMemory: Bool, keepsOpen: Bool = false,
        keepsOnDisk: Bool = true, isShared: Bool = false
    ) -> KeptAnswer? {
        func fits(_ found: FoundEntry) -> StoredFields? {
            guard let fields = StoredFields(found.fields), fields.entityTag == entityTag,
                mediaTypes.contains(fields.mediaType), found.status == status
            else { return nil }
            return fields
        }
        let here: (entry: FoundEntry, fields: StoredFields)? = disk?.find(key.digest, tag: tag.word).flatMap { found in
            guard let fields = fits(found) else {
                disk?.remove(key.digest, tag: tag.word)
                return nil
            }
            // A missing marker means purged, or just being written: removing the entry could take the new one.
            let hasMarkers = furtherTags.allSatisfy { disk?.use(key.digest, tag: $0.word) ?? false }
            return hasMarkers ? (found, fields) : nil
        }
        let elsewhere: (entry: FoundEntry, fields: StoredFields)? =
            here == nil && isShared
            ? shared?.find(key.digest, tag: tag.word, furtherTags: furtherTags.map(\.word)).flatMap { found in
                guard let fields = fits(found) else {
                    shared?.remove(key.digest, tag: tag.word)
                    return nil
                }
                return (found, fields)
            } : nil
        guard let (found, fields) = here ?? elsewhere else { return nil }
        // An entry that a purge is about to remove may still have been found.
        guard !ledger.isPurged(tag, key, since: epoch), !ledger.isPurged(furtherTags, since: epoch) else { return nil }
        func response(_ content: SharedBytes) -> StoredResponse {
            StoredResponse(
                status: found.status, mediaType: fields.mediaType, entityTag: fields.entityTag,
                lastModifiedUnixSeconds: fields.lastModifiedUnixSeconds, head: fields.head, content: content, tag: tag,
                furtherTags: furtherTags, cost: found.cost, storedUnixSeconds: found.storedUnixSeconds)
        }
        makeRoomForIndex()
        let kept: KeptAnswer
        switch found.content {
        case .memory(let content):
            kept = KeptAnswer(response(results.counted(content)))
            if elsewhere != nil, keepsOnDisk { write(kept.response, for: key, since: epoch) }
            guard keepsInMemory, !keep(kept.response, for: key, since: epoch) else { return kept }
        case .file(let file):
            kept = KeptAnswer(response(SharedBytes([])), file: file)
            guard keepsInMemory || keepsOpen else { return kept }
        }
        if let verified = found.verified {
            let answer = KeptAnswer(kept.response.with(SharedBytes([])), file: verified.file)
            openEntries.insert(answer, verified, for: key) { isPurged(kept.response, key, since: epoch) }
        }
        return kept
    }

    // MARK: Keeping

    @discardableResult
    package func keep(_ response: StoredResponse, for key: CacheKey, since epoch: PurgeEpoch) -> Bool {
        memory.insert(response, for: key) { isPurged(response, key, since: epoch) }
    }

    /// Unless it was purged since `epoch`; returns whether it is there. Waits for the disk; workers only.
    @discardableResult
    package func write(_ response: StoredResponse, for key: CacheKey, since epoch: PurgeEpoch) -> Bool {
        guard let disk, !isPurged(response, key, since: epoch) else { return false }
        let isStored = disk.store(record(response, key))
        makeRoomForIndex()
        guard isStored else { return false }
        WorkMeter.current?.add(.written(byteCount: response.content.count))
        // Markers let a purge of a further tag list one folder. They come last, so that none is of an older entry, and with its
        // cost, as they leave later: it is not found without them.
        let isMarked = response.furtherTags.allSatisfy { disk.mark(key.digest, tag: $0.word, cost: response.cost) }
        // A purge noted after the first look may have passed before the entry was there.
        guard isMarked, !isPurged(response, key, since: epoch) else {
            for tag in [response.tag] + response.furtherTags { disk.remove(key.digest, tag: tag.word) }
            return false
        }
        return true
    }

    /// Puts it where other servers find it, unless it was purged since `epoch`. Does not wait; `lock` is held until it is there.
    package func share(
        _ response: StoredResponse, for key: CacheKey, since epoch: PurgeEpoch, before lock: SharedLock?
    ) {
        // Before the look at the ledger: purges of that time are in it.
        guard let shared, let heard = shared.heard, !isPurged(response, key, since: epoch) else { return }
        shared.store(record(response, key), furtherTags: response.furtherTags.map(\.word), heard: heard, before: lock)
    }

    private func record(_ response: StoredResponse, _ key: CacheKey) -> EntryRecord {
        let fields = StoredFields(
            mediaType: response.mediaType, entityTag: response.entityTag,
            lastModifiedUnixSeconds: response.lastModifiedUnixSeconds, head: response.head)
        return EntryRecord(
            key: key.digest, tag: response.tag.word, status: response.status,
            storedUnixSeconds: response.storedUnixSeconds, cost: response.cost, fields: fields.bytes,
            content: response.content)
    }

    private func isPurged(_ response: StoredResponse, _ key: CacheKey, since epoch: PurgeEpoch) -> Bool {
        ledger.isPurged(response.tag, key, since: epoch) || ledger.isPurged(response.furtherTags, since: epoch)
    }

    /// Nil while another process on the same folder has it. Without a disk tier everybody has it.
    package func lock(_ key: CacheKey) -> MakingLock? {
        guard let disk else { return MakingLock(held: nil) }
        return disk.tryLock(key.digest).map { MakingLock(held: $0) }
    }

    /// The right to make a response while other servers wait; nil: there are none to ask. Waits for the network; workers only.
    package func lockElsewhere(_ key: CacheKey, tag: CacheTag) -> SharedCache.LockOutcome? {
        shared?.lock(key.digest, tag: tag.word)
    }

    /// See ``SharedCache/whenFree(_:before:_:)``.
    package func whenFree(
        _ key: CacheKey, before deadline: MonotonicInstant, _ resume: @escaping @Sendable () -> Void
    ) -> Bool {
        shared?.whenFree(key.digest, before: deadline, resume) ?? false
    }

    /// The index of the disk takes memory, which counts against the bound.
    private func makeRoomForIndex() {
        guard let disk else { return }
        let rest = max(0, memoryByteCapacity - disk.counts.indexByteCount)
        // Every sixty-fourth of the bound is often enough, and keeps what is resident within five hundredths of it.
        if abs(rest - memory.byteCapacity) > memoryByteCapacity / 64 { memory.setByteCapacity(rest) }
    }

    // MARK: Purging

    // Other servers come first, then the disk, then memory. The purge is noted again before each: what was found in one since the
    // last note may be on its way to the next.

    /// Removes a group from both tiers and keeps responses being made from going in. Workers only.
    package func purge(tag: CacheTag) -> PurgeResult { purge(.group(tag: tag.word)) }

    package func purge(_ key: CacheKey, tag: CacheTag) -> PurgeResult { purge(.entry(key: key.digest, tag: tag.word)) }

    package func purgeAll() -> PurgeResult { purge(.whole) }

    private func purge(_ purge: SharedPurge) -> PurgeResult {
        note(purge)
        if let shared {
            shared.purge(purge)
            note(purge)
        }
        let diskCount = removeFromDisk(purge)
        return PurgeResult(memory: forget(purge), disk: diskCount)
    }

    /// Calls `listener` with what other processes on the same folder and other servers purge from now on, when it is gone from
    /// the disk.
    package func onSharedPurge(_ listener: @escaping @Sendable (SharedPurge) -> Void) {
        disk?.onSharedPurge(listener)
        shared?.onPurge(listener)
    }

    /// The same for caches of groups: `listener` gets the tag of one, or nil for everything.
    package func onSharedPurge(ofGroup listener: @escaping @Sendable (CacheTag?) -> Void) {
        onSharedPurge { purge in
            switch purge {
            case .group(let tag): listener(CacheTag(word: tag))
            case .entry: break
            case .whole: listener(nil)
            }
        }
    }

    /// Removes from the disk what another server has purged; its listeners do the rest.
    private func purgeHere(_ purge: SharedPurge) {
        note(purge)
        _ = removeFromDisk(purge)
        apply(purge)
    }

    /// Removes from memory what another process on the same folder has purged and removed from disk.
    package func apply(_ purge: SharedPurge) { _ = forget(purge) }

    private func note(_ purge: SharedPurge) {
        switch purge {
        case .group(let tag): ledger.notePurge(of: CacheTag(word: tag))
        case .entry(let key, _): ledger.notePurge(of: CacheKey(key))
        case .whole: ledger.notePurgeOfAll()
        }
    }

    private func removeFromDisk(_ purge: SharedPurge) -> Int {
        guard let disk else { return 0 }
        switch purge {
        case .group(let tag): return disk.purge(tag: tag)
        case .entry(let key, let tag): return disk.purge(key, tag: tag) ? 1 : 0
        case .whole:
            defer { disk.purgeAll() }
            return disk.counts.entryCount
        }
    }

    private func forget(_ purge: SharedPurge) -> Int {
        note(purge)
        switch purge {
        case .group(let word):
            let tag = CacheTag(word: word)
            openEntries.purge(tag: tag)
            return memory.purge(tag: tag)
        case .entry(let digest, _):
            let key = CacheKey(digest)
            openEntries.remove(key)
            return memory.remove(key) == nil ? 0 : 1
        case .whole:
            openEntries.removeAll()
            return memory.removeAll()
        }
    }

    // MARK: Numbers and the end

    package var memoryCounts: CacheCounts { memory.counts }

    package var diskCounts: EntryCounts? { disk?.counts }

    /// The most bytes of an entry on disk, fields and all.
    package var diskEntryByteLimit: Int { disk?.entryByteLimit ?? 0 }

    package var sharedCounts: SharedCounts? { shared?.counts }

    /// Ends background work. Nothing may be looked up or stored afterwards.
    package func close() { disk?.close() }
}

/// The right to make a response while other processes on the same folder wait; ends with its last reference.
package struct MakingLock: Sendable {
    fileprivate let held: KeyLock?
}
