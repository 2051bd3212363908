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
        let trial = try TrialStore()
        #expect(trial.put(Self.small))
        let file = try trial.onlyFile()
        let bytes = TrialFolder.read(file.path)
        let tail = max(bytes.count - 250, 0)
        // Every bit of the fields and of the footer, and one bit of each byte of the content.
        for offset in bytes.indices {
            for bit in (offset < tail ? offset % 8..<offset % 8 + 1 : 0..<8) {
                var changed = bytes
                changed[offset] ^= 1 << UInt8(bit)
                TrialFolder.write(changed, at: file.path)
                let version = try trial.get(Self.small)
                #expect(version == nil, "bit \(bit) of byte \(offset)")
                #expect(access(file.path, F_OK) != 0, "bit \(bit) of byte \(offset): the file is kept")
            }
        }
        #expect(trial.store.counts.corruptions > bytes.count)
        TrialFolder.write(bytes, at: file.path)
        #expect(try trial.get(Self.small) == 1, "the whole file is found, whoever put it there")
    }

    @Test func everyOtherLength_isAMiss_andTheFileIsRemoved() throws {
        let trial = try TrialStore()
        #expect(trial.put(Self.small))
        let file = try trial.onlyFile()
        let bytes = TrialFolder.read(file.path)
        let longer = (1...130).map { bytes + [UInt8](repeating: UInt8($0), count: $0) }
        let shorter = bytes.indices.map { Array(bytes[..<$0]) }
        let cutInFront = bytes.indices.dropFirst().map { Array(bytes[$0...]) }
        for changed in longer + shorter + cutInFront + [bytes + bytes] {
            TrialFolder.write(changed, at: file.path)
            // Twice the same entry ends in a valid footer, and still has the wrong length.
            #expect(try trial.get(Self.small) == nil, "\(changed.count) of \(bytes.count) bytes")
            #expect(access(file.path, F_OK) != 0, "\(changed.count) of \(bytes.count) bytes: the file is kept")
        }
    }

    @Test func largeEntry_isHeldAgainstItsChecksumBeforeItIsHandedOut() throws {
        let trial = try TrialStore()
        let number = try #require((0..<1000).first { TrialEntry(number: $0, version: 1).byteCount > 290_000 })
        #expect(trial.put(number))
        #expect(try trial.get(number) == 1)
        let file = try trial.onlyFile()
        let bytes = TrialFolder.read(file.path)
        var random = SeededGenerator(state: 4)
        for _ in 0..<40 {
            var changed = bytes
            changed[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            TrialFolder.write(changed, at: file.path)
            #expect(try trial.get(number) == nil)
            #expect(access(file.path, F_OK) != 0)
        }
    }

    @Test(arguments: Damage.allCases)
    func afterAnyDamage_nothingWrongIsFound_andTheEntryCanBeStoredAgain(_ damage: Damage) throws {
        var random = SeededGenerator(state: UInt64(damage.rawValue))
        for round in 0..<12 {
            let trial = try TrialStore()
            for number in 0..<8 { trial.put(number) }
            if round.isMultiple(of: 2) { try trial.reopen() }
            let files = trial.folder.entries
            try #require(files.count == 8)
            let struck = damage.strike(files[round % 8], other: files[(round + 1) % 8], random: &random)
            let found = try (0..<8).map { try trial.get($0) }
            #expect(found.count { $0 == nil } == struck.count, "\(damage), round \(round)")
            for number in 0..<8 {
                let isStored = trial.put(number, version: 2)
                #expect(isStored || damage == .fullFolder, "\(damage), round \(round)")
                #expect(try trial.get(number) == (isStored ? 2 : nil), "\(damage), round \(round)")
            }
            #expect(trial.offCount == 0, "\(damage): no reason to turn the whole store off")
        }
    }

    @Test func damageBeforeTheStart_isFoundOut() throws {
        var random = SeededGenerator(state: 9)
        let trial = try TrialStore()
        for number in 0..<64 { trial.put(number) }
        trial.store.close()
        let files = trial.folder.entries
        var struckCount = 0
        for (index, damage) in Damage.allCases.enumerated() {
            struckCount += damage.strike(files[2 * index], other: files[2 * index + 1], random: &random).count
        }
        try trial.reopen()
        let found = try (0..<64).map { try trial.get($0) }
        #expect(found.count { $0 == nil } == struckCount)
        try trial.waitUntilIndexed()
    }

    @Test func fileWithAHoleOfATerabyte_doesNotPutTheOthersOut() throws {
        let trial = try TrialStore(byteCapacity: 64 << 20)
        for number in 0..<64 { trial.put(number) }
        let victim = try #require(trial.folder.entries.first)
        #expect(truncate(victim.path, 1 << 40) == 0)
        try trial.reopen(byteCapacity: 64 << 20)
        try trial.waitUntilIndexed()
        #expect(trial.store.counts.evictions == 0)
        #expect(try (0..<64).count { try trial.get($0) != nil } == 63)
        #expect(access(victim.path, F_OK) != 0)
    }

    @Test func folderThatDisappearsWhileInUse_costsTheEntries_andNothingElse() throws {
        let trial = try TrialStore()
        for number in 0..<40 { trial.put(number) }
        for name in trial.folder.names { TrialFolder.removeAll(trial.folder.path + "/" + name) }
        for number in 0..<40 { #expect(try trial.get(number) == nil) }
        try KillTrial.wait("entries are stored again: \(trial.store.counts)") {
            trial.clock.advance(seconds: 61)
            return trial.put(3, version: 2)
        }
        #expect(try trial.get(3) == 2)
        TrialFolder.removeAll(trial.folder.path)
        #expect(try trial.get(3) == nil)
        _ = trial.put(4, version: 3)
        _ = try trial.get(4)
    }
}
