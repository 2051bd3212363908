import Bytes
import Digest
import Glibc
import Testing

@testable import AssetLibrary

/// #15.16: what takes the place of a file with its size and its time is another file all the same.
@Suite(.timeLimit(.minutes(5))) struct FileDigestTests {
    private let folder: TemporaryFolder
    private let library: FolderLibrary

    init() throws {
        folder = try TemporaryFolder()
        library = try FolderLibrary(rootPath: folder.path, digestLimit: 1000)
        try replace("a.jpg", by: "first")
    }

    /// Gives `name` another file, by renaming, with one and the same time.
    private func replace(_ name: String, by content: String) throws {
        try folder.makeFile("new", Array(content.utf8))
        setTime("new")
        rename(folder.at("new"), folder.at(name))
    }

    private func setTime(_ name: String) {
        var times = [timespec(tv_sec: 1_700_000_000, tv_nsec: 5), timespec(tv_sec: 1_700_000_000, tv_nsec: 5)]
        utimensat(AT_FDCWD, folder.at(name), &times, 0)
    }

    @Test func replacement_ofEqualSizeAndTime_isAnotherState() throws {
        let first = try library.state(of: "a.jpg")
        try replace("a.jpg", by: "other")
        let second = try library.state(of: "a.jpg")
        #expect(first.byteCount == second.byteCount && first.modifiedNanoseconds == second.modifiedNanoseconds)
        #expect(first.validator != second.validator)
        let opened = try library.open(id: "a.jpg")
        #expect(opened.validator == second.validator)
        #expect(try opened.read(limit: 1000).withUnsafeBytes { Array($0) } == Array("other".utf8))
    }

    @Test func contentWrittenInPlace_withItsTimeSetBack_isAnotherState() throws {
        let first = try library.state(of: "a.jpg").validator
        // The clock of the file system ticks in between.
        let began = try library.openUnread(id: "a.jpg").status.changedNanoseconds
        repeat {
            try folder.makeFile("a.jpg", Array("other".utf8))
            setTime("a.jpg")
        } while try library.openUnread(id: "a.jpg").status.changedNanoseconds == began
        #expect(try library.state(of: "a.jpg").validator != first)
    }

    @Test func sameContent_keepsItsState_whateverTheInodeSays() throws {
        let first = try library.state(of: "a.jpg").validator
        try replace("a.jpg", by: "first")
        #expect(try !library.isStateKnown(of: "a.jpg"))
        #expect(try library.state(of: "a.jpg").validator == first)
        link(folder.at("a.jpg"), folder.at("b.jpg"))
        chmod(folder.at("a.jpg"), 0o600)
        #expect(try library.state(of: "a.jpg").validator == first)
        #expect(try library.state(of: "b.jpg").validator == first)
    }

    @Test func replicas_agree_whateverTheyHaveSeen() throws {
        let replica = try TemporaryFolder()
        try replica.makeFile("a.jpg", Array("other".utf8))
        var times = [timespec(tv_sec: 1_700_000_000, tv_nsec: 5), timespec(tv_sec: 1_700_000_000, tv_nsec: 5)]
        utimensat(AT_FDCWD, replica.at("a.jpg"), &times, 0)
        _ = try library.state(of: "a.jpg")
        try replace("a.jpg", by: "other")
        let restarted = try FolderLibrary(rootPath: replica.path, digestLimit: 1000)
        #expect(try library.state(of: "a.jpg").validator == restarted.state(of: "a.jpg").validator)
    }

    @Test func file_isReadOnce_untilItChanges() throws {
        #expect(try !library.isStateKnown(of: "a.jpg"))
        _ = try library.state(of: "a.jpg")
        #expect(try library.isStateKnown(of: "a.jpg"))
        try replace("a.jpg", by: "first")
        #expect(try !library.isStateKnown(of: "a.jpg"))
        #expect(throws: LibraryError.notFound) { try library.isStateKnown(of: "absent.jpg") }
        #expect(throws: LibraryError.notRegularFile) {
            try folder.makeFolder("folder")
            _ = try library.isStateKnown(of: "folder")
        }
    }

    @Test func largeFiles_andLibrariesThatDoNotAsk_haveNoDigest() throws {
        try folder.makeFile("large.jpg", [UInt8](repeating: 1, count: 1001))
        #expect(try library.state(of: "large.jpg").digest == nil)
        #expect(try library.isStateKnown(of: "large.jpg"))
        #expect(try FolderLibrary(rootPath: folder.path).state(of: "a.jpg").digest == nil)
        try folder.makeFile("empty.jpg", [])
        #expect(try library.state(of: "empty.jpg").digest == SHA256.digest(of: [UInt8]()))
    }

    @Test func digests_areBounded_andThoseInUseStay() throws {
        let digests = FileDigests(limit: 8)
        let digest = SHA256.digest(of: "x")
        var statuses: [FileStatus] = []
        for number in 0..<100 {
            try folder.makeFile("\(number)")
            let status = try library.openUnread(id: "\(number)").status
            digests.keep(digest, of: status)
            statuses.append(status)
            #expect(digests.digest(of: statuses[0]) == digest)
        }
        #expect(statuses.count { digests.digest(of: $0) != nil } <= 8)
    }
}
