import DiskStore
import DiskTestKit
import Glibc
import SeededRandom
import Testing

/// Files of entries are changed behind the store's back: whatever the change, the entry is missed and the file is removed.
@Suite(.timeLimit(.minutes(5))) struct DamagedEntryTests {
    /// An entry of a few hundred bytes, of which every bit is looked at.
    private static let small = 1

    @Test func everyFlippedBit_isAMiss_andTheFileIsRemoved() throws {
        let faulty = try FaultStore()
        #expect(faulty.put(Self.small))
        let file = try faulty.onlyFile()
        let bytes = StoreTestFolder.read(file.path)
        let tail = max(bytes.count - 250, 0)
        // Every bit of the fields and of the footer, and one bit of each byte of the content.
        for offset in bytes.indices {
            for bit in (offset < tail ? offset % 8..<offset % 8 + 1 : 0..<8) {
                var changed = bytes
                changed[offset] ^= 1 << UInt8(bit)
                StoreTestFolder.write(changed, at: file.path)
                let version = try faulty.get(Self.small)
                #expect(version == nil, "bit \(bit) of byte \(offset)")
                #expect(access(file.path, F_OK) != 0, "bit \(bit) of byte \(offset): the file is kept")
            }
        }
        #expect(faulty.store.counts.corruptions > bytes.count)
        StoreTestFolder.write(bytes, at: file.path)
        #expect(try faulty.get(Self.small) == 1, "the whole file is found, whoever put it there")
    }

    @Test func everyOtherLength_isAMiss_andTheFileIsRemoved() throws {
        let faulty = try FaultStore()
        #expect(faulty.put(Self.small))
        let file = try faulty.onlyFile()
        let bytes = StoreTestFolder.read(file.path)
        let longer = (1...130).map { bytes + [UInt8](repeating: UInt8($0), count: $0) }
        let shorter = bytes.indices.map { Array(bytes[..<$0]) }
        let cutInFront = bytes.indices.dropFirst().map { Array(bytes[$0...]) }
        for changed in longer + shorter + cutInFront + [bytes + bytes] {
            StoreTestFolder.write(changed, at: file.path)
            // Twice the same entry ends in a valid footer, and still has the wrong length.
            #expect(try faulty.get(Self.small) == nil, "\(changed.count) of \(bytes.count) bytes")
            #expect(access(file.path, F_OK) != 0, "\(changed.count) of \(bytes.count) bytes: the file is kept")
        }
    }

    @Test func largeEntry_isHeldAgainstItsChecksumBeforeItIsHandedOut() throws {
        let faulty = try FaultStore()
        let number = try #require((0..<1000).first { TestEntry(number: $0, version: 1).byteCount > 290_000 })
        #expect(faulty.put(number))
        #expect(try faulty.get(number) == 1)
        let file = try faulty.onlyFile()
        let bytes = StoreTestFolder.read(file.path)
        var random = SeededGenerator(state: 4)
        for _ in 0..<40 {
            var changed = bytes
            changed[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            StoreTestFolder.write(changed, at: file.path)
            #expect(try faulty.get(number) == nil)
            #expect(access(file.path, F_OK) != 0)
        }
    }

    @Test(arguments: Damage.allCases)
    func afterAnyDamage_nothingWrongIsFound_andTheEntryCanBeStoredAgain(_ damage: Damage) throws {
        var random = SeededGenerator(state: UInt64(damage.rawValue))
        for round in 0..<12 {
            let faulty = try FaultStore()
            for number in 0..<8 { faulty.put(number) }
            if round.isMultiple(of: 2) { try faulty.reopen() }
            let files = faulty.folder.entries
            try #require(files.count == 8)
            let struck = damage.strike(files[round % 8], other: files[(round + 1) % 8], random: &random)
            let found = try (0..<8).map { try faulty.get($0) }
            #expect(found.count { $0 == nil } == struck.count, "\(damage), round \(round)")
            for number in 0..<8 {
                let isStored = faulty.put(number, version: 2)
                #expect(isStored || damage == .fullFolder, "\(damage), round \(round)")
                #expect(try faulty.get(number) == (isStored ? 2 : nil), "\(damage), round \(round)")
            }
            #expect(faulty.offCount == 0, "\(damage): no reason to turn the whole store off")
        }
    }

    @Test func damageBeforeTheStart_isFoundOut() throws {
        var random = SeededGenerator(state: 9)
        let faulty = try FaultStore()
        for number in 0..<64 { faulty.put(number) }
        faulty.store.close()
        let files = faulty.folder.entries
        var struckCount = 0
        for (index, damage) in Damage.allCases.enumerated() {
            struckCount += damage.strike(files[2 * index], other: files[2 * index + 1], random: &random).count
        }
        try faulty.reopen()
        let found = try (0..<64).map { try faulty.get($0) }
        #expect(found.count { $0 == nil } == struckCount)
        try faulty.waitUntilIndexed()
    }

    @Test func fileWithAHoleOfATerabyte_doesNotPutTheOthersOut() throws {
        let faulty = try FaultStore(byteCapacity: 64 << 20)
        for number in 0..<64 { faulty.put(number) }
        let victim = try #require(faulty.folder.entries.first)
        #expect(truncate(victim.path, 1 << 40) == 0)
        try faulty.reopen(byteCapacity: 64 << 20)
        try faulty.waitUntilIndexed()
        #expect(faulty.store.counts.evictions == 0)
        #expect(try (0..<64).count { try faulty.get($0) != nil } == 63)
        #expect(access(victim.path, F_OK) != 0)
    }

    @Test func folderThatDisappearsWhileInUse_costsTheEntries_andNothingElse() throws {
        let faulty = try FaultStore()
        for number in 0..<40 { faulty.put(number) }
        for name in faulty.folder.names { StoreTestFolder.removeAll(faulty.folder.path + "/" + name) }
        for number in 0..<40 { #expect(try faulty.get(number) == nil) }
        try KillTestKit.wait("entries are stored again: \(faulty.store.counts)") {
            faulty.clock.advance(seconds: 61)
            return faulty.put(3, version: 2)
        }
        #expect(try faulty.get(3) == 2)
        StoreTestFolder.removeAll(faulty.folder.path)
        #expect(try faulty.get(3) == nil)
        _ = faulty.put(4, version: 3)
        _ = try faulty.get(4)
    }
}
