import Bytes
import DiskStore
import Foundation
import Glibc
import Reactor
import Testing

@testable import ResponseCache

/// Entries of the disk that a loop may serve: only what was verified and has not changed since.
@Suite(.timeLimit(.minutes(5))) struct OpenEntriesTests {
    /// A disk tier without memory, whose clock is far ahead of the time stamps of its files.
    private final class Tiers {
        let path = FileManager.default.temporaryDirectory.path + "/veduta-open-\(UInt64.random(in: 0...UInt64.max))"
        let store: EntryStore
        let cache: TieredCache

        init(memory: Int = 0, limit: Int = 64, clock: Clock = HandMovedClock(unixSeconds: 4_000_000_000).clock) throws {
            store = try EntryStore.open(
                EntryStoreSettings(path: path, byteCapacity: 64 << 20, fileCapacity: 1000), clock: clock,
                report: { _ in })
            cache = TieredCache(memoryByteCapacity: memory, openFileLimit: limit, disk: store)
        }

        deinit {
            store.close()
            try? FileManager.default.removeItem(atPath: path)
        }

        func write(_ number: Int, byteCount: Int = 3000, further: [CacheTag] = []) {
            let response = StoredResponse(
                mediaType: "image/webp", entityTag: "\"\(number)\"", head: Array("ETag: \"\(number)\"\r\n".utf8),
                content: SharedBytes(content(number, byteCount)), tag: tag, furtherTags: further,
                cost: .milliseconds(12), storedUnixSeconds: 5)
            #expect(cache.write(response, for: key(number), since: cache.ledger.epoch))
            // Whatever changes the file later does so at another time: the kernel counts in some milliseconds.
            usleep(20_000)
        }

        /// As a worker does.
        @discardableResult
        func find(_ number: Int, further: [CacheTag] = [], keeps: Bool = true, opens: Bool = false) -> [UInt8]? {
            let found = cache.find(
                key(number), tag: tag, furtherTags: further, entityTag: "\"\(number)\"", mediaTypes: ["image/webp"],
                since: cache.ledger.epoch, keepsInMemory: keeps, keepsOpen: opens)
            return bytes(found)
        }

        /// As a loop does.
        func openEntry(_ number: Int) -> [UInt8]? { bytes(cache.openEntry(for: key(number))) }

        private func bytes(_ kept: KeptAnswer?) -> [UInt8]? { kept?.wholeContent()?.withUnsafeBytes { Array($0) } }

        func content(_ number: Int, _ byteCount: Int = 3000) -> [UInt8] {
            (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
        }

        var onlyFile: String {
            get throws {
                let names = FileManager.default.enumerator(atPath: path + "/entries")?.compactMap { $0 as? String }
                return path + "/entries/" + (try #require(names?.first { $0.contains("-") }))
            }
        }

        let tag = CacheTag(word: 7)
    }

    @Test(arguments: [3000, 400_000])
    func verifiedEntry_isServedWithoutAWorker(_ byteCount: Int) throws {
        let tiers = try Tiers()
        tiers.write(1, byteCount: byteCount)
        #expect(tiers.openEntry(1) == nil, "nobody has looked at its bytes yet")
        #expect(tiers.find(1) == tiers.content(1, byteCount))
        let hits = tiers.store.counts.hits
        for _ in 0..<3 { #expect(tiers.openEntry(1) == tiers.content(1, byteCount)) }
        let answer = try #require(tiers.cache.openEntry(for: key(1)))
        #expect(answer.file != nil && answer.response.content.count == 0)
        #expect(answer.response.cost == .milliseconds(12) && answer.response.storedUnixSeconds == 5)
        #expect(answer.response.head == Array("ETag: \"1\"\r\n".utf8))
        #expect(tiers.store.counts.hits == hits + 4, "each is a use of the entry")
    }

    /// Whatever happens to the file of an entry that is open and trusted, its wrong bytes are not found again.
    @Test(arguments: [3000, 400_000], ["flip", "cut", "empty", "append", "remove", "replace", "same bytes"])
    func changedFile_isNotTrusted(_ byteCount: Int, _ change: String) throws {
        let tiers = try Tiers()
        tiers.write(1, byteCount: byteCount)
        tiers.find(1)
        #expect(tiers.openEntry(1) != nil)
        let path = try tiers.onlyFile
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        // Into the same file, which stays open.
        let file = try #require(fopen(path, "r+"))
        switch change {
        case "flip":
            fseek(file, byteCount / 2, SEEK_SET)
            fputc(Int32(before[byteCount / 2] ^ 4), file)
        case "cut": ftruncate(fileno(file), byteCount / 2)
        case "empty": ftruncate(fileno(file), 0)
        case "append":
            fseek(file, 0, SEEK_END)
            fputc(0, file)
        case "remove": unlink(path)
        case "replace":
            try before.write(to: URL(fileURLWithPath: path + ".new"))
            rename(path + ".new", path)
        default: fputc(Int32(before[0]), file)
        }
        fclose(file)
        #expect(tiers.openEntry(1) == nil)
        #expect(tiers.openEntry(1) == nil)
        // A worker verifies it again.
        let isWhole = change == "replace" || change == "same bytes"
        #expect(tiers.find(1) == (isWhole ? tiers.content(1, byteCount) : nil))
        #expect((tiers.openEntry(1) != nil) == isWhole)
    }

    @Test func freshFile_isNotTrusted_asItMayChangeAgainAtTheSameTime() throws {
        let tiers = try Tiers(clock: .system)
        tiers.write(1)
        #expect(tiers.find(1) == tiers.content(1))
        #expect(tiers.openEntry(1) == nil)
    }

    @Test func purges_takeOpenEntriesToo() throws {
        let tiers = try Tiers()
        let other = CacheTag(word: 9)
        for number in 1...4 {
            tiers.write(number, further: number == 4 ? [other] : [])
            tiers.find(number, further: number == 4 ? [other] : [])
            #expect(tiers.openEntry(number) != nil)
        }
        _ = tiers.cache.purge(key(1), tag: tiers.tag)
        #expect((1...4).map { tiers.openEntry($0) != nil } == [false, true, true, true])
        _ = tiers.cache.purge(tag: other)
        #expect((1...4).map { tiers.openEntry($0) != nil } == [false, true, true, false])
        tiers.cache.apply(.entry(key: key(2).digest, tag: tiers.tag.word))
        #expect((1...4).map { tiers.openEntry($0) != nil } == [false, false, true, false])
        _ = tiers.cache.purgeAll()
        #expect((1...4).allSatisfy { tiers.openEntry($0) == nil })
    }

    @Test func whatIsPurgedWhileItIsRead_isNotKeptOpen() throws {
        let tiers = try Tiers()
        tiers.write(1)
        let epoch = tiers.cache.ledger.epoch
        tiers.cache.apply(.group(tag: tiers.tag.word))
        let found = tiers.cache.find(
            key(1), tag: tiers.tag, entityTag: "\"1\"", mediaTypes: ["image/webp"], since: epoch, keepsInMemory: true)
        #expect(found == nil)
        #expect(tiers.openEntry(1) == nil)
    }

    @Test func onlyWhatMemoryDoesNotTake_isKeptOpen() throws {
        let tiers = try Tiers(memory: 8 << 20)
        tiers.write(1)
        tiers.write(2, byteCount: 400_000)
        tiers.find(1)
        tiers.find(2)
        #expect(tiers.cache.response(for: key(1)) != nil && tiers.openEntry(1) == nil)
        #expect(tiers.cache.response(for: key(2)) == nil && tiers.openEntry(2) != nil)
        tiers.write(3, byteCount: 400_000)
        tiers.find(3, keeps: false)
        #expect(tiers.openEntry(3) == nil, "the request did not want it kept")
        tiers.write(4)
        for number in [3, 4] { tiers.find(number, keeps: false, opens: true) }
        #expect(tiers.openEntry(3) == tiers.content(3, 400_000), "it wanted the file alone")
        #expect(tiers.cache.response(for: key(4)) == nil && tiers.openEntry(4) == nil, "that is for memory")
    }

    @Test func numberOfOpenFiles_isBounded() throws {
        let tiers = try Tiers(limit: 3)
        for number in 1...10 {
            tiers.write(number)
            tiers.find(number)
        }
        #expect((1...10).count { tiers.openEntry($0) != nil } == 3)
        let none = try Tiers(limit: 0)
        none.write(1)
        none.find(1)
        #expect(none.openEntry(1) == nil)
    }

    @Test func entryThatRests_isClosed() throws {
        let tiers = try Tiers()
        let entries = OpenEntries(limit: 4)
        for number in 1...2 {
            tiers.write(number)
            let found = try #require(tiers.store.find(key(number).digest, tag: tiers.tag.word))
            entries.insert(
                KeptAnswer(StoredResponse(mediaType: "", entityTag: "", content: SharedBytes([]))),
                try #require(found.verified), for: key(number), unless: { false })
        }
        entries.closeResting()
        #expect(entries.find(key(1)) != nil)
        entries.closeResting()
        #expect(entries.find(key(1)) != nil)
        #expect(entries.find(key(2)) == nil)
    }
}
