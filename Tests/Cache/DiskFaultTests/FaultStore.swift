import DiskStore
import DiskTestKit
import Glibc
import Reactor
import Synchronization
import Testing

/// A store in a folder of its own, which goes with it.
final class FaultStore: Sendable {
    let folder: StoreTestFolder
    let clock: JumpingClock
    private let opened: Mutex<EntryStore>
    private let reported = Mutex<[EntryStoreEvent]>([])

    init(byteCapacity: Int = 1 << 40, fileCapacity: Int = 1 << 20) throws {
        folder = try StoreTestFolder.temporary()
        clock = JumpingClock()
        let settings = EntryStoreSettings(path: folder.path, byteCapacity: byteCapacity, fileCapacity: fileCapacity)
        opened = Mutex(try EntryStore.open(settings, clock: .system) { _ in })
        store.close()
        try reopen(byteCapacity: byteCapacity, fileCapacity: fileCapacity)
    }

    deinit {
        store.close()
        folder.remove()
    }

    var store: EntryStore { opened.withLock { $0 } }
    var events: [EntryStoreEvent] { reported.withLock { $0 } }
    var offCount: Int { events.count { if case .turnedOff = $0 { true } else { false } } }
    var onCount: Int { events.count { $0 == .turnedOn } }

    /// Ends the store and opens the folder again, as a restart does.
    func reopen(byteCapacity: Int = 1 << 40, fileCapacity: Int = 1 << 20) throws {
        store.close()
        let settings = EntryStoreSettings(path: folder.path, byteCapacity: byteCapacity, fileCapacity: fileCapacity)
        let next = try EntryStore.open(settings, clock: clock.clock) { [weak self] event in
            self?.reported.withLock { $0.append(event) }
        }
        opened.withLock { $0 = next }
    }

    /// Lets the time pass that listing the folder takes.
    func waitUntilIndexed() throws(Complaint) {
        try KillTestKit.wait("all is listed: \(store.counts)") {
            clock.advance(seconds: 1)
            return store.counts.isIndexed
        }
    }

    @discardableResult
    func put(_ number: Int, version: Int = 1) -> Bool {
        store.store(TestEntry(number: number, version: version).record)
    }

    /// The version that is found; nil if none is. Throws if anything about it is wrong.
    func get(_ number: Int) throws(Complaint) -> Int? {
        guard let found = store.find(TestEntry.key(number), tag: TestEntry.tag(number)) else { return nil }
        return try TestEntry.version(of: found, number: number).get()
    }

    @discardableResult
    func remove(_ number: Int) -> Bool { store.remove(TestEntry.key(number), tag: TestEntry.tag(number)) }

    /// The file of the only entry that there is.
    func onlyFile() throws -> StoreTestFolder.File {
        let files = folder.entries
        try #require(files.count == 1)
        return files[0]
    }
}

/// A clock that can be made to jump: its monotonic time forward, its time of day anywhere.
final class JumpingClock: Sendable {
    /// How far ahead of the system's the monotonic time is.
    private let nanoseconds = Atomic<Int64>(0)
    private let seconds = Atomic<Int64>(1_800_000_000)

    /// Moves the monotonic time, which never goes back.
    func advance(seconds count: Int64) {
        nanoseconds.wrappingAdd(count * 1_000_000_000, ordering: .sequentiallyConsistent)
    }

    /// Sets the time of day.
    func set(unixSeconds: Int64) { seconds.store(unixSeconds, ordering: .sequentiallyConsistent) }

    var clock: Clock {
        Clock(
            monotonic: {
                Clock.system.monotonic().advanced(
                    byNanoseconds: self.nanoseconds.load(ordering: .sequentiallyConsistent))
            },
            unixSeconds: { self.seconds.load(ordering: .sequentiallyConsistent) })
    }
}
