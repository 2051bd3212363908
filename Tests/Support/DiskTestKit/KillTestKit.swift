import Digest
import DiskStore
import Glibc
import Reactor
import SeededRandom
import Synchronization

/// Sentences from any thread.
private final class Texts: Sendable {
    private let all = Mutex<[String]>([])
    var texts: [String] { all.withLock { $0 } }
    func add(_ text: String) { all.withLock { $0.append(text) } }
}

/// Writers are killed at any moment, thousands of times, and every entry is looked at after each death.
package final class KillTestKit {
    /// What was seen in all rounds.
    package struct Tally: Sendable {
        package var killCount = 0
        /// How many entries the writers reported as stored.
        package var storedCount = 0
        /// How many entries were read and compared afterwards.
        package var verifiedCount = 0
        /// How many files writers left half written.
        package var orphanCount = 0
        /// How many files were damaged in some way.
        package var damagedCount = 0
        /// How many damaged or foreign files the store reported as removed.
        package var removedCount = 0
    }

    private enum Kind: CaseIterable {
        case oneWriter, manyThreads, twoWriters, damaged, bounded, emptying, atTheStart, twoPurging, litter
    }

    private static let spread = 10_000

    private let executable: String
    private let folder: StoreTestFolder
    private let numberCount: Int
    private var random: SeededGenerator
    private var ledger = Ledger()
    private let offNotices = Texts()
    private var version = 1
    package private(set) var tally = Tally()

    /// A test in `folder` with writers that are `executable`, each of which has `numberCount` numbers.
    package init(executable: String, folder: StoreTestFolder, numberCount: Int, seed: UInt64) {
        self.executable = executable
        self.folder = folder
        self.numberCount = numberCount
        random = SeededGenerator(state: seed)
    }

    /// One round: a writer works, dies, and everything is looked at.
    package func round(_ index: Int) throws(Complaint) {
        let kind = Kind.allCases[index % Kind.allCases.count]
        do throws(Complaint) {
            if kind == .damaged || kind == .atTheStart { damage() }
            if kind == .litter { litter() }
            try write(kind)
            tally.orphanCount += folder.unfinished.count
            try verify(isBounded: kind == .bounded)
        } catch {
            throw Complaint("round \(index) (\(kind)): \(error)")
        }
    }

    private func write(_ kind: Kind) throws(Complaint) {
        version += 1 << 20
        let isSingle = kind == .emptying
        let count = "\(numberCount)"
        let common = [
            "write", "--folder", folder.path, "--version", "\(version)", "--seed", "\(random.next() >> 1)", "--count",
            count, "--threads", isSingle ? "1" : kind == .manyThreads ? "8" : "3",
        ]
        let more: [String] =
            switch kind {
            case .emptying: ["--empties", "1"]
            case .bounded: ["--bytes", "1000000"]
            case .twoWriters: ["--purges", "0"]
            default: []
            }
        let child = try Child(executable, common + more)
        var second: Child?
        if kind == .twoWriters || kind == .twoPurging {
            second = try Child(executable, common + ["--from", "\(Self.spread)"])
        }
        if kind != .atTheStart { child.listenForWord() }
        child.listen(microseconds: Int.random(in: 0..<20_000, using: &random))
        try finish(child)
        if let second {
            // The survivor goes on for a while beside a dead one.
            second.listen(microseconds: Int.random(in: 0..<5_000, using: &random))
            try finish(second)
        }
        // Who hears of another's purge may also remove what was stored since.
        if kind == .bounded || kind == .twoPurging { ledger.excuseLosses() }
    }

    private func finish(_ child: Child) throws(Complaint) {
        guard child.kill() else { throw Complaint("a writer ended by itself") }
        tally.killCount += 1
        ledger.take(child.lines)
        tally.storedCount = ledger.storedCount
        if let complaint = ledger.complaints.first { throw Complaint("a writer says: \(complaint)") }
    }

    // MARK: Looking

    private var numbers: [Int] { Array(0..<numberCount) + Array(Self.spread..<Self.spread + numberCount) }

    private func verify(isBounded: Bool) throws(Complaint) {
        if isBounded {
            let store = try open(byteCapacity: 1_000_000)
            defer { store.close() }
            try Self.wait("the bound is kept") { store.counts.isIndexed && store.counts.byteCount <= 1_000_000 }
        }
        let store = try open(byteCapacity: 1 << 40)
        defer { store.close() }
        for number in numbers {
            var version: Int?
            if let found = store.find(TestEntry.key(number), tag: TestEntry.tag(number)) {
                tally.verifiedCount += 1
                version = try TestEntry.version(of: found, number: number).get()
            }
            try ledger.settle(number, found: version)
        }
        try Self.wait("everything is listed") { store.counts.isIndexed }
        let folder = folder
        try Self.wait("half-written files are removed: \(folder.unfinished.map(\.name))") { folder.unfinished.isEmpty }
        try Self.wait("the folder is tidy: \(folder.names)") {
            Set(folder.names).isSubset(of: ["entries", "tmp", "lock", "purges", "purges-new"])
        }
        try compareCounts(store)
        tally.removedCount += store.counts.corruptions
    }

    private func compareCounts(_ store: EntryStore) throws(Complaint) {
        // Foreign folders are nobody's to delete.
        let files = folder.entries.filter { !$0.isFolder }
        let byteCount = files.reduce(0) { $0 + $1.blockByteCount }
        let counts = store.counts
        let errors = offNotices.texts
        if !errors.isEmpty { throw Complaint("the store was turned off: \(errors)") }
        if counts.evictions != 0 { throw Complaint("evicted from an unbounded store: \(counts)") }
        if !counts.isOn { throw Complaint("the store is off") }
        if let foreign = files.first(where: { Self.number(of: $0) == nil }) {
            throw Complaint("\(foreign.path) is still there")
        }
        if counts.entryCount != files.count || counts.byteCount != byteCount {
            throw Complaint("\(files.count) files with \(byteCount) bytes, but the store counts \(counts)")
        }
    }

    private func open(byteCapacity: Int) throws(Complaint) -> EntryStore {
        let settings = EntryStoreSettings(path: folder.path, byteCapacity: byteCapacity, fileCapacity: 1 << 20)
        do throws(Errno) {
            let notices = offNotices
            return try EntryStore.open(settings, clock: .system) { event in
                if case .turnedOff(let error) = event { notices.add("\(error)") }
            }
        } catch {
            throw Complaint("the store does not open: \(error)")
        }
    }

    /// Waits for what happens in the background, for as long as the slowest machine needs.
    package static func wait(_ what: @autoclosure () -> String, until condition: () -> Bool) throws(Complaint) {
        for _ in 0..<20_000 {
            if condition() { return }
            usleep(1000)
        }
        throw Complaint("it never comes that " + what())
    }

    // MARK: Harming

    /// The numbers by what the names of files can say of their keys.
    private static let numberOf: [String: Int] = {
        var numbers: [String: Int] = [:]
        for number in Array(0..<4096) + Array(spread..<spread + 4096) {
            numbers[String(TestEntry.key(number).hex.prefix(32))] = number
        }
        return numbers
    }()

    private static func number(of file: StoreTestFolder.File) -> Int? {
        guard let name = file.name.split(separator: "-", maxSplits: 1).last else { return nil }
        return numberOf[String(name)]
    }

    private func damage() {
        let files = folder.entries.filter { $0.isRegular && $0.byteCount < 1 << 22 }
        guard files.count > 8 else { return }
        var struck: Set<String> = []
        for _ in 0..<min(6, files.count / 4) {
            guard let victim = files.randomElement(using: &random), let other = files.randomElement(using: &random),
                let damage = Damage.allCases.randomElement(using: &random),
                struck.insert(victim.path).inserted, struck.insert(other.path).inserted
            else { continue }
            for file in damage.strike(victim, other: other, random: &random) {
                tally.damagedCount += 1
                if let number = Self.number(of: file) { ledger.forget(number) }
            }
        }
    }

    /// Leaves files where none belong.
    private func litter() {
        let noise = (0..<100).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        for index in 0..<4 { StoreTestFolder.write(noise, at: folder.path + "/tmp/left-\(index)") }
        mkdir(folder.path + "/entries/ab", 0o755)
        mkdir(folder.path + "/entries/not-two-digits", 0o755)
        StoreTestFolder.write(noise, at: folder.path + "/entries/plain")
        StoreTestFolder.write(noise, at: folder.path + "/entries/ab/plain")
        StoreTestFolder.write([], at: folder.path + "/entries/ab/")
        mkdir(folder.path + "/entries/ab/folder", 0o755)
        mkfifo(folder.path + "/entries/ab/pipe", 0o644)
    }
}
