import Bytes
import Foundation
import Reactor
import Testing

@testable import DiskStore

/// Tag markers, by which an entry of one group goes with another group too.
@Suite(.timeLimit(.minutes(5))) struct MarkerTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func mark(_ number: Int, tag: UInt64, in store: EntryStore) -> Bool {
        store.mark(EntryRecord.sampleKey(number), tag: tag, cost: .milliseconds(1))
    }

    @Test func markersOfAllFolders_areNamesOfOneFile_andCountOneByOne() throws {
        let store = try folder.open()
        for number in 0..<60 { #expect(mark(number, tag: UInt64(number % 20) << 56, in: store)) }
        #expect(folder.entryFiles.count == 60)
        #expect(try folder.inodes.count == 1)
        #expect(folder.names(in: "tmp").isEmpty)
        #expect(store.counts.entryCount == 60 && store.counts.stores == 60)
        let next = try folder.open()
        next.makeMaintenance().goRound(folder.clock)
        #expect(next.counts.entryCount == 60 && next.counts.byteCount == store.counts.byteCount)
        #expect(next.counts.corruptions == 0)
        for number in 0..<60 { #expect(next.use(EntryRecord.sampleKey(number), tag: UInt64(number % 20) << 56)) }
    }

    @Test func purges_findMarkersOfOtherStores_andOfEarlierOnes() throws {
        let (first, second) = (try folder.open(), try folder.open())
        for number in 0..<12 { #expect(mark(number, tag: UInt64(number % 3), in: number < 6 ? first : second)) }
        #expect(try folder.inodes.count == 2)
        #expect(second.purge(tag: 1) == 4)
        let third = try folder.open()
        #expect(third.purge(tag: 2) == 4)
        for number in 0..<12 {
            for store in [first, second, third] {
                let isThere = store.contains(EntryRecord.sampleKey(number), tag: UInt64(number % 3))
                #expect(isThere == (number % 3 == 0))
            }
        }
        // The names that further markers would be linked to go as well.
        #expect(third.purge(tag: 0) == 4)
        for number in 0..<5 { #expect(mark(number, tag: 5, in: first)) }
        #expect(folder.entryFiles.count == 5)
        #expect(try folder.inodes.count == 1)
    }

    /// Another store that hears of the purge of a third removes what it linked since.
    @Test func markersLinkedSinceAPurgeElsewhere_goWithIt() throws {
        let (first, second) = (try folder.open(), try folder.open())
        let maintenance = first.makeMaintenance()
        maintenance.settle()
        #expect(mark(1, tag: 8, in: first) && mark(0, tag: 9, in: first))
        #expect(second.purge(tag: 9) == 1)
        #expect(mark(2, tag: 9, in: first))
        #expect(try folder.inodes.count == 1)
        folder.clock.advance(by: Maintenance.sharedPurgePace)
        maintenance.settle()
        #expect(!first.contains(EntryRecord.sampleKey(2), tag: 9))
        #expect(first.contains(EntryRecord.sampleKey(1), tag: 8))
    }

    @Test func whatStandsInTheWayOfAMarker_isReplaced_andAnEarlierMarkerIsNot() throws {
        let store = try folder.open()
        #expect(mark(0, tag: 7, in: store))
        // As earlier versions made each.
        let own = EntryRecord(
            key: EntryRecord.sampleKey(1), tag: 7, status: 200, storedUnixSeconds: 1, cost: .zero, fields: [],
            content: SharedBytes([]))
        #expect(store.store(own))
        let path = folder.entryPath(own)
        let inode = try FileState.following(path).fileNumber
        #expect(mark(1, tag: 7, in: store))
        #expect(try FileState.following(path).fileNumber == inode)
        let files = FileManager.default
        for make in [
            { try files.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero") },
            { try files.createDirectory(atPath: path + "/within", withIntermediateDirectories: true) },
            { try folder.write([1, 2, 3], to: path) },
        ] {
            try files.removeItem(atPath: path)
            try make()
            #expect(mark(1, tag: 7, in: store))
            #expect(store.contains(own.key, tag: 7))
            #expect(try FileState.following(path).byteCount == EntryFooter.byteCount)
        }
    }

    @Test func markersOfEntriesThatTookLongerToMake_stay() throws {
        let store = try folder.open(byteCapacity: 100 * 4096)
        let maintenance = store.makeMaintenance()
        for number in 0..<150 {
            let cost = Duration.milliseconds(number % 2 == 0 ? 1 : 100)
            #expect(store.mark(EntryRecord.sampleKey(number), tag: 7, cost: cost))
            maintenance.settle()
        }
        #expect(folder.entryFiles.count == store.counts.entryCount && store.counts.byteCount <= 100 * 4096)
        let kept = (0..<150).filter { store.contains(EntryRecord.sampleKey($0), tag: 7) }
        #expect(kept.count { $0 % 2 == 1 } > 2 * kept.count { $0 % 2 == 0 }, "\(kept)")
    }
}

extension TestFolder {
    /// The files that entries and markers are names of.
    var inodes: Set<UInt64> {
        get throws { Set(try entryFiles.map { try FileState.following($0).fileNumber }) }
    }
}
