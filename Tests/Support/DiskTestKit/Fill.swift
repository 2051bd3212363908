import Bytes
import DiskStore
import Glibc
import Reactor
import Synchronization

/// Makes a folder with very many small entries.
package enum Fill {
    /// Stores `count` entries of 200 bytes under `path` on two threads.
    package static func run(path: String, count: Int) throws(Complaint) {
        var information = statvfs()
        mkdir(path, 0o755)
        guard statvfs(path, &information) == 0 else { throw Complaint("\(path) is no folder") }
        // Some file systems make inodes as they need them and say 0.
        if information.f_files > 0, information.f_favail < UInt(count + count / 10) {
            throw Complaint("\(path): only \(information.f_favail) files can be made")
        }
        if UInt(information.f_bavail) * UInt(information.f_frsize) < UInt(count) * 6000 {
            throw Complaint("\(path): only \(UInt(information.f_bavail) * UInt(information.f_frsize)) bytes are free")
        }
        do throws(Errno) { try store(path, count) } catch { throw Complaint("the store does not work: \(error)") }
    }

    private static func store(_ path: String, _ count: Int) throws(Errno) {
        let settings = EntryStoreSettings(path: path, byteCapacity: 1 << 50, fileCapacity: count * 2)
        let store = try EntryStore.open(settings, clock: .system) { _ in }
        let failureCount = Atomic(0)
        let content = SharedBytes([UInt8](repeating: 0x76, count: 200))
        var threads: [OwnedThread] = []
        for part in 0..<2 {
            threads.append(
                try OwnedThread.start(name: "fill-\(part)") {
                    for number in stride(from: part, to: count, by: 2) {
                        let record = EntryRecord(
                            key: TestEntry.key(number), tag: TestEntry.tag(number), status: 200,
                            storedUnixSeconds: 1_700_000_000, cost: .milliseconds(20), fields: [], content: content)
                        if !store.store(record) { failureCount.add(1, ordering: .relaxed) }
                    }
                })
        }
        for thread in threads { thread.join() }
        print("fill: \(store.counts), \(failureCount.load(ordering: .relaxed)) not stored")
        store.close()
    }
}
