package import Bytes
import Reactor
package import ResponseCache
import Synchronization

extension OriginCache {
    func mayBeOnDisk(_ assignment: Assignment) -> Bool {
        assignment.held == nil && assignment.item.isPersistent && store?.hasDisk == true
    }

    /// Looks for an assignment on disk; returns what is left to fetch.
    func look(_ assignment: Assignment, for client: RemoteDirectives) -> Assignment? {
        let found = stored(assignment.item)
        let (now, instant) = (clock.unixSeconds(), clock.monotonic())
        let (left, steps) = state.withLock { state in
            let result = state.table.looked(assignment, found: found, for: client, now: now, instant: instant)
            state.counts.countLook(isUsable: found != nil && result.left == nil)
            return result
        }
        run(steps)
        return left
    }

    /// The content of a held item and its answer; nil if the origin has none. Waits for the disk; workers only.
    package func read(_ item: OriginItem) throws(FetchFailure) -> (content: SharedBytes, answer: CachedAnswer)? {
        let answer: CachedAnswer
        switch current(item) {
        case .absent: return nil
        case .failed(let failure): throw failure
        case .found(let held): answer = held
        }
        switch answer.content {
        case .memory(let bytes): return (bytes, answer)
        case .file(let file): if let content = file.wholeContent() { return (content, answer) }
        case .disk:
            if let (kept, record) = storedRecord(item), let content = kept.wholeContent() {
                return (content, CachedAnswer(record.exchange, .disk, digest: record.digest))
            }
        }
        state.withLock { $0.table.forget(item.key, number: answer.number) }
        throw .evicted
    }

    /// A held item with its content where that is, in memory or in a file, to be sent from there; nil if the origin has none. What
    /// the disk tier has is verified first, as for ``read(_:)``. Waits for the disk; workers only.
    package func open(_ item: OriginItem) throws(FetchFailure) -> CachedAnswer? {
        switch current(item) {
        case .absent: return nil
        case .failed(let failure): throw failure
        case .found(let answer):
            guard case .disk = answer.content else { return answer }
            if let (kept, record) = storedRecord(item) {
                let content = kept.file.map(CachedAnswer.Content.file) ?? .memory(kept.response.content)
                return CachedAnswer(record.exchange, content, digest: record.digest)
            }
            state.withLock { $0.table.forget(item.key, number: answer.number) }
            throw .evicted
        }
    }

    private static let mediaType = "application/x-veduta-original"

    private func storedRecord(_ item: OriginItem) -> (KeptAnswer, StoredRecord)? {
        guard let store,
            let kept = store.find(
                item.key, tag: item.tag, entityTag: "", mediaTypes: [Self.mediaType],
                since: store.ledger.epoch, keepsInMemory: false),
            let record = StoredRecord(kept.response.head, selecting: rules.fields)
        else { return nil }
        return (kept, record)
    }

    package func stored(_ item: OriginItem) -> CachedAnswer? {
        guard let (kept, record) = storedRecord(item) else { return nil }
        guard rules.holding == .memory else { return CachedAnswer(record.exchange, .disk, digest: record.digest) }
        return kept.wholeContent().map { CachedAnswer(record.exchange, .memory($0)) }
    }

    /// Writes an answer to the disk tier, if there is one, on a worker.
    package func write(_ item: OriginItem, _ answer: CachedAnswer, since epoch: PurgeEpoch?) {
        guard let store, let epoch, store.hasDisk, item.isPersistent else { return }
        _ = workers?.submit { [self] in
            let content: SharedBytes
            switch answer.content {
            case .memory(let bytes): content = bytes
            case .file(let file):
                guard let bytes = file.wholeContent() else { return }
                content = bytes
            case .disk: return
            }
            let entry = StoredResponse(
                status: 200, mediaType: Self.mediaType, entityTag: "",
                lastModifiedUnixSeconds: answer.exchange.lastModified, head: StoredRecord(answer).bytes,
                content: content, tag: item.tag, cost: .seconds(1), storedUnixSeconds: clock.unixSeconds())
            guard store.write(entry, for: item.key, since: epoch) else { return }
            state.withLock { $0.table.stored(item.key, number: answer.number) }
        }
    }

    func remove(_ item: OriginItem) {
        guard let store, store.hasDisk, item.isPersistent else { return }
        // Where no worker has room, the thread of the fetches waits for the disk: what is gone must not be found there again.
        let purge: @Sendable () -> Void = { _ = store.purge(item.key, tag: item.tag) }
        if workers?.submit(purge) != true { purge() }
    }

    func isPurged(_ item: OriginItem, since epoch: PurgeEpoch?) -> Bool {
        guard let store, let epoch else { return false }
        return store.ledger.isPurged(item.tag, item.key, since: epoch)
    }
}
