import Bytes
import Foundation
import Reactor
import Testing

@testable import DiskStore

@Suite(.timeLimit(.minutes(5))) struct SharingTests {
    @Test func keyLock_keepsOtherStoresAndThisOneOut_untilItIsLetGoOf() throws {
        let folder = try TestFolder()
        let (first, second) = (try folder.open(), try folder.open())
        let (key, other) = (EntryRecord.sampleKey(1), EntryRecord.sampleKey(2))
        var lock = first.tryLock(key)
        #expect(lock != nil)
        #expect(first.tryLock(key) == nil)
        #expect(second.tryLock(key) == nil)
        var otherLock = second.tryLock(other)
        #expect(otherLock != nil)
        #expect(first.tryLock(other) == nil)
        lock = nil
        let next = second.tryLock(key)
        #expect(next != nil)
        #expect(first.tryLock(key) == nil)
        // Letting go of one key gives no other up.
        otherLock = nil
        #expect(first.tryLock(other) != nil)
        #expect(first.tryLock(key) == nil)
        withExtendedLifetime(next) {}
    }

    @Test func keyLock_outlivesItsStore() throws {
        let folder = try TestFolder()
        let second = try folder.open()
        let key = EntryRecord.sampleKey(1)
        var lock = try folder.open().tryLock(key)
        #expect(second.tryLock(key) == nil)
        lock = nil
        #expect(lock == nil && second.tryLock(key) != nil)
    }

    @Test func entriesOfAnotherStore_areFoundAtOnce_andCountedByTheCensus() throws {
        let folder = try TestFolder()
        let (first, second) = (try folder.open(), try folder.open())
        let maintenance = second.makeMaintenance()
        maintenance.goRound(folder.clock)
        #expect(second.counts.isIndexed && second.counts.entryCount == 0)
        let records = (0..<40).map { EntryRecord.sample($0, tag: UInt64($0) << 56) }
        for record in records { #expect(first.store(record)) }
        #expect(second.find(records[3])?.isSame(as: records[3]) == true)
        #expect(second.counts.entryCount == 1)
        maintenance.goRound(folder.clock)
        #expect(second.counts.entryCount == 40)
        #expect(second.counts.byteCount == first.counts.byteCount)
        // What the other one removed is forgotten again, whether it is asked for or not.
        for record in records.prefix(15) { #expect(first.remove(record.key, tag: record.tag)) }
        #expect(second.find(records[0]) == nil)
        #expect(second.counts.entryCount == 39)
        maintenance.goRound(folder.clock)
        #expect(second.counts.entryCount == 25)
        first.purgeAll()
        maintenance.goRound(folder.clock)
        #expect(second.counts.entryCount == 0 && second.counts.byteCount == 0)
        #expect(folder.events == [.purgedElsewhere(.whole)])
    }

    /// Times of folders may be coarser than changes: what is stored between two listings of the same tick is not missed.
    @Test func changesWithinOneTick_areSeenByTheCensus() throws {
        let folder = try TestFolder()
        let (first, second) = (try folder.open(), try folder.open())
        let maintenance = second.makeMaintenance()
        #expect(first.store(.sample(1)))
        let path = folder.storePath + "/entries/00"
        let time = [timespec(tv_sec: 1_700_000_000, tv_nsec: 0), timespec(tv_sec: 1_700_000_000, tv_nsec: 0)]
        utimensat(AT_FDCWD, path, time, 0)
        maintenance.goRound(folder.clock)
        #expect(first.store(.sample(2)))
        utimensat(AT_FDCWD, path, time, 0)
        maintenance.goRound(folder.clock)
        #expect(second.counts.entryCount == 2)
    }

    @Test func orphansOfDeadWriters_areRemoved_andFilesBeingWrittenAreNot() throws {
        let folder = try TestFolder()
        let store = try folder.open()
        try folder.write([1, 2, 3], to: folder.storePath + "/tmp/0123456789abcdef")
        let root = try FileDescriptor.openFolder(folder.storePath)
        let held = try root.makeFile(RelativePath("tmp/fedcba9876543210"))
        #expect(try held.tryLock())
        let maintenance = store.makeMaintenance()
        maintenance.settle()
        #expect(folder.names(in: "tmp") == ["fedcba9876543210"])
        _ = consume held
        maintenance.goRound(folder.clock)
        #expect(folder.names(in: "tmp").isEmpty)
    }

    @Test func foreignFilesAmongEntries_areRemoved_andFoldersLeft() throws {
        let folder = try TestFolder()
        let store = try folder.open()
        #expect(store.store(.sample(1)))
        let path = folder.storePath + "/entries/00/"
        let record = EntryRecord.sample(1)
        let name = EntryName(record.key, tag: record.tag).text
        let foreign = [
            "README", name.uppercased(), name + "0", String(name.dropLast()), "01" + name.dropFirst(2),
            name.replacingOccurrences(of: "-", with: "_"), String(repeating: "x", count: 255), "\u{e4}",
        ]
        for name in foreign { try folder.write([1], to: path + name) }
        try folder.write([1], to: path + "0000000000000007-" + String(repeating: "0", count: 32))
        try FileManager.default.createDirectory(atPath: path + "folder", withIntermediateDirectories: true)
        // Not UTF-8.
        let root = try FileDescriptor.openFolder(folder.storePath)
        _ = try root.makeFile(RelativePath(bytes: Array("entries/00/".utf8) + [0xff, 0xfe]))
        store.makeMaintenance().goRound(folder.clock)
        #expect(folder.names(in: "entries/00") == [name, "folder"])
        #expect(store.find(record)?.isSame(as: record) == true)
        #expect(store.counts.entryCount == 1)
        #expect(store.counts.corruptions == foreign.count + 2)
    }
}
