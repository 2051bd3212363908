import Bytes
import DiskStore
import Foundation
import Reactor
import Synchronization
import TestThreads
import Testing

@testable import ResponseCache

/// Purges of both tiers, with others at work.
@Suite(.timeLimit(.minutes(5))) struct TieredPurgeTests {
    /// A cache over a folder for one test, removed with it.
    private final class Tiers: Sendable {
        let path: String
        let store: EntryStore
        let cache: TieredCache
        private let isOwner: Bool

        init(sharing other: Tiers? = nil) throws {
            path = other?.path ?? NSTemporaryDirectory() + "veduta-tiers-\(UUID().uuidString)"
            isOwner = other == nil
            let listener = Listener()
            store = try EntryStore.open(
                EntryStoreSettings(path: path, byteCapacity: 64 << 20, fileCapacity: 10_000), clock: .system
            ) { event in
                if case .purgedElsewhere(let purge) = event { listener.cache.withLock { $0 }?.apply(purge) }
            }
            cache = TieredCache(memoryByteCapacity: 8 << 20, disk: store)
            listener.cache.withLock { $0 = cache }
        }

        deinit {
            store.close()
            if isOwner { try? FileManager.default.removeItem(atPath: path) }
        }
    }

    private final class Listener: Sendable {
        let cache = Mutex<TieredCache?>(nil)
    }

    private static let tag: UInt64 = 0x1234_5678_9abc_def0

    private func answer(
        _ byte: UInt8 = 7, tag: UInt64 = tag, further: [UInt64] = [], cost: Duration = .zero
    ) -> StoredResponse {
        StoredResponse(
            mediaType: "image/png", entityTag: "\"t\"", content: SharedBytes([UInt8](repeating: byte, count: 1000)),
            tag: CacheTag(word: tag), furtherTags: further.map(CacheTag.init(word:)), cost: cost)
    }

    private func find(
        _ key: CacheKey, _ cache: TieredCache, since epoch: ResponseCache.PurgeEpoch, further: [UInt64] = []
    ) -> KeptAnswer? {
        cache.find(
            key, tag: CacheTag(word: Self.tag), furtherTags: further.map(CacheTag.init(word:)), entityTag: "\"t\"",
            mediaTypes: ["image/png"], since: epoch,
            keepsInMemory: true)
    }

    /// Else they would be evicted before it, and it would not be found.
    @Test func entriesOfFurtherTags_haveTheCostOfTheAnswer() throws {
        let tiers = try Tiers()
        defer { withExtendedLifetime(tiers) {} }
        let response = answer(further: [5], cost: .milliseconds(70))
        #expect(tiers.cache.write(response, for: key(1), since: tiers.cache.ledger.epoch))
        for tag in [Self.tag, 5] {
            #expect(tiers.store.find(key(1).digest, tag: tag)?.cost == .milliseconds(70))
        }
    }

    @Test func purges_takeFromBothTiers_andCountBoth() throws {
        let tiers = try Tiers()
        defer { withExtendedLifetime(tiers) {} }
        let cache = tiers.cache
        for number in 0..<4 {
            let response = answer(tag: number < 3 ? Self.tag : 5)
            #expect(cache.keep(response, for: key(number), since: cache.ledger.epoch))
            #expect(cache.write(response, for: key(number), since: cache.ledger.epoch))
        }
        #expect(cache.purge(key(0), tag: CacheTag(word: Self.tag)) == PurgeResult(memory: 1, disk: 1))
        #expect(cache.purge(tag: CacheTag(word: Self.tag)) == PurgeResult(memory: 2, disk: 2))
        #expect(cache.purge(tag: CacheTag(word: Self.tag)) == PurgeResult())
        #expect(cache.contains(key(3), tag: CacheTag(word: 5)))
        #expect(cache.purgeAll() == PurgeResult(memory: 1, disk: 1))
        for number in 0..<4 { #expect(!cache.contains(key(number), tag: CacheTag(word: number < 3 ? Self.tag : 5))) }
    }

    @Test(arguments: [[6], [6, 0xff00_0000_0000_0001]] as [[UInt64]])
    func purgeOfAnotherGroup_takesTheAnswerToo(further: [UInt64]) throws {
        let tiers = try Tiers()
        defer { withExtendedLifetime(tiers) {} }
        let cache = tiers.cache
        for group in further {
            let before = cache.ledger.epoch
            #expect(cache.keep(answer(further: further), for: key(1), since: before))
            #expect(cache.write(answer(further: further), for: key(1), since: before))
            #expect(find(key(1), cache, since: before, further: further) != nil)
            #expect(cache.purge(tag: CacheTag(word: group)) == PurgeResult(memory: 1, disk: 1))
            #expect(cache.response(for: key(1)) == nil)
            #expect(!cache.contains(key(1), tag: CacheTag(word: Self.tag), furtherTags: further.map(CacheTag.init)))
            #expect(find(key(1), cache, since: cache.ledger.epoch, further: further) == nil)
            // What began before is kept in neither tier.
            #expect(!cache.keep(answer(further: further), for: key(1), since: before))
            #expect(!cache.write(answer(further: further), for: key(1), since: before))
            #expect(!cache.contains(key(1), tag: CacheTag(word: Self.tag), furtherTags: further.map(CacheTag.init)))
            #expect(find(key(1), cache, since: cache.ledger.epoch, further: further) == nil)
            #expect(cache.purge(tag: CacheTag(word: 9)) == PurgeResult())
        }
    }

    /// As a crash between the entry and its markers leaves it.
    @Test func answerThatLacksAMarker_isNotFound_untilItIsWrittenAgain_andAPurgeTakesItAfterARestart() throws {
        let first = try Tiers()
        let further: [UInt64] = [6, 0xff00_0000_0000_0001]
        #expect(first.cache.write(answer(1, further: further), for: key(1), since: first.cache.ledger.epoch))
        #expect(first.store.remove(key(1).digest, tag: further[1]))
        let second = try Tiers(sharing: first)
        let begun = second.cache.ledger.epoch
        #expect(find(key(1), second.cache, since: begun, further: further) == nil)
        #expect(second.cache.write(answer(2, further: further), for: key(1), since: begun))
        let found = find(key(1), first.cache, since: first.cache.ledger.epoch, further: further)
        #expect(found?.wholeContent()?.array == [UInt8](repeating: 2, count: 1000))
        let third = try Tiers(sharing: first)
        #expect(third.cache.purge(tag: CacheTag(word: further[0])) == PurgeResult(disk: 1))
        for cache in [second.cache, third.cache] {
            #expect(find(key(1), cache, since: cache.ledger.epoch, further: further) == nil)
        }
        withExtendedLifetime((first, second, third)) {}
    }

    @Test func failuresGoWithTheirOtherGroups() {
        let failures = NegativeCache<Int>()
        let now = MonotonicInstant(nanoseconds: 0)
        for (number, further) in [[CacheTag(word: 5)], []].enumerated() {
            failures.insert(
                404, for: key(number), tag: CacheTag(word: 1), furtherTags: further, at: now, lifetime: .seconds(60))
        }
        failures.purge(tag: CacheTag(word: 5))
        #expect(failures.failure(for: key(0), at: now) == nil)
        #expect(failures.failure(for: key(1), at: now) != nil)
    }

    @Test func workThatBeganBefore_isKeptInNeitherTier() throws {
        let tiers = try Tiers()
        defer { withExtendedLifetime(tiers) {} }
        let cache = tiers.cache
        let tag = CacheTag(word: Self.tag)
        let purges: [() -> Void] = [
            { _ = cache.purge(tag: tag) }, { _ = cache.purge(key(1), tag: tag) }, { _ = cache.purgeAll() },
            { cache.apply(.group(tag: Self.tag)) }, { cache.apply(.entry(key: key(1).digest, tag: Self.tag)) },
            { cache.apply(.whole) },
        ]
        for purge in purges {
            let epoch = cache.ledger.epoch
            purge()
            #expect(cache.response(for: key(1)) == nil)
            #expect(!cache.keep(answer(), for: key(1), since: epoch))
            #expect(!cache.write(answer(), for: key(1), since: epoch))
            #expect(!cache.contains(key(1), tag: tag))
            #expect(cache.keep(answer(), for: key(1), since: cache.ledger.epoch))
            #expect(cache.write(answer(), for: key(1), since: cache.ledger.epoch))
            // What another process purged is gone from the disk by the time that it is heard of.
            tiers.store.purgeAll()
        }
    }

    /// Requests that come while a purge is under way find on disk what is about to go: none of it may stay in memory.
    @Test(arguments: [false, true])
    func nothingComesBackFromDisk_onceThePurgeIsDone(isWhole: Bool) throws {
        let tiers = try Tiers()
        defer { withExtendedLifetime(tiers) {} }
        let cache = tiers.cache
        let tag = CacheTag(word: Self.tag)
        let round = Atomic<Int>(0)
        let isDone = Atomic<Bool>(false)
        let stale = Tally()
        onThreads(4) { thread in
            guard thread > 0 else {
                for _ in 0..<150 {
                    let epoch = cache.ledger.epoch
                    cache.keep(answer(), for: key(1), since: epoch)
                    cache.write(answer(), for: key(1), since: epoch)
                    round.add(1, ordering: .sequentiallyConsistent)
                    _ = isWhole ? cache.purgeAll() : cache.purge(tag: tag)
                    for _ in 0..<200 where cache.response(for: key(1)) != nil { stale.add() }
                }
                isDone.store(true, ordering: .sequentiallyConsistent)
                return
            }
            while !isDone.load(ordering: .sequentiallyConsistent) {
                let epoch = cache.ledger.epoch
                if cache.response(for: key(1)) == nil { _ = find(key(1), cache, since: epoch) }
            }
        }
        #expect(stale.value == 0)
    }

    @Test func otherProcess_forgetsWhatItHasInMemory() async throws {
        let first = try Tiers()
        let second = try Tiers(sharing: first)
        defer { withExtendedLifetime((first, second)) {} }
        let tag = CacheTag(word: Self.tag)
        #expect(second.cache.keep(answer(), for: key(1), since: second.cache.ledger.epoch))
        #expect(second.cache.keep(answer(tag: 5), for: key(2), since: second.cache.ledger.epoch))
        let begun = second.cache.ledger.epoch
        _ = first.cache.purge(tag: tag)
        let deadline = ContinuousClock.now + .seconds(60)
        while second.cache.response(for: key(1)) != nil, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(second.cache.response(for: key(1)) == nil)
        #expect(second.cache.response(for: key(2)) != nil)
        #expect(!second.cache.keep(answer(), for: key(1), since: begun))
    }
}
