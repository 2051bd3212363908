import Foundation
import Reactor
import Testing

@testable import DiskStore

@Suite(.timeLimit(.minutes(5))) struct BoundsTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test func entriesBeyondTheBytes_arePutOut() throws {
        let capacity = 100 * 4096
        let store = try folder.open(byteCapacity: capacity)
        let maintenance = store.makeMaintenance()
        for number in 0..<250 {
            #expect(store.store(.sample(number, tag: UInt64(number) << 56)))
            maintenance.settle()
            #expect(store.counts.byteCount <= capacity)
        }
        #expect(store.counts.evictions >= 150)
        #expect(folder.entryFiles.count == store.counts.entryCount)
        #expect(folder.entryFiles.count <= 100 && folder.entryFiles.count > 90)
    }

    @Test func entriesBeyondTheFiles_arePutOut() throws {
        let store = try folder.open(fileCapacity: 50)
        let maintenance = store.makeMaintenance()
        for number in 0..<200 {
            #expect(store.store(.sample(number)))
            maintenance.settle()
            #expect(folder.entryFiles.count <= 50)
        }
    }

    @Test func whileNothingIsPutOut_storingStopsAt105Percent() throws {
        let store = try folder.open(byteCapacity: 200 * 4096)
        let stored = (0..<300).count { store.store(.sample($0)) }
        #expect(stored == 210)
        #expect(folder.entryFiles.count == 210)
        store.makeMaintenance().settle()
        #expect(store.counts.byteCount <= 200 * 4096)
        #expect(store.store(.sample(1000)))
        #expect(store.counts.isOn && folder.events.isEmpty)
    }

    @Test(arguments: [(1 << 20, 1 << 20, 110_000), (1 << 30, 10, 1000), (1 << 30, 1, 1000)])
    func entriesThatFillTheBoundByFew_areStoredAllTheSame(_ bytes: Int, _ files: Int, _ byteCount: Int) throws {
        let store = try folder.open(byteCapacity: bytes, fileCapacity: files)
        let maintenance = store.makeMaintenance()
        var storedCount = 0
        for number in 0..<60 {
            if store.store(.sample(number, byteCount: byteCount)) { storedCount += 1 }
            maintenance.settle()
            #expect(store.counts.byteCount <= bytes && store.counts.entryCount <= files)
        }
        // One that is turned away has room made for it, so the next is not.
        #expect(storedCount >= 30)
    }

    @Test func usedEntries_stay() throws {
        let store = try folder.open(byteCapacity: 100 * 4096)
        let maintenance = store.makeMaintenance()
        for number in 0..<20 { #expect(store.store(.sample(number))) }
        for _ in 0..<3 { for number in 0..<20 { #expect(store.find(.sample(number)) != nil) } }
        for number in 100..<400 {
            #expect(store.store(.sample(number)))
            maintenance.settle()
            if number.isMultiple(of: 10) { for used in 0..<20 { _ = store.find(.sample(used)) } }
        }
        for number in 0..<20 { #expect(store.find(.sample(number)) != nil, "entry \(number)") }
    }

    @Test func indexIsMadeWhileServing_andABoundThatShrankHolds() throws {
        let records = (0..<300).map { EntryRecord.sample($0, tag: UInt64($0) << 55) }
        do {
            let store = try folder.open()
            for record in records { #expect(store.store(record)) }
        }
        let store = try folder.open(byteCapacity: 120 * 4096)
        let maintenance = store.makeMaintenance()
        #expect(!store.counts.isIndexed && store.counts.entryCount == 0)
        var listed = 0
        while !store.counts.isIndexed {
            if listed.isMultiple(of: 8) {
                // Found if it is there, whatever the index knows.
                let record = records[listed % 300]
                let isThere = FileManager.default.fileExists(atPath: folder.entryPath(record))
                #expect((store.find(record) != nil) == isThere)
            }
            folder.clock.advance(by: maintenance.step())
            listed += 1
        }
        maintenance.settle()
        #expect(store.counts.byteCount <= 120 * 4096)
        #expect(folder.entryFiles.count == store.counts.entryCount)
        #expect(folder.entryFiles.count > 100)
    }

    /// What a disk does that is smaller than the bound.
    @Test func indexThatFilledTheDisk_keepsBelowIt_andGrowsAgainWithTheDisk() {
        let index = EntryIndex(byteCapacity: 1 << 20, fileCapacity: 1000)
        for number in 0..<160 { index.insert(EntryName(tag: 1, high: UInt64(number), low: 0), byteCount: 4096) }
        #expect(!index.isOverCapacity && !index.isLimitedByDisk)
        // One that is large beside all of them says nothing about them.
        index.limitToDisk(byteCount: 100_000)
        #expect(!index.isLimitedByDisk)
        index.limitToDisk(byteCount: 4096)
        #expect(index.isLimitedByDisk && index.isOverCapacity)
        while !index.evict(limit: 64).isEmpty {}
        #expect(index.sums.entryCount <= 150 && index.sums.entryCount > 140)
        #expect(index.hasRoom(for: 4096))
        let count = index.sums.entryCount
        index.raiseLimit(availableByteCount: 0)
        #expect(index.isLimitedByDisk)
        index.raiseLimit(availableByteCount: 200_000)
        for number in 1000..<1030 { index.insert(EntryName(tag: 1, high: UInt64(number), low: 0), byteCount: 4096) }
        #expect(!index.isOverCapacity && index.sums.entryCount == count + 30)
        index.raiseLimit(availableByteCount: .max)
        #expect(!index.isLimitedByDisk)
    }

    @Test func entriesThatTookLongerToMake_stay() throws {
        let store = try folder.open(byteCapacity: 100 * 4096)
        let maintenance = store.makeMaintenance()
        for number in 0..<150 {
            let record = EntryRecord.sample(number)
            #expect(
                store.store(
                    EntryRecord(
                        key: record.key, tag: record.tag, status: record.status,
                        storedUnixSeconds: record.storedUnixSeconds,
                        cost: .milliseconds(number % 2 == 0 ? 1 : 100), fields: record.fields,
                        content: record.content)))
            maintenance.settle()
        }
        let kept = (0..<150).filter { store.find(.sample($0)) != nil }
        #expect(kept.count { $0 % 2 == 1 } > 2 * kept.count { $0 % 2 == 0 }, "\(kept)")
    }

    @Test func jumpsOfTheClock_changeNothing() throws {
        let store = try folder.open(byteCapacity: 100 * 4096)
        let maintenance = store.makeMaintenance()
        for jump in [Duration.nanoseconds(1), .seconds(86400), .seconds(86400 * 365), .seconds(86400 * 365 * 100)] {
            folder.clock.advance(by: jump)
            for number in 0..<150 {
                #expect(store.store(.sample(number)))
                maintenance.settle()
            }
            #expect(store.counts.byteCount <= 100 * 4096)
        }
        #expect(folder.events.isEmpty)
    }

    @Test func threadDoesItAll() throws {
        for number in 0..<50 { #expect(try folder.open().store(.sample(number, tag: UInt64(number) << 56))) }
        let store = try folder.openWithThread(byteCapacity: 100 * 4096)
        while !store.counts.isIndexed { sched_yield() }
        for number in 50..<250 {
            // At 105 % it waits for the thread.
            while !store.store(.sample(number)) { sched_yield() }
        }
        while store.counts.byteCount > 100 * 4096 { sched_yield() }
        store.purgeAll()
        while folder.names().contains(where: { $0.contains("trash") }) { sched_yield() }
        store.close()
        store.close()
        #expect(store.store(.sample(1)))
        #expect(store.find(.sample(1)) != nil)
        #expect(folder.events.isEmpty)
    }
}
