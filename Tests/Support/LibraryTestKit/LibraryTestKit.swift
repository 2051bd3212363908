package import DiskTestKit
import AssetLibrary
import Bytes
import Glibc
import SeededRandom

/// Writers upload and delete from several threads and are killed at any moment; after each death the library is opened and
/// held against what they said, bit for bit.
package final class LibraryTestKit {
    /// What was seen in all rounds.
    package struct Tally: Sendable {
        package var killCount = 0
        /// How many uploads and deletes they had acknowledged.
        package var acknowledgedCount = 0
        /// How many assets were read and compared afterwards.
        package var verifiedCount = 0
        /// How many files were under way when they died.
        package var underWayCount = 0
        /// How many times the catalogue was lost and made anew.
        package var rebuiltCount = 0
    }

    private static let numberCount = 400

    private let executable: String
    private let folder: StoreTestFolder
    private var random: SeededGenerator
    private var ledger = LibraryLedger()
    private var version = 1
    package private(set) var tally = Tally()

    package init(executable: String, folder: StoreTestFolder, seed: UInt64) {
        self.executable = executable
        self.folder = folder
        random = SeededGenerator(state: seed)
    }

    /// One round: a writer works, dies, and everything is looked at.
    package func round(_ index: Int) throws(Complaint) {
        do throws(Complaint) {
            try write(index)
            tally.underWayCount += StoreTestFolder.list(folder.path + "/incoming").count
            let isLost = index % 8 == 7
            if isLost { loseCatalogue() }
            try verify(repairs: isLost)
        } catch {
            throw Complaint("round \(index): \(error)")
        }
    }

    private func write(_ index: Int) throws(Complaint) {
        version += 1 << 20
        let child = try Child(
            executable,
            [
                "write", "--folder", folder.path, "--version", "\(version)", "--seed", "\(random.next() >> 8)",
                "--count", "\(Self.numberCount)", "--threads", index % 4 == 1 ? "1" : "8",
            ])
        // Now and then it dies while it opens the library.
        if index % 4 != 3 { child.listenForWord() }
        child.listen(microseconds: Int.random(in: 0..<(index % 4 == 0 ? 400_000 : 50_000), using: &random))
        guard child.kill() else {
            throw Complaint("a writer ended by itself: \(String(decoding: child.lines, as: UTF8.self))")
        }
        tally.killCount += 1
        ledger.take(child.lines)
        tally.acknowledgedCount = ledger.acknowledgedCount
        if let complaint = ledger.complaints.first { throw Complaint("a writer says: \(complaint)") }
    }

    private func loseCatalogue() {
        for suffix in ["", "-wal", "-shm"] { unlink(folder.path + "/catalogue.sqlite3" + suffix) }
        tally.rebuiltCount += 1
    }

    private func verify(repairs: Bool) throws(Complaint) {
        do {
            let library = try UploadLibrary(TestAsset.settings(folder.path))
            if repairs { _ = try library.check(repairs: true) }
            var ids: Set<String> = []
            for number in 0..<Self.numberCount {
                let id = TestAsset.id(number)
                let bytes = try Self.content(id, library)
                let version = bytes.flatMap { TestAsset.version(of: $0, number: number) }
                if let bytes {
                    guard version != nil else { throw Complaint("\(number): wrong content, \(bytes.count) bytes") }
                    ids.insert(id)
                    tally.verifiedCount += 1
                }
                try ledger.settle(number, found: version)
            }
            try compare(ids, library)
        } catch let error as Complaint {
            throw error
        } catch {
            throw Complaint("the library does not work: \(error)")
        }
    }

    private static func content(_ id: String, _ library: UploadLibrary) throws(LibraryError) -> [UInt8]? {
        do throws(LibraryError) {
            return try library.open(id: id).read(limit: 1 << 24).withUnsafeBytes { Array($0) }
        } catch {
            if error == .notFound { return nil }
            throw error
        }
    }

    /// Rows and files are those of `ids`, and there is nothing else.
    private func compare(_ ids: Set<String>, _ library: UploadLibrary) throws {
        let listing = AssetListing(uploads: library, folder: nil, mediaType: TestAsset.mediaType)
        let listed = try listing.page(after: "", limit: 10 * Self.numberCount).records.map(\.id)
        guard listed.count == ids.count, Set(listed) == ids else {
            throw Complaint("\(Set(listed).symmetricDifference(ids)) is listed or missing")
        }
        let report = try library.check()
        guard report.findings.isEmpty, report.fileCount == ids.count else {
            throw Complaint("\(report.fileCount) files, \(ids.count) assets: \(report.findings)")
        }
        let rest = StoreTestFolder.list(folder.path + "/incoming").map(\.name)
        guard rest.isEmpty else { throw Complaint("left over: \(rest)") }
        let names = Set(StoreTestFolder.list(folder.path).map(\.name))
        let known: Set = [
            "objects", "names", "incoming", "lock", "catalogue.sqlite3", "catalogue.sqlite3-wal",
            "catalogue.sqlite3-shm",
        ]
        guard names.isSubset(of: known) else { throw Complaint("left over: \(names.subtracting(known))") }
    }
}
