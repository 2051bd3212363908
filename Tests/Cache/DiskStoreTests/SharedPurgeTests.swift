import Foundation
import Reactor
import Testing

@testable import DiskStore

/// Purges where several stores, as of several processes, are on one folder.
@Suite(.timeLimit(.minutes(5))) struct SharedPurgeTests {
    private let folder: TestFolder
    private let first: EntryStore
    private let second: EntryStore
    private let maintenance: Maintenance

    init() throws {
        folder = try TestFolder()
        first = try folder.open()
        second = try folder.open()
        maintenance = second.makeMaintenance()
        maintenance.settle()
        folder.forgetEvents()
    }

    /// What the second store reports of the next second.
    private func found() -> [SharedPurge] {
        folder.forgetEvents()
        folder.clock.advance(by: Maintenance.sharedPurgePace)
        maintenance.settle()
        return folder.events.compactMap { if case .purgedElsewhere(let purge) = $0 { purge } else { nil } }
    }

    @Test func everyKindOfPurge_isReportedByTheOtherStore_once() {
        let record = EntryRecord.sample(1, tag: 5)
        first.purge(tag: 5)
        first.purge(record.key, tag: 5)
        first.purgeAll()
        #expect(found() == [.group(tag: 5), .entry(key: record.key, tag: 5), .whole])
        #expect(found() == [])
    }

    @Test func whatTheOtherStoredBeforeItHeard_isGone_othersStay() {
        first.purge(tag: 5)
        // Begun before the purge in the eyes of nobody who could tell: it is on disk now.
        #expect(second.store(.sample(1, tag: 5)) && second.store(.sample(2, tag: 6)))
        _ = found()
        #expect(first.find(.sample(1, tag: 5)) == nil && second.find(.sample(1, tag: 5)) == nil)
        #expect(first.find(.sample(2, tag: 6)) != nil)
    }

    @Test func whatThePurgingStoreStoredSince_stays() {
        #expect(first.store(.sample(1, tag: 5)) && second.store(.sample(2, tag: 5)))
        first.purge(tag: 5)
        first.purgeAll()
        #expect(first.store(.sample(3, tag: 5)))
        #expect(second.store(.sample(4, tag: 5)))
        #expect(found() == [.group(tag: 5), .whole])
        #expect(first.find(.sample(2, tag: 5)) == nil && first.find(.sample(4, tag: 5)) == nil)
        #expect(second.find(.sample(3, tag: 5)) != nil)
        maintenance.goRound(folder.clock)
        #expect(second.counts.entryCount == 1)
    }

    @Test func whatWasStoredLongBefore_isLeftToThePurgingStore() {
        let names = RecentNames()
        let old = EntryName(tag: 1, high: 2, low: 3)
        names.add(old)
        for _ in 0..<8 { names.looked() }
        #expect(names.names == [old])
        names.add(EntryName(tag: 1, high: 2, low: 4))
        names.looked()
        #expect(names.names == [EntryName(tag: 1, high: 2, low: 4)])
        for number in 0..<20_000 { names.add(EntryName(tag: 1, high: 5, low: UInt64(number))) }
        #expect(names.names == nil)
        for _ in 0..<9 { names.looked() }
        #expect(names.names == [])
    }

    /// As a writer leaves it that is killed at its first record.
    @Test func emptyFileOfNotices_isNoPurge() throws {
        let path = folder.storePath + "/purges"
        try folder.write([], to: path)
        let third = try folder.open()
        let its = third.makeMaintenance()
        its.settle()
        #expect(third.store(.sample(1, tag: 9)))
        folder.forgetEvents()
        first.purge(tag: 5)
        folder.clock.advance(by: Maintenance.sharedPurgePace)
        its.settle()
        #expect(folder.events == [.purgedElsewhere(.group(tag: 5))])
        #expect(third.find(.sample(1, tag: 9)) != nil)
    }

    @Test func workThatTheOtherBeganBeforeItHeard_isNotStored() {
        let (epoch, other) = (second.epoch(of: 5), second.epoch(of: 6))
        first.purge(tag: 5)
        _ = found()
        #expect(!second.store(.sample(1, tag: 5), begunAt: epoch))
        #expect(second.store(.sample(2, tag: 6), begunAt: other))
        #expect(second.store(.sample(1, tag: 5)))
    }

    @Test func purgesBeforeTheMaintenanceStarts_areHeardOf() throws {
        let third = try folder.open()
        first.purge(tag: 9)
        folder.forgetEvents()
        third.makeMaintenance().settle()
        #expect(folder.events.contains(.purgedElsewhere(.group(tag: 9))))
    }

    @Test func removingAnEntry_isNoPurge() {
        #expect(first.store(.sample(1)))
        #expect(first.remove(EntryRecord.sample(1).key, tag: 7))
        #expect(found() == [])
    }

    @Test func purgeThatCannotBeShared_isReported_andThePurgeDoneAllTheSame() throws {
        #expect(first.store(.sample(1, tag: 5)))
        try FileManager.default.createDirectory(
            atPath: folder.storePath + "/purges", withIntermediateDirectories: false)
        #expect(first.purge(tag: 5) == 1)
        #expect(folder.events.contains { if case .purgeNotShared = $0 { true } else { false } })
        #expect(first.find(.sample(1, tag: 5)) == nil)
    }
}
