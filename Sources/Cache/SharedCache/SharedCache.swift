package import Digest
package import DiskStore
package import Reactor
import Bytes
import Origin
import Synchronization

// Nothing there makes a request fail: what cannot be asked in time is not there. Loops never call this. Workers wait for an answer,
// and threads of the tier alone use the network.

/// Results, locks and purges that several servers share, in Redis.
package final class SharedCache: Sendable {
    /// Of the content of a result in Redis.
    package static let contentLimit = 256 << 10

    let settings: SharedCacheSettings
    let commands: SharedCommands
    let host: HostLookup
    let clock: Clock
    let report: @Sendable (SharedCacheEvent) -> Void
    /// nil: what is too large for Redis is not shared.
    private let objects: SharedObjects?
    let counters = Mutex(SharedCounts())
    let work: Monitor<SharedWork>
    let held = Mutex<[String: Digest256]>([:])
    let listeners = Mutex<[@Sendable (SharedPurge) -> Void]>([])
    /// The generation heard of last, where entries of this server outlive it.
    let memory: FileDescriptor?
    /// Whether it is closed.
    let ending = Monitor(false)
    private let generation = Atomic<UInt64>(0)
    private let threads = Mutex<[OwnedThread]>([])
    /// Names this server to others.
    let server = SharedCache.newToken()

    private init(
        _ settings: SharedCacheSettings, objects: SharedObjects?, memory: consuming FileDescriptor?, clock: Clock,
        report: @escaping @Sendable (SharedCacheEvent) -> Void
    ) {
        self.settings = settings
        commands = SharedCommands(settings.prefix)
        host = HostLookup(settings.address.host, clock: clock, lookUp: settings.lookUp)
        self.objects = objects
        self.memory = memory
        self.clock = clock
        self.report = report
        work = Monitor(SharedWork(writeLimit: settings.waitingLimit, writeByteLimit: settings.waitingByteLimit))
    }

    deinit { close() }

    /// Connects in the background, whenever that is possible. `memory` is a file for what outlives this server, with its entries.
    /// Errors: `EAGAIN`, …
    package static func open(
        _ settings: SharedCacheSettings, objects: SharedObjects? = nil, memory: consuming FileDescriptor? = nil,
        clock: Clock,
        report: @escaping @Sendable (SharedCacheEvent) -> Void
    ) throws(Errno) -> SharedCache {
        let cache = SharedCache(settings, objects: objects, memory: memory, clock: clock, report: report)
        do throws(Errno) {
            for number in 0..<max(1, settings.connectionCount) {
                try cache.start("shared-\(number)") { $0.serve() }
            }
        } catch {
            cache.close()
            throw error
        }
        return cache
    }

    /// Hears of purges from now on; the listeners are there.
    package func listen() throws(Errno) { try start("shared-purges") { $0.hear() } }

    private func start(_ name: String, _ body: @escaping @Sendable (SharedCache) -> Void) throws(Errno) {
        let thread = try OwnedThread.start(name: name) { [unowned self] in body(self) }
        threads.withLock { $0.append(thread) }
    }

    /// Calls `listener` with the purges of other servers, on the thread that hears of them, in order.
    package func onPurge(_ listener: @escaping @Sendable (SharedPurge) -> Void) {
        listeners.withLock { $0.append(listener) }
    }

    package var counts: SharedCounts { counters.withLock { $0 } }

    /// The generation whose purges are all noted here; nil before the first contact. Taken before a look whether something was
    /// purged: what is stored with it is refused where something was purged since.
    package var heard: UInt64? {
        let heard = generation.load(ordering: .acquiring)
        return heard == 0 ? nil : heard
    }

    func hear(of generation: UInt64) { self.generation.store(generation, ordering: .releasing) }

    // MARK: Results

    /// A verified entry. Waits for an answer, for ``SharedCacheSettings/patience`` at most, and for ``SharedObjects/patience`` where
    /// it is an object.
    package func find(_ key: Digest256, tag: UInt64, furtherTags: [UInt64] = []) -> FoundEntry? {
        guard !work.withLock({ $0.isPurging(key, [tag] + furtherTags) }) else { return nil }
        let reply = ask { [commands] connection throws(RedisError) in
            try connection.call(
                commands.find(key, tag: tag, furtherTags: furtherTags),
                replyLimit: Self.contentLimit + EntryRecord.trailerLimit + 64)
        }
        guard let reply else { return nil }
        guard case .bytes(let bytes) = reply, let whole = whole(bytes, key, tag: tag) else {
            counters.withLock { $0.misses += 1 }
            return nil
        }
        guard let found = FoundEntry(SharedBytes(whole), key: key, tag: tag) else {
            counters.withLock { $0.corruptions += 1 }
            remove(key, tag: tag)
            return nil
        }
        counters.withLock { $0.hits += 1 }
        return found
    }

    /// `bytes`, or the object that they point to; nil where that cannot be had.
    private func whole(_ bytes: [UInt8], _ key: Digest256, tag: UInt64) -> [UInt8]? {
        guard let pointer = SharedPointer(bytes) else { return bytes }
        switch objects?.read(pointer) {
        case .found(let object): return object
        case .wrong: remove(key, tag: tag)
        case .unavailable: counters.withLock { $0.failures += 1 }
        case nil: break
        }
        return nil
    }

    /// Does not wait. Not if a group was purged after the generation `heard`; `lock` is held until then.
    package func store(_ record: EntryRecord, furtherTags: [UInt64], heard: UInt64, before lock: SharedLock?) {
        let (key, tag) = (record.key, record.tag)
        let command: @Sendable ([UInt8]) -> [[UInt8]] = { [commands] in
            commands.store($0, key, tag: tag, furtherTags: furtherTags, heard: heard)
        }
        guard record.content.count > Self.contentLimit else {
            return put(byteCount: record.content.count, before: lock) { command(record.fileBytes) }
        }
        guard let objects, record.content.count <= SharedObjects.contentLimit else { return }
        let isSent = objects.write(record.fileBytes) { [self] pointer in
            put(before: lock) { command(pointer.bytes) }
        }
        if !isSent { counters.withLock { $0.drops += 1 } }
    }

    private func put(byteCount: Int = 0, before lock: SharedLock?, _ command: @escaping @Sendable () -> [[UInt8]]) {
        let isQueued = write(byteCount: byteCount) { [self] connection throws(RedisError) in
            let command = command()
            let reply = try withExtendedLifetime(lock) { () throws(RedisError) in
                try connection.call(command, replyLimit: 64)
            }
            if reply == .integer(1) { counters.withLock { $0.stores += 1 } }
        }
        if !isQueued { counters.withLock { $0.drops += 1 } }
    }

    package func remove(_ key: Digest256, tag: UInt64) {
        _ = write { [commands] connection throws(RedisError) in
            _ = try connection.call(commands.remove(key, tag: tag), replyLimit: 64)
        }
    }

    // MARK: Locks

    package enum LockOutcome: Sendable {
        /// `isStored`: another server has made it in between.
        case held(SharedLock, isStored: Bool)
        case taken
        /// Nobody can be asked: everybody may make it.
        case unavailable
    }

    /// The right to make the entry of `key`. Waits for an answer.
    package func lock(_ key: Digest256, tag: UInt64) -> LockOutcome {
        let token = Self.newToken()
        let reply = ask { [commands] connection throws(RedisError) in
            try connection.call(commands.lock(key, tag: tag, token: token), replyLimit: 64)
        }
        switch reply {
        case .integer(0): return .taken
        case .integer(let found):
            held.withLock { $0[token] = key }
            return .held(SharedLock(key, token: token, owner: self), isStored: found == 2)
        default:
            // It may be locked after all, and others would wait for the lease.
            unlock(key, token: token)
            return .unavailable
        }
    }

    /// Calls `resume` on a thread of the tier when the lock of `key` may be free, or is not waited for any more. False, and no call,
    /// where too many wait.
    package func whenFree(
        _ key: Digest256, before deadline: MonotonicInstant, _ resume: @escaping @Sendable () -> Void
    ) -> Bool {
        let now = clock.monotonic()
        let isWaiting = work.withLock { $0.wait(SharedWait(key: key, deadline: deadline, resume: resume), now: now) }
        guard isWaiting else { return false }
        counters.withLock { $0.waits += 1 }
        work.signal()
        return true
    }

    func unlock(_ key: Digest256, token: String) {
        held.withLock { _ = $0.removeValue(forKey: token) }
        _ = write { [commands] connection throws(RedisError) in
            _ = try connection.call(commands.unlock(key, token: token), replyLimit: 64)
        }
    }

    // MARK: Purges

    /// Takes out of the tier what is purged, and tells other servers. Waits for that, but not for long; then it is done later.
    package func purge(_ purge: SharedPurge) {
        let pending = PendingPurge(purge: purge, told: Monitor(false))
        work.withLock { $0.purge(pending) }
        work.signal()
        guard pending.told.wait(forAtMost: settings.patience, until: { $0 ? true : nil }) == nil else { return }
        report(.purgeDelayed)
    }

    // MARK: The end

    /// Gives up what still waits, and waits for the threads. Nothing is found or stored afterwards.
    package func close() {
        let (jobs, waits) = work.withLock { $0.stop() }
        work.broadcast()
        ending.withLock { $0 = true }
        ending.broadcast()
        for job in jobs { job.fail() }
        for wait in waits { wait.resume() }
        let threads = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in threads { thread.join() }
    }

    // MARK: Asking

    /// Nil where the tier does not answer in time.
    private func ask<Value: Sendable>(
        _ body: @escaping @Sendable (RedisConnection) throws(RedisError) -> Value
    ) -> Value? {
        let answer = Monitor<Answer<Value>>(.open)
        let now = clock.monotonic()
        let job = SharedJob(
            deadline: now + settings.patience,
            run: { connection throws(RedisError) in
                let value = try body(connection)
                answer.withLock { $0 = .given(value) }
                answer.signal()
            },
            fail: {
                answer.withLock { $0 = .none }
                answer.signal()
            })
        guard work.withLock({ $0.ask(job, now: now) }) else { return nil }
        work.signal()
        let outcome: Answer<Value>? = answer.wait(forAtMost: settings.patience) {
            if case .open = $0 { nil } else { $0 }
        }
        guard let outcome else {
            counters.withLock { $0.failures += 1 }
            let now = clock.monotonic()
            work.withLock { $0.breaker.failed(now: now) }
            return nil
        }
        if case .given(let value) = outcome { return value }
        return nil
    }

    private enum Answer<Value: Sendable>: Sendable {
        case open, none
        case given(Value)
    }

    private func write(
        byteCount: Int = 0, _ body: @escaping @Sendable (RedisConnection) throws(RedisError) -> Void
    ) -> Bool {
        let now = clock.monotonic()
        let job = SharedJob(deadline: now + .seconds(10), byteCount: byteCount, run: body)
        guard work.withLock({ $0.write(job, now: now) }) else { return false }
        work.signal()
        return true
    }

    private static func newToken() -> String {
        String(UInt64.random(in: 0...(.max)), radix: 36) + String(UInt64.random(in: 0...(.max)), radix: 36)
    }
}

/// The right to make an entry while other servers wait; ends with its last reference, or a while after its server.
package final class SharedLock: Sendable {
    private let key: Digest256
    private let token: String
    private let owner: SharedCache

    init(_ key: Digest256, token: String, owner: SharedCache) {
        self.key = key
        self.token = token
        self.owner = owner
    }

    deinit { owner.unlock(key, token: token) }
}
