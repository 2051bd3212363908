import Bytes
import Digest
import Foundation
import Reactor
import Synchronization
import TestThreads
import Testing

@testable import DiskStore

@Suite(.timeLimit(.minutes(5))) struct PurgeTests {
    @Test func purgeOfATag_removesItsEntriesAlone() throws {
        let folder = try TestFolder()
        let store = try folder.open()
        for number in 0..<30 { #expect(store.store(.sample(number, tag: UInt64(number % 3)))) }
        #expect(store.purge(tag: 1) == 10)
        #expect(store.purge(tag: 1) == 0)
        for number in 0..<30 {
            let found = store.find(EntryRecord.sampleKey(number), tag: UInt64(number % 3))
            #expect((found == nil) == (number % 3 == 1))
        }
        #expect(store.counts.entryCount == 20)
    }

    @Test func purgeOfATag_removesWhatAnotherStoreWrote() throws {
        let folder = try TestFolder()
        let (first, second) = (try folder.open(), try folder.open())
        for number in 0..<5 { #expect(first.store(.sample(number))) }
        #expect(second.purge(tag: 7) == 5)
        for number in 0..<5 { #expect(first.find(.sample(number)) == nil) }
        #expect(first.counts.entryCount == 0)
    }

    @Test func purgeOfEverything_removesAtOnceAndDeletesLater() throws {
        let folder = try TestFolder()
        let store = try folder.open()
        for number in 0..<600 { #expect(store.store(.sample(number, tag: UInt64(number) << 58, byteCount: 1))) }
        store.purgeAll()
        for number in 0..<600 { #expect(!store.contains(EntryRecord.sampleKey(number), tag: UInt64(number) << 58)) }
        #expect(store.counts.entryCount == 0 && store.counts.byteCount == 0)
        #expect(store.store(.sample(1)))
        #expect(folder.names().contains { $0.contains("trash") })
        store.makeMaintenance().settle()
        #expect(!folder.names().contains { $0.contains("trash") })
        #expect(store.find(.sample(1)) != nil)
        #expect(folder.events.isEmpty)
    }

    @Test func trashOfADeadProcess_isDeletedByTheNext() throws {
        let folder = try TestFolder()
        _ = try folder.open()
        let deep = folder.storePath + "/trash-abc/00/deep/deeper"
        try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
        for number in 0..<700 { try folder.write([1], to: deep + "/\(number)") }
        let outside = folder.path + "/outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try folder.write([1], to: outside + "/kept")
        try FileManager.default.createSymbolicLink(atPath: deep + "/link", withDestinationPath: outside)
        try FileManager.default.createSymbolicLink(
            atPath: folder.storePath + "/trash-link", withDestinationPath: outside)
        try folder.open().makeMaintenance().settle()
        #expect(!folder.names().contains { $0.contains("trash") })
        #expect(FileManager.default.fileExists(atPath: outside + "/kept"))
    }

    @Test func storingWhatWasBegunBeforeAPurge_isRefused() throws {
        let folder = try TestFolder()
        let store = try folder.open()
        let before = store.epoch(of: 7)
        _ = store.purge(tag: 7)
        #expect(!store.store(.sample(1), begunAt: before))
        #expect(store.store(.sample(1, tag: 8), begunAt: store.epoch(of: 8)))
        let after = store.epoch(of: 7)
        #expect(store.store(.sample(1), begunAt: after))
        store.purgeAll()
        #expect(!store.store(.sample(1), begunAt: after))
        #expect(folder.names(in: "tmp").isEmpty)
        #expect(store.find(.sample(1)) == nil)
        #expect(store.counts.isOn)
    }

    /// Storing and purging at once: what was begun before a purge is never there after it.
    @Test(arguments: [false, true]) func purges_winOverStoresThatBeganBefore(isWhole: Bool) throws {
        let folder = try TestFolder()
        let store = try folder.open()
        // The content says after which purge an entry was begun; purges are numbered.
        let purgeCount = Atomic<Int>(0)
        var wrong = 0
        whileThreadsRepeat(3) { thread, round in
            let key = EntryRecord.sampleKey(thread * 100 + round % 20)
            // In this order: whatever happens between the two, the epoch is not younger than the number says.
            let epoch = store.epoch(of: 7)
            let begun = purgeCount.load(ordering: .acquiring)
            store.store(
                EntryRecord(
                    key: key, tag: 7, status: 200, storedUnixSeconds: Int64(begun), cost: .zero, fields: [],
                    content: SharedBytes([1])), begunAt: epoch)
        } meanwhile: {
            for _ in 0..<30 {
                let storeCount = store.counts.stores
                while store.counts.stores < storeCount + 3 { sched_yield() }
                if isWhole { store.purgeAll() } else { store.purge(tag: 7) }
                let done = purgeCount.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
                for thread in 0..<3 {
                    for number in 0..<20 {
                        // Begun before the number was raised may still mean after the purge; two numbers ago it does not.
                        let found = store.find(EntryRecord.sampleKey(thread * 100 + number), tag: 7)
                        if let found, found.storedUnixSeconds < Int64(done - 1) { wrong += 1 }
                    }
                }
            }
        }
        #expect(wrong == 0)
        #expect(store.counts.stores > 0)
        #expect(folder.names(in: "tmp").isEmpty)
        #expect(folder.events.isEmpty)
    }
}
