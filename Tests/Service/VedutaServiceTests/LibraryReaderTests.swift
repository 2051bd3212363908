import AssetLibrary
import Glibc
import Originals
import Reactor
import Synchronization
import TestSupport
import Testing

/// Files of the library that are read on threads of their own, once for all who wait.
@Suite(.timeLimit(.minutes(5))) struct LibraryReaderTests {
    private static let mallory = ClientNetwork(ipv4: 1)
    private static let alice = ClientNetwork(ipv4: 2)

    /// What those who wait were told, by the name of the file; nil: it is read.
    private final class Told: Sendable {
        private let told = Mutex<[String: OriginalError?]>([:])

        func put(_ name: String, _ refusal: OriginalError?) { told.withLock { $0[name] = .some(refusal) } }
        var names: [String] { told.withLock { $0.keys.sorted() } }
        func isRefused(_ name: String) -> Bool { told.withLock { ($0[name] ?? nil) == .busy } }
    }

    /// A file of that length without anything in it, which takes no room.
    private func addHole(_ name: String, _ byteCount: Int, in folder: PictureFolder) throws {
        try folder.add(name, [])
        #expect(truncate(folder.path + "/" + name, byteCount) == 0)
    }

    private func makeReader(_ folder: PictureFolder, queueLimit: Int = 100) throws -> LibraryReader {
        try LibraryReader(
            try FolderLibrary(rootPath: folder.path, digestLimit: .max), queueLimit: queueLimit)
    }

    /// Composed and decomposed letters are equal as texts.
    @Test func filesWhoseNamesLookTheSame_areBothRead() throws {
        let folder = try PictureFolder()
        let names = ["\u{e9}.png", "e\u{301}.png"]
        // So large that the first is still being read when the second is asked for.
        for name in names { try folder.add(name, [UInt8](repeating: 7, count: 32 << 20)) }
        let reader = try makeReader(folder)
        let doneCount = Mutex(0)
        for name in names {
            let isRead = try reader.read(name, done: { _ in doneCount.withLock { $0 += 1 } }) != nil
            #expect(isRead)
        }
        reader.stop()
        #expect(doneCount.withLock { $0 } == 2)
        for name in names { #expect(reader.isKnown(name)) }
    }

    /// One client that left at once had its files read all the same, before everybody else's.
    @Test func filesThatNobodyWaitsFor_areReadNoFurther() throws {
        let folder = try PictureFolder()
        let names = (0..<6).map { "\($0).png" }
        for name in names { try addHole(name, 16 << 30, in: folder) }
        let (reader, told) = (try makeReader(folder), Told())
        var leaves: [@Sendable () -> Void] = []
        for name in names {
            if let leave = try reader.read(name, for: Self.mallory, done: { told.put(name, $0) }) {
                leaves.append(leave)
            }
        }
        #expect(leaves.count == 6 && reader.readingCount == 6)
        for leave in leaves { leave() }
        #expect(reader.readingCount == 0)
        reader.stop()
        #expect(told.names.isEmpty)
        for name in names { #expect(!reader.isKnown(name)) }
    }

    @Test func fileThatOneOfTwoStillWaitsFor_isRead() throws {
        let folder = try PictureFolder()
        try addHole("x.png", 1 << 30, in: folder)
        let (reader, told) = (try makeReader(folder), Told())
        let leave = try reader.read("x.png", for: Self.mallory, done: { told.put("mallory", $0) })
        let isJoined = try reader.read("x.png", for: Self.alice, done: { told.put("alice", $0) }) != nil
        #expect(isJoined && reader.readingCount == 1)
        leave?()
        reader.stop()
        #expect(told.names == ["alice"] && !told.isRefused("alice"))
        #expect(reader.isKnown("x.png"))
    }

    /// Asks until there is a place in line.
    private func wait(
        for name: String, _ reader: LibraryReader, _ told: Told, of client: ClientNetwork
    ) -> (@Sendable () -> Void)? {
        var leave: (@Sendable () -> Void)?
        let isInLine = eventually {
            leave = try? reader.read(name, for: client, done: { told.put(name, $0) })
            return leave != nil
        }
        #expect(isInLine)
        return leave
    }

    @Test func clientThatFillsTheLine_givesUpAPlaceForAnother_andIsTold() throws {
        let folder = try PictureFolder()
        let large = ["large1.png", "large2.png"]
        for name in large { try addHole(name, 64 << 30, in: folder) }
        for name in ["m1.png", "m2.png", "alice.png"] { try addHole(name, 1 << 20, in: folder) }
        let (reader, told) = (try makeReader(folder, queueLimit: 2), Told())
        // Both threads are busy with these once the two others have their places.
        let leaves = large.map { wait(for: $0, reader, told, of: Self.mallory) }
        for name in ["m1.png", "m2.png"] { _ = wait(for: name, reader, told, of: Self.mallory) }
        let isInLine = try reader.read("alice.png", for: Self.alice, done: { told.put("alice.png", $0) }) != nil
        #expect(isInLine)
        #expect(told.names == ["m2.png"] && told.isRefused("m2.png"))
        for leave in leaves { leave?() }
        reader.stop()
        #expect(told.names == ["alice.png", "m1.png", "m2.png"])
        #expect(!told.isRefused("alice.png") && !told.isRefused("m1.png"))
        #expect(reader.isKnown("alice.png") && !reader.isKnown("m2.png"))
    }

    @Test func bytesThatAreRead_areCharged_andAnEmptyBudgetReadsNothing() throws {
        let folder = try PictureFolder()
        for name in ["x.png", "y.png"] { try addHole(name, 3 << 20, in: folder) }
        let reader = try makeReader(folder)
        let charged = Mutex(0)
        let meter = WorkMeter(report: { use in
            if case .fetched(let byteCount) = use { charged.withLock { $0 += byteCount } }
        })
        let isRead = try WorkMeter.$current.withValue(meter) {
            try reader.read("x.png", for: Self.mallory, done: { _ in }) != nil
        }
        #expect(isRead)
        let empty = WorkMeter(report: { _ in }, admit: { false })
        #expect(throws: OriginalError.busy) {
            try WorkMeter.$current.withValue(empty) {
                _ = try reader.read("y.png", for: Self.mallory, done: { _ in })
            }
        }
        reader.stop()
        #expect(charged.withLock { $0 } == 3 << 20)
        #expect(!reader.isKnown("y.png"))
    }
}
