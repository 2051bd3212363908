import DiskStore
import Glibc
import Reactor
import SeededRandom

/// Stores, removes and purges as fast as it can until it is killed, and says on standard output what it has done.
package struct WriterProcess: Sendable {
    package var folder = ""
    package var byteCapacity = 1 << 40
    /// The numbers that are written: each thread has a part of them for itself.
    package var numbers = 0..<768
    package var threadCount = 3
    package var version = 1
    /// Where the random choices begin.
    package var seed: UInt64 = 1
    /// Whether the whole store is emptied now and then, which takes a single thread.
    package var empties = false
    /// Whether entries are removed and purged now and then.
    package var purges = true
    /// How many steps each thread takes; without end unless it is set.
    package var stepCount = Int.max

    /// A writer as `arguments` (pairs of a name and a value) say.
    package init(arguments: [String]) throws(Complaint) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Complaint("\(name) has no value") }
            let number = Int(value) ?? 0
            switch name {
            case "--folder": folder = value
            case "--bytes": byteCapacity = number
            case "--from": numbers = number..<number + numbers.count
            case "--count": numbers = numbers.lowerBound..<numbers.lowerBound + number
            case "--threads": threadCount = max(number, 1)
            case "--version": version = number
            case "--seed": seed = UInt64(value) ?? 1
            case "--empties": empties = number != 0
            case "--purges": purges = number != 0
            case "--steps": stepCount = number
            default: throw Complaint("\(name) is not known")
            }
        }
    }

    package func run() throws {
        let settings = EntryStoreSettings(path: folder, byteCapacity: byteCapacity, fileCapacity: 1 << 20)
        let store = try EntryStore.open(settings, clock: .system) { event in
            if case .turnedOff(let error) = event { Self.say("! turned off: \(error)") }
        }
        let perThread = numbers.count / threadCount / TestEntry.groupSize * TestEntry.groupSize
        let threads = try (0..<threadCount).map { index in
            try OwnedThread.start(name: "writer-\(index)", stackByteCount: 1 << 20) {
                let start = numbers.lowerBound + index * perThread
                work(store, numbers: start..<start + perThread, seed: seed &+ UInt64(index))
            }
        }
        for thread in threads { thread.join() }
        store.close()
    }

    private func work(_ store: EntryStore, numbers: Range<Int>, seed: UInt64) {
        var random = SeededGenerator(state: seed)
        var version = version
        for _ in 0..<stepCount {
            let number = Int.random(in: numbers, using: &random)
            version += 1
            switch random.next() % 100 {
            case 0..<84:
                let isStored = store.store(TestEntry(number: number, version: version).record)
                Self.say("\(isStored ? "S" : "F") \(number) \(version)")
            case 84..<94:
                guard let found = store.find(TestEntry.key(number), tag: TestEntry.tag(number)) else { continue }
                if case .failure(let complaint) = TestEntry.version(of: found, number: number) {
                    Self.say("! \(complaint)")
                }
            case 94..<98 where purges:
                Self.say("J \(number)")
                store.remove(TestEntry.key(number), tag: TestEntry.tag(number))
                Self.say("R \(number) \(version)")
            case 98 where purges:
                let group = number / TestEntry.groupSize
                Self.say("I \(group)")
                _ = store.purge(tag: TestEntry.tag(group: group))
                Self.say("P \(group) \(version)")
            default:
                guard empties else { continue }
                Self.say("W 0")
                store.purgeAll()
                Self.say("E 0 \(version)")
            }
        }
    }

    /// One line by one system call, which a pipe takes whole.
    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}
