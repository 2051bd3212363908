import Bytes
import Reactor
import Testing

@testable import DiskStore

@Suite(.timeLimit(.minutes(5))) struct RoundTripTests {
    /// Around every limit where another way of reading begins.
    static let byteCounts = [
        0, 1, 95, 96, 97, 4095, 4096, 65_536, 262_143, 262_144, 262_145, 327_679, 327_680, 327_681, 400_000, 3_000_000,
    ]

    @Test(arguments: byteCounts) func storedEntry_isFoundAsItWas(byteCount: Int) throws {
        let folder = try TestFolder()
        let store = try folder.open()
        let record = EntryRecord.sample(1, byteCount: byteCount)
        #expect(store.find(record) == nil)
        #expect(store.store(record))
        let found = try #require(store.find(record))
        #expect(found.isSame(as: record))
        if case .memory = found.content {
            #expect(byteCount <= EntryReader.memoryLimit)
        } else {
            #expect(byteCount > EntryReader.memoryLimit)
        }
        #expect(store.contains(record.key, tag: record.tag))
        #expect(store.counts.hits == 1 && store.counts.misses == 1 && store.counts.stores == 1)
        #expect(folder.names(in: "tmp").isEmpty)
        #expect(folder.events.isEmpty)
    }

    @Test func storedEntry_isFoundByTheNextStore() throws {
        let folder = try TestFolder()
        let records = (0..<20).map { EntryRecord.sample($0, tag: UInt64($0) << 56) }
        do {
            let store = try folder.open()
            for record in records { #expect(store.store(record)) }
        }
        let store = try folder.open()
        for record in records { #expect(store.find(record)?.isSame(as: record) == true) }
        #expect(store.counts.entryCount == 20)
    }

    @Test func secondEntryOfAKey_replacesTheFirst() throws {
        let folder = try TestFolder()
        let store = try folder.open()
        #expect(store.store(.sample(1)))
        let second = EntryRecord.sample(1, byteCount: 50, seed: 3)
        #expect(store.store(second))
        #expect(store.find(second)?.isSame(as: second) == true)
        #expect(store.counts.entryCount == 1)
        #expect(folder.entryFiles.count == 1)
    }

    @Test func openFile_outlivesItsEntry() throws {
        let folder = try TestFolder()
        let store = try folder.open()
        let record = EntryRecord.sample(1, byteCount: 500_000)
        #expect(store.store(record))
        let found = try #require(store.find(record))
        #expect(store.remove(record.key, tag: record.tag))
        #expect(!store.remove(record.key, tag: record.tag))
        #expect(store.find(record) == nil)
        #expect(found.isSame(as: record))
    }

    @Test func values_atTheirLimits_areKept() throws {
        let folder = try TestFolder()
        let store = try folder.open()
        for (number, seconds) in [Int64.min, -1, 0, Int64.max].enumerated() {
            let record = EntryRecord(
                key: EntryRecord.sampleKey(number), tag: .max, status: number.isMultiple(of: 2) ? 100 : 999,
                storedUnixSeconds: seconds, cost: .microseconds(Int64.max),
                fields: [UInt8](repeating: 9, count: EntryFooter.fieldsLimit), content: SharedBytes([1]))
            #expect(store.store(record))
            #expect(store.find(record)?.isSame(as: record) == true)
        }
    }

    @Test func recordBeyondALimit_isNotStored() throws {
        let folder = try TestFolder()
        let store = try folder.open(byteCapacity: 8 << 20)
        func record(status: Int = 200, fields: Int = 0, content: Int = 1, cost: Duration = .zero) -> EntryRecord {
            EntryRecord(
                key: EntryRecord.sampleKey(1), tag: 1, status: status, storedUnixSeconds: 0, cost: cost,
                fields: [UInt8](repeating: 0, count: fields),
                content: SharedBytes([UInt8](repeating: 0, count: content)))
        }
        #expect(!store.store(record(status: 99)))
        #expect(!store.store(record(status: 1000)))
        #expect(!store.store(record(fields: EntryFooter.fieldsLimit + 1)))
        #expect(!store.store(record(content: 1 << 20)))
        #expect(folder.entryFiles.isEmpty)
        #expect(store.store(record(cost: .seconds(-5))))
        #expect(store.find(EntryRecord.sampleKey(1), tag: 1)?.cost == .zero)
        #expect(store.store(record(cost: .seconds(Int64.max))))
        #expect(store.find(EntryRecord.sampleKey(1), tag: 1)?.cost == .microseconds(Int64.max))
        #expect(folder.events.isEmpty)
    }

    @Test func filesAndFolders_areForThisUserAlone() throws {
        let folder = try TestFolder()
        let store = try folder.open()
        #expect(store.store(.sample(1)))
        let root = try FileDescriptor.openFolder(folder.storePath)
        for name in folder.names() {
            let state = try root.state(of: RelativePath(name))
            #expect(state.mode == (state.kind == .folder ? 0o700 : 0o600), "\(name)")
        }
        #expect(folder.names().count == 5)
    }
}
