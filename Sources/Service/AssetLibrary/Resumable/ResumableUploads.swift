import Reactor
import Synchronization

/// Uploads that come in pieces and can be resumed after the client, the server or the network failed.
///
/// What is known of them is in memory too, so that a loop may ask without waiting for the disk; the files tell which
/// bytes are there. Safe to use from any thread.
package final class ResumableUploads: Sendable {
    private struct Entry {
        var state: ResumableState
        /// Somebody makes it, writes to it or ends it.
        var isBusy: Bool
    }

    private struct Table {
        var entries: [String: Entry] = [:]
        /// Uploads that are no asset yet, and the bytes that they will have.
        var openCount = 0
        var openByteCount = 0

        mutating func insert(_ entry: Entry) {
            entries[entry.state.token] = entry
            guard entry.state.assetID == nil else { return }
            openCount += 1
            openByteCount += entry.state.length
        }

        mutating func remove(_ token: String) {
            if let entry = entries.removeValue(forKey: token), entry.state.assetID == nil { close(entry) }
        }

        mutating func close(_ entry: Entry) {
            openCount -= 1
            openByteCount -= entry.state.length
        }
    }

    package let settings: ResumableSettings
    let folder: ResumableFolder
    private let table = Mutex(Table())

    /// Finds uploads from before the start, and removes expired ones.
    /// - Throws: `ResumableError.noRoom`, `.io`.
    package init(_ settings: ResumableSettings) throws(ResumableError) {
        self.settings = settings
        do throws(Errno) {
            folder = try ResumableFolder(path: settings.path)
            for found in try folder.load() {
                let state = ResumableState(
                    token: found.token, length: found.record.length, offset: found.byteCount,
                    metadata: found.record.metadata, isOpen: found.record.isOpen, target: found.record.target,
                    expiresUnixSeconds: found.touchedUnixSeconds.addingClamped(settings.lifetimeSeconds),
                    assetID: found.record.assetID)
                table.withLock { $0.insert(Entry(state: state, isBusy: false)) }
            }
        } catch {
            throw ResumableError(error)
        }
        removeExpired()
    }

    private var now: Int64 { settings.clock.unixSeconds() }
    private var nextExpiry: Int64 { now.addingClamped(settings.lifetimeSeconds) }

    // MARK: Looking

    /// Never waits for the disk.
    /// - Throws: `ResumableError.notFound`.
    package func state(of token: String) throws(ResumableError) -> ResumableState {
        let now = now
        guard let entry = table.withLock({ $0.entries[token] }), entry.isBusy || entry.state.expiresUnixSeconds > now
        else { throw .notFound }
        return entry.state
    }

    /// Of incomplete uploads, with the bytes that they will have.
    package var openCounts: (count: Int, byteCount: Int) { table.withLock { ($0.openCount, $0.openByteCount) } }

    // MARK: Beginning and ending

    /// First removes expired uploads. Waits for the disk.
    /// - Throws: `ResumableError.tooLarge`, `.tooMany`, `.full`, `.noRoom`, `.io`.
    package func create(length: Int, metadata: UploadMetadata) throws(ResumableError) -> ResumableState {
        guard length <= settings.byteLimit else { throw .tooLarge(limit: settings.byteLimit) }
        removeExpired()
        let appender = try reserve(length: length, metadata: metadata)
        defer { appender.giveUp() }
        do throws(Errno) { try appender.make() } catch { throw ResumableError(error) }
        return appender.start
    }

    /// The right to write to a new upload, of which nothing is on the disk yet; nil for `length`: the client does not know it.
    /// Never waits for the disk. Unless its files are made, the upload is forgotten when the right is given up.
    /// - Throws: `ResumableError.tooLarge`, `.tooMany`, `.full`.
    package func reserve(
        length: Int?, metadata: UploadMetadata = .none, target: UploadTarget? = nil
    ) throws(ResumableError) -> UploadAppender {
        let limit = length ?? settings.byteLimit
        guard limit <= settings.byteLimit else { throw .tooLarge(limit: settings.byteLimit) }
        let state = ResumableState(
            token: ResumableFolder.makeToken(), length: limit, offset: 0, metadata: metadata, isOpen: length == nil,
            target: target, expiresUnixSeconds: nextExpiry, assetID: nil)
        try table.withLock { table throws(ResumableError) in
            guard table.openCount < settings.countLimit else { throw .tooMany(limit: settings.countLimit) }
            guard limit <= settings.totalByteLimit - table.openByteCount else {
                throw .full(limit: settings.totalByteLimit)
            }
            table.insert(Entry(state: state, isBusy: true))
        }
        return UploadAppender(self, state, isMade: false)
    }

    /// Lets the caller, and nobody else, write to `token` from `offset` on; never waits for the disk.
    /// - Throws: `ResumableError.notFound`, `.busy`, `.wrongOffset`.
    package func append(to token: String, at offset: Int) throws(ResumableError) -> UploadAppender {
        let now = now
        let state = try table.withLock { table throws(ResumableError) in
            guard let entry = table.entries[token] else { throw .notFound }
            if entry.isBusy { throw .busy }
            guard entry.state.expiresUnixSeconds > now else { throw .notFound }
            guard entry.state.offset == offset else { throw .wrongOffset(expected: entry.state.offset) }
            table.entries[token]?.isBusy = true
            return entry.state
        }
        return UploadAppender(self, state)
    }

    /// Forgets `token`; an asset that it has become stays. Waits for the disk.
    /// - Throws: `ResumableError.notFound`, `.busy`.
    package func remove(_ token: String) throws(ResumableError) {
        let now = now
        try table.withLock { table throws(ResumableError) in
            guard let entry = table.entries[token] else { throw .notFound }
            if entry.isBusy { throw .busy }
            guard entry.state.expiresUnixSeconds > now else { throw .notFound }
            table.remove(token)
        }
        folder.remove(token)
    }

    /// Waits for the disk if anything has expired.
    package func removeExpired() {
        let now = now
        let expired = table.withLock { table in
            let tokens = table.entries.values
                .filter { !$0.isBusy && $0.state.expiresUnixSeconds <= now }.map(\.state.token)
            for token in tokens { table.remove(token) }
            return tokens
        }
        for token in expired { folder.remove(token) }
    }

    // MARK: What appenders tell

    func advanced(_ token: String, to offset: Int) {
        let expiry = nextExpiry
        table.withLock { table in
            table.entries[token]?.state.offset = offset
            table.entries[token]?.state.expiresUnixSeconds = expiry
        }
    }

    /// No more finished uploads are remembered than may be incomplete.
    func finished(_ token: String, as assetID: String, byteCount: Int) {
        let expiry = nextExpiry
        let forgotten = table.withLock { table -> String? in
            if let entry = table.entries[token], entry.state.assetID == nil { table.close(entry) }
            table.entries[token]?.state.assetID = assetID
            table.entries[token]?.state.length = byteCount
            table.entries[token]?.state.isOpen = false
            table.entries[token]?.state.offset = byteCount
            table.entries[token]?.state.expiresUnixSeconds = expiry
            guard table.entries.count - table.openCount > settings.countLimit else { return nil }
            let oldest = table.entries.values.filter { !$0.isBusy && $0.state.assetID != nil }
                .min { $0.state.expiresUnixSeconds < $1.state.expiresUnixSeconds }
            if let oldest { table.remove(oldest.state.token) }
            return oldest?.state.token
        }
        if let forgotten { folder.remove(forgotten) }
    }

    func discarded(_ token: String) {
        table.withLock { $0.remove(token) }
        folder.remove(token)
    }

    /// Of an upload that has no files.
    func forgotten(_ token: String) { table.withLock { $0.remove(token) } }

    func released(_ token: String) { table.withLock { $0.entries[token]?.isBusy = false } }
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(Int64(other))
        return overflows ? .max : sum
    }
}
