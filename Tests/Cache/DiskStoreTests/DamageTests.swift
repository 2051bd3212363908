import Bytes
import Foundation
import Reactor
import Testing

@testable import DiskStore

@Suite(.timeLimit(.minutes(5))) struct DamageTests {
    private let folder: TestFolder
    private let store: EntryStore

    init() throws {
        folder = try TestFolder()
        store = try folder.open()
    }

    /// Stores a record of so many bytes; returns it with the path and the bytes of its file.
    private func stored(byteCount: Int) throws -> (record: EntryRecord, path: String, intact: [UInt8]) {
        let record = EntryRecord.sample(1, byteCount: byteCount)
        #expect(store.store(record))
        let path = try #require(folder.entryFiles.first)
        return (record, path, try folder.bytes(path))
    }

    @Test func anyByteChanged_isAMissAndTheFileIsRemoved() throws {
        let (record, path, intact) = try stored(byteCount: 60)
        #expect(intact.count == 60 + record.fields.count + EntryFooter.byteCount)
        for index in intact.indices {
            for change: UInt8 in [0x01, 0x80, 0xff] {
                var damaged = intact
                damaged[index] ^= change
                try folder.write(damaged, to: path)
                #expect(store.find(record) == nil, "byte \(index)")
                #expect(!FileManager.default.fileExists(atPath: path), "byte \(index)")
            }
        }
        #expect(store.counts.corruptions == 3 * intact.count)
        #expect(folder.events.count == 3 * intact.count)
        try folder.write(intact, to: path)
        #expect(store.find(record)?.isSame(as: record) == true)
    }

    @Test func anyLengthButTheRightOne_isAMissAndTheFileIsRemoved() throws {
        let (record, path, intact) = try stored(byteCount: 200)
        let lengths = Array(0..<intact.count) + [intact.count + 1, intact.count + 4096]
        for length in lengths {
            try folder.write(Array((intact + [UInt8](repeating: 0, count: 4096)).prefix(length)), to: path)
            #expect(store.find(record) == nil, "\(length) bytes")
            #expect(!FileManager.default.fileExists(atPath: path), "\(length) bytes")
        }
        // What is cut off at the front, and holes as a crash of the machine leaves them.
        for length in 1..<intact.count {
            try folder.write(Array(intact.dropFirst(length)), to: path)
            #expect(store.find(record) == nil, "without the first \(length)")
            try folder.write([UInt8](repeating: 0, count: length) + intact.dropFirst(length), to: path)
            #expect(store.find(record) == nil, "\(length) zeros")
        }
    }

    @Test func largeEntry_damagedAnywhere_isAMiss() throws {
        let (record, path, intact) = try stored(byteCount: 1_000_000)
        let places = [
            0, 1, 262_143, 262_144, 500_000, 934_000, 999_999, 1_000_000, intact.count - 96, intact.count - 1,
        ]
        for place in places {
            var damaged = intact
            damaged[place] ^= 4
            try folder.write(damaged, to: path)
            #expect(store.find(record) == nil, "byte \(place)")
            #expect(!FileManager.default.fileExists(atPath: path))
        }
        for length in [400_000, intact.count - 1] {
            try folder.write(Array(intact.prefix(length)), to: path)
            #expect(store.find(record) == nil, "\(length) bytes")
        }
    }

    /// Lengths of which the footer's own checksum is right.
    @Test func footerWithLengthsThatDoNotFit_isAMiss() throws {
        let (record, path, intact) = try stored(byteCount: 100)
        let content = Array(intact.prefix(100))
        let lengths = [
            (0, 0), (100, 0), (99, record.fields.count), (Int.max, record.fields.count), (100, Int.max),
            (Int.max, Int.max), (1 << 40, 1 << 16), (Int.max, 1), (4 << 30, 0), (100 + record.fields.count, 0),
        ]
        for (contentByteCount, fieldsByteCount) in lengths {
            var checksum = Checksum()
            content.withUnsafeBytes { checksum.update($0) }
            let footer = EntryFooter(
                status: 200, contentByteCount: contentByteCount, fieldsByteCount: fieldsByteCount,
                contentChecksum: checksum.value, storedUnixSeconds: 0, costMicroseconds: 0, tag: record.tag,
                key: record.key)
            try folder.write(content + footer.trailer(fields: record.fields), to: path)
            #expect(store.find(record) == nil, "\(contentByteCount), \(fieldsByteCount)")
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func intactEntryUnderAnotherName_isAMissAndRemoved() throws {
        let record = EntryRecord.sample(1)
        #expect(store.store(record))
        let path = try #require(folder.entryFiles.first)
        let other = EntryName(EntryRecord.sampleKey(2), tag: record.tag)
        let otherPath = folder.storePath + "/entries/00/" + other.text
        try folder.write(try folder.bytes(path), to: otherPath)
        #expect(store.find(EntryRecord.sampleKey(2), tag: record.tag) == nil)
        #expect(!FileManager.default.fileExists(atPath: otherPath))
        // The same key under another tag.
        let moved = EntryName(record.key, tag: 8)
        let movedPath = folder.storePath + "/entries/00/" + moved.text
        try folder.write(try folder.bytes(path), to: movedPath)
        #expect(store.find(record.key, tag: 8) == nil)
        #expect(!FileManager.default.fileExists(atPath: movedPath))
        #expect(store.find(record)?.isSame(as: record) == true)
    }

    @Test func whatIsNoFile_isAMissAndRemoved() throws {
        let record = EntryRecord.sample(1)
        #expect(store.store(record))
        let path = try #require(folder.entryFiles.first)
        let outside = folder.path + "/outside"
        try folder.write(try folder.bytes(path), to: outside)
        let files = FileManager.default
        for make in [
            { try files.createSymbolicLink(atPath: path, withDestinationPath: outside) },
            { try files.createSymbolicLink(atPath: path, withDestinationPath: path) },
            { try files.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero") },
            { if mkfifo(path, 0o600) != 0 { throw CocoaError(.fileWriteUnknown) } },
            { try files.createDirectory(atPath: path + "/within", withIntermediateDirectories: true) },
        ] {
            try files.removeItem(atPath: path)
            try make()
            #expect(store.find(record) == nil)
            #expect(!files.fileExists(atPath: path))
            #expect(store.store(record))
            #expect(store.find(record)?.isSame(as: record) == true)
        }
        #expect(files.fileExists(atPath: outside))
        store.makeMaintenance().settle()
        #expect(folder.names().allSatisfy { !$0.contains("trash") })
    }

    @Test func whatIsInTheWayOfFolders_isMovedAway() throws {
        let record = EntryRecord.sample(1)
        let files = FileManager.default
        for place in ["tmp", "entries", "entries/00"] {
            #expect(store.store(record))
            let path = folder.storePath + "/" + place
            try files.removeItem(atPath: path)
            try folder.write([1, 2, 3], to: path)
            if place != "tmp" { #expect(store.find(record) == nil) }
            #expect(store.store(record), "\(place)")
            #expect(store.find(record)?.isSame(as: record) == true)
        }
        try files.removeItem(atPath: folder.storePath + "/entries/00")
        try files.createDirectory(atPath: folder.entryPath(record), withIntermediateDirectories: true)
        #expect(store.store(record))
        #expect(store.find(record)?.isSame(as: record) == true)
        #expect(store.counts.isOn)
        store.makeMaintenance().settle()
        #expect(folder.names().filter { $0.contains("trash") } == [])
    }

    @Test func foldersDeletedUnderTheStore_areMadeAgain() throws {
        let record = EntryRecord.sample(1)
        for place in ["", "/tmp", "/entries", "/entries/00", "/lock"] {
            #expect(store.store(record))
            try FileManager.default.removeItem(atPath: folder.storePath + place)
            #expect(store.store(record), "\(place)")
            #expect(store.find(record)?.isSame(as: record) == true)
            #expect(FileManager.default.fileExists(atPath: folder.entryPath(record)))
        }
        #expect(folder.events.isEmpty)
        #expect(store.counts.entryCount == 1)
    }
}

extension TestFolder {
    /// Where the entry of `record` belongs.
    func entryPath(_ record: EntryRecord) -> String {
        let name = EntryName(record.key, tag: record.tag).text
        return storePath + "/entries/" + name.prefix(2) + "/" + name
    }
}
