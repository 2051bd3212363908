import Digest
import DiskStore
import Origin
import Reactor
import Synchronization

// What the threads of the tier do: some carry out jobs, each over a connection of its own, and one hears of purges.
extension SharedCache {
    /// Until the tier is closed.
    func serve() {
        var connection: RedisConnection?
        while true {
            switch nextTurn() {
            case .stop: return
            case .again, nil: continue
            case .ask(let job):
                guard job.deadline > clock.monotonic() else {
                    // It may have been the probe.
                    work.withLock { $0.breaker.abandoned() }
                    job.fail()
                    continue
                }
                if !attempt(&connection, job.run) { job.fail() }
            case .write(let job):
                let now = clock.monotonic()
                guard job.deadline > now, !work.withLock({ $0.breaker.isOpen(now: now) }) else {
                    job.fail()
                    continue
                }
                if !attempt(&connection, job.run) { job.fail() }
            case .purge(let pending): tell(pending, &connection)
            case .look(let waits): look(after: waits, &connection)
            }
        }
    }

    private func nextTurn() -> SharedWork.Turn? {
        let now = clock.monotonic()
        let pause = work.withLock { $0.pause(now: now) }
        return work.wait(forAtMost: pause) { [clock] work in
            let now = clock.monotonic()
            return work.next(now: now) ?? (work.pause(now: now) < pause ? .again : nil)
        }
    }

    /// Once more where the connection was one that Redis may have closed meanwhile.
    private func attempt(
        _ connection: inout RedisConnection?, _ body: (RedisConnection) throws(RedisError) -> Void
    ) -> Bool {
        var mayBeStale = connection != nil
        while true {
            do throws(RedisError) {
                let open: RedisConnection =
                    if let connection { connection } else {
                        try RedisConnection(settings.address, at: host, patience: settings.patience)
                    }
                connection = open
                try body(open)
                work.withLock { $0.breaker.succeeded() }
                return true
            } catch {
                if !error.keepsConnection { connection = nil }
                if mayBeStale, error == .broken {
                    mayBeStale = false
                    continue
                }
                counters.withLock { $0.failures += 1 }
                let now = clock.monotonic()
                work.withLock { $0.breaker.failed(now: now) }
                return false
            }
        }
    }

    private func tell(_ pending: PendingPurge, _ connection: inout RedisConnection?) {
        let isTold = attempt(&connection) { connection throws(RedisError) in
            _ = try connection.call(commands.purge(pending.purge, by: server), replyLimit: 64)
        }
        guard isTold else {
            let now = clock.monotonic()
            return work.withLock { $0.failed(pending, now: now) }
        }
        work.withLock { $0.told(pending) }
        pending.told.withLock { $0 = true }
        pending.told.signal()
    }

    /// Resumes those whose lock is free, or who have waited long enough.
    private func look(after waits: [SharedWait], _ connection: inout RedisConnection?) {
        let now = clock.monotonic()
        var holders: [RedisReply] = []
        _ = attempt(&connection) { connection throws(RedisError) in
            let command = commands.holders(waits.map(\.key))
            if case .list(let list) = try connection.call(command, replyLimit: 64 * waits.count + 64) { holders = list }
        }
        for (index, wait) in waits.enumerated() {
            let isTaken = index < holders.count && holders[index] != .none && now < wait.deadline
            if !isTaken || !work.withLock({ $0.wait(wait, now: now) }) { wait.resume() }
        }
    }
}

extension SharedCache {
    /// A purge is heard of at once; without one, this is how often the generation is looked at.
    private static let pollMilliseconds = 500
    private static let renewalInterval = Duration.seconds(2)

    /// Carries out the purges of other servers, until the tier is closed.
    func hear() {
        var heard = remembered()
        var isReached: Bool?
        while !isStopping {
            do throws(RedisError) {
                let connection = try RedisConnection(settings.address, at: host, patience: settings.patience)
                var renewed = clock.monotonic()
                while !isStopping {
                    let last = try poll(connection, &heard)
                    if isReached != true {
                        isReached = true
                        counters.withLock { $0.isReached = true }
                        report(.reached)
                    }
                    if clock.monotonic() - renewed >= Self.renewalInterval {
                        renewed = clock.monotonic()
                        try renewLocks(connection)
                    }
                    _ = try connection.call(
                        commands.wait(after: last, milliseconds: Self.pollMilliseconds), replyLimit: 4096,
                        wait: .milliseconds(Self.pollMilliseconds))
                }
            } catch {
                counters.withLock { $0.isReached = false }
                if isReached != false {
                    isReached = false
                    report(.lost(cause: error.cause))
                }
                _ = ending.wait(forAtMost: .milliseconds(500)) { $0 ? true : nil }
            }
        }
    }

    private var isStopping: Bool { ending.withLock { $0 } }

    /// Returns the generation heard of.
    private func poll(_ connection: RedisConnection, _ heard: inout UInt64?) throws(RedisError) -> UInt64 {
        let reply = try connection.call(commands.poll(after: heard), replyLimit: 1 << 20)
        guard let history = PurgeHistory(reply, after: heard, server: server) else { throw .malformed }
        if !history.isComplete { report(.historyLost) }
        let listeners = listeners.withLock { $0 }
        for purge in history.purges {
            for listener in listeners { listener(purge) }
            counters.withLock { $0.purges += 1 }
        }
        if heard != history.generation { remember(history.generation) }
        heard = history.generation
        // In this order: what is stored with this generation was not purged before it.
        hear(of: history.generation)
        return history.generation
    }

    private func renewLocks(_ connection: RedisConnection) throws(RedisError) {
        for (token, key) in held.withLock({ $0 }) {
            _ = try connection.call(commands.renew(key, token: token), replyLimit: 64)
        }
    }

    /// Twenty digits; nil where this server keeps nothing from before.
    private func remembered() -> UInt64? {
        guard let bytes = try? memory?.read(byteCount: 20, at: 0) else { return nil }
        return UInt64(String(decoding: bytes, as: UTF8.self))
    }

    private func remember(_ generation: UInt64) {
        let digits = String(generation)
        let text = String(repeating: "0", count: 20 - digits.utf8.count) + digits
        try? memory?.write(Array(text.utf8), at: 0)
    }
}
