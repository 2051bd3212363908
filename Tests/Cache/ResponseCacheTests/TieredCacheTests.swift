import Bytes
import DiskStore
import Foundation
import Reactor
import Testing

@testable import ResponseCache

/// Memory and disk together, with a real folder.
@Suite(.timeLimit(.minutes(5))) struct TieredCacheTests {
    /// A folder that is removed with this object.
    private final class Folder: Sendable {
        let path = FileManager.default.temporaryDirectory.path + "/veduta-tiers-\(UInt64.random(in: 0...UInt64.max))"
        deinit { try? FileManager.default.removeItem(atPath: path) }

        func open() throws -> EntryStore {
            try EntryStore.open(
                EntryStoreSettings(path: path, byteCapacity: 64 << 20, fileCapacity: 1000), clock: .system,
                report: { _ in })
        }
    }

    private typealias Cache = TieredCache

    private let folder = Folder()
    private let tag = CacheTag(word: 7)

    private func answer(_ number: Int, byteCount: Int = 100) -> StoredResponse {
        StoredResponse(
            mediaType: "image/webp", entityTag: "\"\(number)\"", lastModifiedUnixSeconds: 99,
            head: Array("ETag: \"\(number)\"\r\n".utf8),
            content: SharedBytes([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: byteCount)), tag: tag,
            cost: .milliseconds(12), storedUnixSeconds: 5)
    }

    private func find(_ number: Int, in cache: Cache, since epoch: ResponseCache.PurgeEpoch? = nil, keeps: Bool = true)
        -> KeptAnswer?
    {
        cache.find(
            key(number), tag: tag, entityTag: "\"\(number)\"", mediaTypes: ["image/png", "image/webp"],
            since: epoch ?? cache.ledger.epoch, keepsInMemory: keeps)
    }

    @Test func writtenAnswer_isFoundByTheNextProcess_andGoesToMemory() throws {
        do {
            let cache = Cache(memoryByteCapacity: 0, disk: try folder.open())
            defer { cache.close() }
            #expect(!cache.keep(answer(1), for: key(1), since: cache.ledger.epoch))
            #expect(cache.write(answer(1), for: key(1), since: cache.ledger.epoch))
            #expect(cache.contains(key(1), tag: tag))
        }
        let cache = Cache(memoryByteCapacity: 8 << 20, disk: try folder.open())
        defer { cache.close() }
        #expect(find(1, in: cache, keeps: false) != nil)
        #expect(cache.response(for: key(1)) == nil)
        #expect(find(1, in: cache) != nil)
        let kept = try #require(cache.response(for: key(1)))
        let original = answer(1)
        #expect(kept.head == original.head && kept.entityTag == original.entityTag)
        #expect(kept.mediaType == original.mediaType && kept.lastModifiedUnixSeconds == 99)
        #expect(kept.storedUnixSeconds == 5 && kept.cost == .milliseconds(12) && kept.tag == tag)
        #expect(kept.content.withUnsafeBytes { Array($0) } == [UInt8](repeating: 1, count: 100))
    }

    @Test func largeAnswer_staysInItsFile() throws {
        let cache = Cache(memoryByteCapacity: 8 << 20, disk: try folder.open())
        defer { cache.close() }
        #expect(cache.write(answer(2, byteCount: 400_000), for: key(2), since: cache.ledger.epoch))
        let found = try #require(find(2, in: cache))
        #expect(found.file?.byteCount == 400_000)
        #expect(found.response.content.count == 0)
        #expect(cache.response(for: key(2)) == nil)
    }

    @Test func entryThatSaysSomethingElse_isNoAnswer_andIsRemoved() throws {
        let cache = Cache(memoryByteCapacity: 8 << 20, disk: try folder.open())
        defer { cache.close() }
        #expect(cache.write(answer(3), for: key(3), since: cache.ledger.epoch))
        let other = cache.find(
            key(3), tag: tag, entityTag: "\"other\"", mediaTypes: ["image/webp"], since: cache.ledger.epoch,
            keepsInMemory: true)
        #expect(other == nil)
        #expect(!cache.contains(key(3), tag: tag))
    }

    @Test func purge_takesOutBothTiers_andKeepsOutWhatBeganBefore() throws {
        let cache = Cache(memoryByteCapacity: 8 << 20, disk: try folder.open())
        defer { cache.close() }
        let before = cache.ledger.epoch
        for number in 0..<4 {
            #expect(cache.keep(answer(number), for: key(number), since: before))
            #expect(cache.write(answer(number), for: key(number), since: before))
        }
        #expect(cache.purge(tag: tag) == PurgeResult(memory: 4, disk: 4))
        for number in 0..<4 {
            #expect(!cache.keep(answer(number), for: key(number), since: before))
            #expect(!cache.write(answer(number), for: key(number), since: before))
            #expect(!cache.contains(key(number), tag: tag))
            #expect(find(number, in: cache) == nil)
        }
        #expect(cache.keep(answer(1), for: key(1), since: cache.ledger.epoch))
        #expect(cache.write(answer(1), for: key(1), since: cache.ledger.epoch))
        // What was found by a look before the purge is not put back into memory.
        #expect(find(1, in: cache, since: before) == nil)
        #expect(cache.purgeAll().memory == 1)
        #expect(!cache.contains(key(1), tag: tag))
    }

    @Test func oneMakes_whatAnotherWaitsFor() throws {
        let cache = Cache(memoryByteCapacity: 0, disk: try folder.open())
        let other = Cache(memoryByteCapacity: 0, disk: try folder.open())
        defer {
            cache.close()
            other.close()
        }
        do {
            let lock = cache.lock(key(1))
            #expect(lock != nil)
            #expect(other.lock(key(1)) == nil)
            #expect(other.lock(key(2)) != nil)
            withExtendedLifetime(lock) {}
        }
        #expect(other.lock(key(1)) != nil)
        // Without a second tier nobody else can be making it.
        #expect(Cache(memoryByteCapacity: 0, disk: nil).lock(key(1)) != nil)
    }
}
