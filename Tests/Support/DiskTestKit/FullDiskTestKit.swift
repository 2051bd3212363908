import DiskStore
import Glibc
import Reactor
import Synchronization

/// A store on a file system of a megabyte or two: it fills up, is read-only for a while, and recovers.
package final class FullDiskTestKit {
    /// What the store told its operator.
    private final class Notices: Sendable {
        private let events = Mutex<[EntryStoreEvent]>([])
        func add(_ event: EntryStoreEvent) { events.withLock { $0.append(event) } }
        var off: Int {
            events.withLock { events in events.count { if case .turnedOff = $0 { true } else { false } } }
        }
        var on: Int { events.withLock { events in events.count { $0 == .turnedOn } } }
    }

    private let folder: StoreTestFolder
    private let ballast: String
    private let clock = HandMovedClock()
    private let notices = Notices()
    private let store: EntryStore
    private var stored: [Int: Int] = [:]
    private var nextVersion = 1
    package private(set) var notes: [String] = []

    /// A store under `path`, which lies on a file system of its own.
    package init(_ path: String) throws(Complaint) {
        folder = StoreTestFolder(path + "/store")
        ballast = path + "/ballast"
        let settings = EntryStoreSettings(path: folder.path, byteCapacity: 1 << 40, fileCapacity: 1 << 20)
        do throws(Errno) {
            store = try EntryStore.open(settings, clock: clock.clock) { [notices] in notices.add($0) }
        } catch {
            throw Complaint("the store does not open: \(error)")
        }
    }

    /// The file system fills up with entries, then by somebody else, and there is room again each time.
    package func fill() throws(Complaint) {
        let count = try fillUp()
        // While no time passes, nothing is tried again.
        for number in 6000..<6200 where attempt(number) { throw Complaint("\(number) is stored though it is off") }
        guard notices.off == 1, notices.on == 0 else { throw Complaint("\(notices.off) notices") }
        try look(isWhole: true)
        // From here on it may put out its own entries to make room.
        for number in stored.keys.sorted().prefix(stored.count / 2) {
            store.remove(TestEntry.key(number), tag: TestEntry.tag(number))
            stored[number] = nil
        }
        try comeBack()
        var tornCount = 0
        for left in 0...24 {
            try occupy(allBut: left * 1024)
            for number in 5000..<5012 where !attempt(number) { tornCount += 1 }
            try look(isWhole: false)
            clock.advance(by: .seconds(2))
            for number in 5000..<5012 where !attempt(number) { tornCount += 1 }
            try look(isWhole: false)
            unlink(ballast)
            try comeBack()
        }
        notes.append(
            "\(count) entries fit; later \(tornCount) did not; \(notices.off) times off and on again, a notice each")
    }

    /// The file system becomes read-only and writable again; false when that cannot be arranged.
    package func forbidWriting(at mount: String) throws(Complaint) -> Bool {
        // How much room it takes after all that is its own affair.
        for number in 0..<20 { _ = attempt(number) }
        try comeBack()
        let offCount = notices.off
        let onCount = notices.on
        try look(isWhole: false)
        var isForGood = false
        if Glibc.mount(nil, mount, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) != 0 {
            // The store has a file open for writing. What ext4 does by itself after an error of the disk asks nobody.
            isForGood = "abort".withCString { Glibc.mount(nil, mount, nil, UInt(MS_REMOUNT), $0) } == 0
            guard isForGood else {
                notes.append("read-only: skipped, \(Errno(code: errno))")
                return false
            }
        }
        for number in 6000..<6200 where attempt(number) { throw Complaint("\(number) is stored though it is off") }
        for _ in 0..<20 {
            clock.advance(by: .seconds(61))
            usleep(1000)
            if attempt(6201) { throw Complaint("stored on a read-only file system") }
        }
        guard notices.off == offCount + 1 else { throw Complaint("\(notices.off - offCount) notices, not one") }
        try look(isWhole: true)
        if isForGood {
            notes.append("read-only for good: one notice")
            return true
        }
        Glibc.mount(nil, mount, nil, UInt(MS_REMOUNT), nil)
        try comeBack()
        guard notices.on == onCount + 1 else { throw Complaint("on again is told \(notices.on - onCount) times") }
        notes.append("read-only: one notice, and on again")
        return true
    }

    /// Ends it; nothing may be left half written.
    package func finish() throws(Complaint) {
        try look(isWhole: false)
        store.close()
        guard folder.unfinished.isEmpty else { throw Complaint("left over: \(folder.unfinished.map(\.name))") }
    }

    private func fillUp() throws(Complaint) -> Int {
        for number in 0..<4000 where !attempt(number) {
            guard number > 20, notices.off == 1 else {
                throw Complaint("\(number) entries fit, \(notices.off) notices")
            }
            guard folder.unfinished.isEmpty else { throw Complaint("left over: \(folder.unfinished.map(\.name))") }
            return number
        }
        throw Complaint("the file system never fills up")
    }

    private func comeBack() throws(Complaint) {
        try KillTestKit.wait("entries are stored again: \(store.counts)") {
            clock.advance(by: .seconds(61))
            return attempt(7000) && store.counts.isOn
        }
        guard notices.off == notices.on else { throw Complaint("\(notices.off) times off, \(notices.on) times on") }
        try look(isWhole: false)
    }

    private func attempt(_ number: Int) -> Bool {
        nextVersion += 1
        guard store.store(TestEntry(number: number, version: nextVersion).record) else { return false }
        stored[number] = nextVersion
        return true
    }

    /// Nothing wrong is found, and, if `isWhole`, whatever was stored is; else entries may have made room for others.
    private func look(isWhole: Bool) throws(Complaint) {
        for number in Array(0..<200) + Array(5000..<5012) + Array(stored.keys) {
            guard let found = store.find(TestEntry.key(number), tag: TestEntry.tag(number)) else {
                if isWhole, stored[number] != nil { throw Complaint("\(number) is lost") }
                stored[number] = nil
                continue
            }
            let version = try TestEntry.version(of: found, number: number).get()
            if version != stored[number] {
                throw Complaint("\(number): version \(version), not \(stored[number] ?? 0)")
            }
        }
    }

    /// Takes all room but so many bytes.
    private func occupy(allBut left: Int) throws(Complaint) {
        guard let file = fopen(ballast, "w") else { throw Complaint("no ballast") }
        setvbuf(file, nil, Int32(_IONBF), 0)
        let piece = [UInt8](repeating: 1, count: 1024)
        while fwrite(piece, 1, piece.count, file) == piece.count {}
        fclose(file)
        var information = stat()
        stat(ballast, &information)
        truncate(ballast, max(Int(information.st_size) - left, 0))
    }
}
