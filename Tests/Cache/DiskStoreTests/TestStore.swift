import Bytes
import Digest
import Foundation
import Reactor
import Synchronization

@testable import DiskStore

/// A folder for a test, removed with it, and what the stores in it reported.
final class TestFolder: Sendable {
    let path: String
    let clock = HandMovedClock()
    private let reported = Mutex<[EntryStoreEvent]>([])

    init() throws {
        path = NSTemporaryDirectory() + "veduta-disk-" + EntryWriter.newName()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var storePath: String { path + "/cache" }

    var events: [EntryStoreEvent] { reported.withLock { $0 } }

    func forgetEvents() { reported.withLock { $0 = [] } }

    /// A store whose background steps the test does.
    func open(byteCapacity: Int = 1 << 30, fileCapacity: Int = 1 << 20) throws -> EntryStore {
        try EntryStore.openWithoutThread(settings(byteCapacity, fileCapacity), clock: clock.clock, report: record)
    }

    /// A store as the service opens it.
    func openWithThread(byteCapacity: Int = 1 << 30, fileCapacity: Int = 1 << 20) throws -> EntryStore {
        try EntryStore.open(settings(byteCapacity, fileCapacity), clock: .system, report: record)
    }

    private func settings(_ byteCapacity: Int, _ fileCapacity: Int) -> EntryStoreSettings {
        EntryStoreSettings(path: storePath, byteCapacity: byteCapacity, fileCapacity: fileCapacity)
    }

    private func record(_ event: EntryStoreEvent) { reported.withLock { $0.append(event) } }

    /// All that is below the store's folder, files and folders, sorted.
    func names(in folder: String = "") -> [String] {
        let all = FileManager.default.enumerator(atPath: storePath + "/" + folder)?.compactMap { $0 as? String } ?? []
        return all.sorted()
    }

    /// The files of entries that are there.
    var entryFiles: [String] {
        names(in: "entries").filter { $0.utf8.count == 52 }.map { storePath + "/entries/" + $0 }
    }

    func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
}

extension EntryRecord {
    /// The record number `number` with `byteCount` bytes of content.
    static func sample(_ number: Int, tag: UInt64 = 7, byteCount: Int = 1000, seed: UInt8 = 0) -> EntryRecord {
        EntryRecord(
            key: sampleKey(number), tag: tag, status: 200, storedUnixSeconds: 1_800_000_000 + Int64(number),
            cost: .microseconds(1500 + number), fields: Array("type: \(number)\r\n".utf8),
            content: SharedBytes((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) ^ seed }))
    }

    static func sampleKey(_ number: Int) -> Digest256 { SHA256.digest(of: "entry \(number)") }
}

extension FoundEntry {
    /// The bytes of the content.
    var bytes: [UInt8] {
        switch content {
        case .memory(let shared): return shared.withUnsafeBytes { Array($0) }
        case .file(let file):
            var bytes = [UInt8](repeating: 0, count: file.byteCount)
            let count = bytes.withUnsafeMutableBytes { (try? file.read(into: $0, from: 0)) ?? 0 }
            return Array(bytes.prefix(count))
        }
    }

    /// Whether it says what `record` said.
    func isSame(as record: EntryRecord) -> Bool {
        status == record.status && storedUnixSeconds == record.storedUnixSeconds && cost == record.cost
            && fields == record.fields && bytes == record.content.withUnsafeBytes { Array($0) }
    }
}

extension EntryStore {
    func find(_ record: EntryRecord) -> FoundEntry? { find(record.key, tag: record.tag) }
}

extension Maintenance {
    /// Does steps, moving the clock to the next each time, until every folder has been listed once more.
    func goRound(_ clock: HandMovedClock) {
        var listed = 0
        while listed < EntryName.folderCount {
            let before = scan.folder
            let pause = step()
            clock.advance(by: pause)
            if scan.folder != before { listed += 1 }
        }
    }

    /// Does steps until there is nothing to do at once.
    func settle() {
        var count = 0
        while step() == .zero, count < 100_000 { count += 1 }
    }
}
