import DiskStore
import DiskTestKit
import Glibc
import Reactor
import Testing

/// The time of day jumps: an operator sets it, a battery is empty, a virtual machine was asleep.
@Suite(.timeLimit(.minutes(5))) struct ClockJumpTests {
    private static let century: Int64 = 3_155_760_000

    @Test(arguments: [0, 1, -Self.century, 1_800_000_000 + Self.century, .max, .min] as [Int64])
    func entriesAreFound_whateverTheTimeOfDay(_ time: Int64) throws {
        let faulty = try FaultStore()
        for number in 0..<20 { #expect(faulty.put(number)) }
        faulty.clock.set(unixSeconds: time)
        for number in 0..<20 { #expect(try faulty.get(number) == 1) }
        for number in 10..<30 { #expect(faulty.put(number, version: 2)) }
        try faulty.reopen()
        for number in 0..<30 { #expect(try faulty.get(number) == (number < 10 ? 1 : 2)) }
        try faulty.waitUntilIndexed()
        #expect(faulty.store.counts.entryCount == 30)
    }

    /// The store hands out the time that it was given; what is to be made of it is its owner's affair.
    @Test(arguments: [0, -1, .max, .min, 1 << 40] as [Int64])
    func timeOfStoring_isKeptAsItIs(_ time: Int64) throws {
        let faulty = try FaultStore()
        let plain = TestEntry(number: 1, version: 1).record
        let record = EntryRecord(
            key: plain.key, tag: plain.tag, status: 200, storedUnixSeconds: time, cost: .zero, fields: [],
            content: plain.content)
        #expect(faulty.store.store(record))
        #expect(faulty.store.find(plain.key, tag: plain.tag)?.storedUnixSeconds == time)
    }

    @Test func modificationTimesInTheFuture_orInThePast_doNoHarm() throws {
        let faulty = try FaultStore(byteCapacity: 1 << 20)
        for number in 0..<60 { faulty.put(number) }
        for (index, file) in faulty.folder.entries.enumerated() {
            let time = timespec(tv_sec: index.isMultiple(of: 2) ? 0 : 4_000_000_000, tv_nsec: 0)
            utimensat(AT_FDCWD, file.path, [time, time], 0)
        }
        try faulty.reopen(byteCapacity: 1 << 20)
        try faulty.waitUntilIndexed()
        for number in 0..<60 { #expect(try faulty.get(number) == 1) }
    }
}
