import Bytes
import Digest
import DiskStore
import Reactor
import Synchronization
import Testing

@testable import SharedCache

/// The tier as servers on the other side behave; `scripts/conformance fleet` has a real one.
@Suite(.timeLimit(.minutes(5))) struct SharedCacheTests {
    private static let key = SHA256.digest(of: "key")

    private static let entry = EntryRecord(
        key: key, tag: 7, status: 200, storedUnixSeconds: 1_800_000_000, cost: .milliseconds(3), fields: [1, 2, 3],
        content: SharedBytes([UInt8](repeating: 9, count: 1000)))

    private func bulk(_ bytes: [UInt8]) -> [UInt8] { Array("$\(bytes.count)\r\n".utf8) + bytes + Array("\r\n".utf8) }

    private func withCache(
        _ respond: @escaping FakeRedis.Respond, patience: Duration = .seconds(20),
        _ body: (SharedCache) throws -> Void
    ) throws {
        let server = try FakeRedis(respond)
        defer { server.stop() }
        let address = try #require(RedisAddress("redis://127.0.0.1:\(server.port)"))
        var settings = SharedCacheSettings(address)
        settings.patience = patience
        let cache = try SharedCache.open(settings, clock: .system, report: { _ in })
        defer { cache.close() }
        try body(cache)
    }

    @Test func wholeEntry_isFound() throws {
        let reply = bulk(Self.entry.fileBytes)
        try withCache({ _ in reply }) { cache in
            let found = try #require(cache.find(Self.key, tag: 7))
            #expect(found.status == 200 && found.fields == [1, 2, 3] && found.cost == .milliseconds(3))
            guard case .memory(let content) = found.content else { return #expect(Bool(false), "a file") }
            #expect(content.count == 1000 && cache.counts.hits == 1)
        }
    }

    @Test func eachChangedByte_isSeen() {
        let bytes = Self.entry.fileBytes
        #expect(FoundEntry(SharedBytes(bytes), key: Self.key, tag: 7) != nil)
        #expect(FoundEntry(SharedBytes(bytes), key: Self.key, tag: 8) == nil)
        #expect(FoundEntry(SharedBytes(bytes), key: SHA256.digest(of: "other"), tag: 7) == nil)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(FoundEntry(SharedBytes(changed), key: Self.key, tag: 7) == nil)
            #expect(FoundEntry(SharedBytes(Array(bytes[..<index])), key: Self.key, tag: 7) == nil)
        }
    }

    @Test func pointer_namesWhatItPointsTo() {
        let pointer = SharedPointer(to: [1, 2, 3])
        #expect(pointer.bytes.count == 48 && SharedPointer(pointer.bytes) == pointer)
        #expect(pointer.digest == SHA256.digest(of: [1, 2, 3]) && pointer.byteCount == 3)
        #expect(SharedPointer(to: [1, 2, 4]) != pointer)
        #expect(SharedPointer(Self.entry.fileBytes) == nil && SharedPointer(pointer.bytes + [0]) == nil)
        var huge = pointer.bytes
        huge[40] = 1
        #expect(SharedPointer(huge) == nil)
    }

    @Test func pointer_withoutObjects_isNoEntry() throws {
        let reply = bulk(SharedPointer(to: [1]).bytes)
        try withCache({ _ in reply }) { cache in
            #expect(cache.find(Self.key, tag: 7) == nil && cache.counts.misses == 1 && cache.counts.corruptions == 0)
        }
    }

    @Test func damagedEntry_isNotFound_andRemoved() throws {
        let commands = Mutex<Int>(0)
        var damaged = Self.entry.fileBytes
        damaged[0] ^= 1
        let reply = bulk(damaged)
        try withCache({ _ in
            commands.withLock { $0 += 1 }
            return reply
        }) { cache in
            #expect(cache.find(Self.key, tag: 7) == nil && cache.counts.corruptions == 1)
            while commands.withLock({ $0 }) < 2 { Processors.pause(.milliseconds(5)) }
        }
    }

    @Test(arguments: ["-ERR no\r\n", "*2000000000\r\n", "*9000\r\n", "rubbish\r\n", ":5\r\n", "$-1\r\n", "*-1\r\n"])
    func otherReplies_areNoEntry(reply: String) throws {
        try withCache({ _ in Array(reply.utf8) }) { cache in #expect(cache.find(Self.key, tag: 7) == nil) }
    }

    @Test func endlessReply_isCutOff() throws {
        let reply = Array("$500000000\r\n".utf8) + [UInt8](repeating: 1, count: 1 << 20)
        try withCache({ _ in reply }) { cache in
            #expect(cache.find(Self.key, tag: 7) == nil && cache.counts.failures == 1)
        }
    }

    @Test func endlessList_isCutOff() throws {
        // Each element is complete, so no limit of one of them is reached.
        let element = Array("$100000\r\n".utf8) + [UInt8](repeating: 1, count: 100_000) + Array("\r\n".utf8)
        let reply = Array("*8000\r\n".utf8) + (0..<20).flatMap { _ in element }
        try withCache({ _ in reply }) { cache in
            #expect(cache.find(Self.key, tag: 7) == nil && cache.counts.failures == 1)
        }
    }

    @Test func errors_areShownAsPlainText_andNoPassword() throws {
        let server = try FakeRedis { command in
            Array((command[0] == "AUTH" ? "-ERR unknown command, with args: 'secret'\r\n" : "-ERR \u{1b}[1m\r\n").utf8)
        }
        defer { server.stop() }
        func error(_ credentials: String) throws -> RedisError? {
            let address = try #require(RedisAddress("redis://\(credentials)127.0.0.1:\(server.port)"))
            do throws(RedisError) {
                let lookup = HostLookup(address.host, clock: .system, lookUp: HostLookup.system)
                _ = try RedisConnection(address, at: lookup, patience: .seconds(20)).call(["PING"])
                return nil
            } catch { return error }
        }
        #expect(try error("") == .refused("ERR ?[1m"))
        #expect(try error(":secret@") == .refused("user or password refused"))
    }

    @Test func newConnection_isNotTriedAgain() throws {
        let commands = Mutex<Int>(0)
        try withCache({ _ in
            commands.withLock { $0 += 1 }
            return nil
        }) { cache in
            #expect(cache.find(Self.key, tag: 7) == nil && cache.counts.failures == 1)
            #expect(commands.withLock { $0 } == 1)
        }
    }

    @Test func silence_costsNoMoreThanPatience_andThenNothing() throws {
        try withCache({ _ in [] }, patience: .milliseconds(20)) { cache in
            for _ in 0..<50 { #expect(cache.find(Self.key, tag: 7) == nil) }
            // The breaker asks no more: what failed is far less than what was asked.
            #expect((3..<30).contains(cache.counts.failures))
        }
    }

    @Test func lock_isTakenByOne() throws {
        let holder = Mutex<String?>(nil)
        try withCache({ command in
            guard command.count > 5, command[1].contains("'NX'") else { return Array(":1\r\n".utf8) }
            let isFree = holder.withLock { holder in
                if holder == nil { holder = command[5] }
                return holder == command[5]
            }
            return Array((isFree ? ":1\r\n" : ":0\r\n").utf8)
        }) { cache in
            guard case .held(let lock, let isStored) = cache.lock(Self.key, tag: 7) else {
                return #expect(Bool(false), "not locked")
            }
            #expect(!isStored && cache.held.withLock { $0.count } == 1)
            guard case .taken = cache.lock(Self.key, tag: 7) else { return #expect(Bool(false), "locked twice") }
            withExtendedLifetime(lock) {}
        }
    }

    @Test func nobodyToAsk_locksNothing() throws {
        let address = try #require(RedisAddress("redis://127.0.0.1:1"))
        let cache = try SharedCache.open(SharedCacheSettings(address), clock: .system, report: { _ in })
        defer { cache.close() }
        guard case .unavailable = cache.lock(Self.key, tag: 7) else { return #expect(Bool(false), "locked") }
        #expect(cache.heard == nil)
    }

    @Test func wait_ends_whenTheLockIsFree_orTheTierIsGone() throws {
        let isFree = Mutex(false)
        try withCache({ _ in
            let isFree = isFree.withLock { free in
                defer { free = true }
                return free
            }
            return Array((isFree ? "*1\r\n$-1\r\n" : "*1\r\n$1\r\nx\r\n").utf8)
        }) { cache in
            let resumed = Monitor(0)
            #expect(
                cache.whenFree(Self.key, before: .distantFuture) {
                    resumed.withLock { $0 += 1 }
                    resumed.broadcast()
                })
            resumed.wait { $0 == 1 ? () : nil }
        }
    }

    @Test func purge_isToldLater_whenTheTierIsBack() throws {
        let isUp = Mutex(false)
        let told = Monitor<[String]>([])
        let events = Mutex<[SharedCacheEvent]>([])
        let server = try FakeRedis { command in
            guard isUp.withLock({ $0 }) else { return nil }
            told.withLock { $0.append(command[3]) }
            told.broadcast()
            return Array(":1\r\n".utf8)
        }
        defer { server.stop() }
        var settings = SharedCacheSettings(try #require(RedisAddress("redis://127.0.0.1:\(server.port)")))
        settings.patience = .milliseconds(50)
        let cache = try SharedCache.open(settings, clock: .system) { event in events.withLock { $0.append(event) } }
        defer { cache.close() }
        cache.purge(.group(tag: 7))
        #expect(events.withLock { $0 } == [.purgeDelayed])
        isUp.withLock { $0 = true }
        #expect(told.wait { $0.isEmpty ? nil : $0 } == ["g0000000000000007"])
    }
}
