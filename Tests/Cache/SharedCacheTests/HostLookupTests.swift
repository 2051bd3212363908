import Digest
import Glibc
import Reactor
import Synchronization
import Testing

@testable import SharedCache

@Suite(.timeLimit(.minutes(5))) struct HostLookupTests {
    /// Names are looked up here; each look-up waits until it may end.
    private final class Names: Sendable {
        let mayEnd: Monitor<Bool>
        let count = Atomic<Int>(0)
        let addresses: [String]

        init(_ addresses: [String], mayEnd: Bool = true) {
            self.addresses = addresses
            self.mayEnd = Monitor(mayEnd)
        }

        var lookUp: HostLookup.LookUp {
            { _ in
                self.count.wrappingAdd(1, ordering: .acquiringAndReleasing)
                self.mayEnd.wait { $0 ? () : nil }
                return self.addresses
            }
        }

        func end() {
            mayEnd.withLock { $0 = true }
            mayEnd.broadcast()
        }

        var lookUpCount: Int { count.load(ordering: .acquiring) }
    }

    private static let key = SHA256.digest(of: "key")

    private static func settings(_ names: Names, port: UInt16 = 1) throws -> SharedCacheSettings {
        var settings = SharedCacheSettings(try #require(RedisAddress("redis://cache.example:\(port)")))
        settings.lookUp = names.lookUp
        return settings
    }

    @Test func numericAddresses_areThemselves() {
        #expect(HostLookup.system("127.0.0.1") == ["127.0.0.1"])
        #expect(HostLookup.system("::1") == ["::1"])
    }

    @Test func lateAnswer_servesWhoAsksNext() {
        let names = Names(["192.0.2.1"], mayEnd: false)
        let lookup = HostLookup("cache.example", clock: .system, lookUp: names.lookUp)
        for _ in 0..<3 { #expect(lookup.addresses(forAtMost: .milliseconds(5)) == []) }
        names.end()
        for _ in 0..<3 { #expect(lookup.addresses(forAtMost: .seconds(60)) == ["192.0.2.1"]) }
        #expect(names.lookUpCount == 1)
    }

    @Test func name_isLookedUpAgain_afterAWhile_andAfterAFailure() {
        let ahead = Atomic<Int>(0)
        let clock = Clock(
            monotonic: { Clock.system.monotonic() + .seconds(ahead.load(ordering: .acquiring)) },
            unixSeconds: Clock.system.unixSeconds)
        let names = Names(["192.0.2.1"])
        let lookup = HostLookup("cache.example", clock: clock, lookUp: names.lookUp)
        for seconds in [0, 11, 22] {
            ahead.store(seconds, ordering: .releasing)
            #expect(lookup.addresses(forAtMost: .seconds(60)) == ["192.0.2.1"])
        }
        #expect(names.lookUpCount == 3)
        let none = Names([])
        let other = HostLookup("cache.example", clock: .system, lookUp: none.lookUp)
        for _ in 0..<3 { #expect(other.addresses(forAtMost: .seconds(60)) == []) }
        #expect(none.lookUpCount == 3)
    }

    @Test func nextAddress_isTried_whereOneRefuses() throws {
        let server = try FakeRedis { _ in Array(":1\r\n".utf8) }
        defer { server.stop() }
        let names = Names(["127.0.0.2", "127.0.0.1"])
        var settings = try Self.settings(names, port: server.port)
        settings.patience = .seconds(20)
        let cache = try SharedCache.open(settings, clock: .system, report: { _ in })
        defer { cache.close() }
        guard case .held(let lock, _) = cache.lock(Self.key, tag: 7) else { return #expect(Bool(false), "not locked") }
        withExtendedLifetime(lock) {}
    }

    /// No server of names answers: the breaker opens, and the tier closes all the same.
    @Test func lookUpWithoutAnEnd_costsNoMoreThanPatience() throws {
        let names = Names(["127.0.0.1"], mayEnd: false)
        defer { names.end() }
        var settings = try Self.settings(names)
        settings.patience = .milliseconds(20)
        let cache = try SharedCache.open(settings, clock: .system, report: { _ in })
        try cache.listen()
        for _ in 0..<50 { #expect(cache.find(Self.key, tag: 7) == nil) }
        // The breaker asks no more: what failed is far less than what was asked.
        #expect((3..<30).contains(cache.counts.failures))
        cache.close()
        // Its thread may not have come to run.
        while names.lookUpCount == 0 { sched_yield() }
        #expect(names.lookUpCount == 1)
    }
}
