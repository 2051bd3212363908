import Bytes
import Digest
import Foundation
import Reactor
import TestThreads
import Testing

@testable import AssetLibrary

@Suite("Uploads", .timeLimit(.minutes(5)))
struct UploadLibraryTests {
    private let uploads: TestUploads

    init() throws { uploads = try TestUploads() }

    @Test func sameBytes_haveOneID_andOneFile() throws {
        let first = try uploads.library.add(picture("one"), fileName: "holiday.jpg")
        #expect(first.outcome == .created)
        #expect(first.record.id == pictureID("one"))
        #expect(first.record.byteCount == 4)
        #expect(first.record.mediaType == "image/x-test")
        #expect(first.record.fileName == "holiday.jpg")
        #expect(first.record.digest == SHA256.digest(of: "Pone"))
        let second = try uploads.library.add(picture("one"), fileName: "other.jpg")
        #expect(second == StoredUpload(record: first.record, outcome: .unchanged))
        #expect(try uploads.content(first.record.id) == "Pone")
        #expect(try uploads.library.record(of: first.record.id) == first.record)
        let name = String(first.record.id.dropFirst())
        #expect(try uploads.files() == ["objects/\(name.prefix(2))/\(name)"])
        #expect(uploads.library.totals == (1, 4))
    }

    @Test func uploads_areThereAfterOpeningAgain() throws {
        let record = try uploads.library.add(picture("one")).record
        let named = try uploads.library.put("albums/cat.jpg", picture("two")).record
        try uploads.reopen()
        #expect(try uploads.library.record(of: record.id) == record)
        #expect(try uploads.library.record(of: "albums/cat.jpg") == named)
        #expect(try uploads.content("albums/cat.jpg") == "Ptwo")
        #expect(uploads.library.totals == (2, 8))
        #expect(!uploads.library.isCatalogueNew)
    }

    @Test func replaced_isAnotherState_alsoWithinOneTick() throws {
        // The clock stands still.
        let uploads = try TestUploads { $0.unixNanoseconds = { 1_700_000_000_000_000_000 } }
        var validators: Set<String> = []
        let created = try uploads.library.put("cat.jpg", picture("0")).record.createdUnixNanoseconds
        for round in 1...9 {
            validators.insert(try uploads.library.state(of: "cat.jpg").validator)
            let stored = try uploads.library.put("cat.jpg", picture("\(round)"))
            #expect(stored.outcome == .replaced)
            #expect(stored.record.createdUnixNanoseconds == created)
            #expect(try uploads.content("cat.jpg") == "P\(round)")
        }
        #expect(validators.count == 9)
        // Also when the clock has gone back since, as after a restart.
        let state = try uploads.library.state(of: "cat.jpg")
        try uploads.reopen()
        try uploads.folder.setModified("uploads/names/cat.jpg", seconds: 4_000_000_000, nanoseconds: 5)
        try uploads.library.put("cat.jpg", picture("x"))
        let after = try uploads.library.state(of: "cat.jpg")
        #expect(after.modifiedUnixSeconds == 4_000_000_000 && after.modifiedNanoseconds > 5)
        #expect(after != state)
    }

    @Test func removedAndPutAgain_isAnotherState() throws {
        let uploads = try TestUploads { $0.unixNanoseconds = { 1_700_000_000_000_000_000 } }
        try uploads.library.put("cat.jpg", picture("a"))
        let before = try uploads.library.state(of: "cat.jpg")
        try uploads.library.remove("cat.jpg")
        #expect(throws: LibraryError.notFound) { try uploads.library.state(of: "cat.jpg") }
        try uploads.library.put("cat.jpg", picture("b"))
        #expect(try uploads.library.state(of: "cat.jpg") != before)
    }

    @Test func sameContentUnderAName_changesNothing() throws {
        let first = try uploads.library.put("cat.jpg", picture("a"))
        let state = try uploads.library.state(of: "cat.jpg")
        let second = try uploads.library.put("cat.jpg", picture("a"))
        #expect(second == StoredUpload(record: first.record, outcome: .unchanged))
        #expect(try uploads.library.state(of: "cat.jpg") == state)
        #expect(try uploads.files() == ["names/cat.jpg"])
    }

    @Test func preconditions_areAskedOfWhatIsThere() throws {
        #expect(throws: UploadError.preconditionFailed) {
            try uploads.library.put("cat.jpg", picture("a")) { $0 != nil }
        }
        try uploads.library.put("cat.jpg", picture("a")) { $0 == nil }
        #expect(throws: UploadError.preconditionFailed) {
            try uploads.library.put("cat.jpg", picture("b")) { $0 == nil }
        }
        let digest = SHA256.digest(of: "Pa")
        try uploads.library.put("cat.jpg", picture("b")) { $0?.digest == digest }
        #expect(throws: UploadError.preconditionFailed) {
            try uploads.library.remove("cat.jpg") { $0.digest == digest }
        }
        #expect(try uploads.content("cat.jpg") == "Pb")
        try uploads.library.remove("cat.jpg") { $0.digest != digest }
        #expect(throws: UploadError.notFound) { try uploads.library.remove("cat.jpg") }
        #expect(try uploads.files().isEmpty)
        #expect(uploads.library.totals == (0, 0))
    }

    @Test func bounds_areKept_byTypedErrors() throws {
        let uploads = try TestUploads {
            $0.byteLimit = 10
            $0.countLimit = 3
            $0.totalByteLimit = 20
        }
        #expect(throws: UploadError.tooLarge(limit: 10)) { try uploads.library.add(picture("0123456789")) }
        #expect(throws: UploadError.unknownMedia) {
            try uploads.library.add(.bytes(SharedBytes(Array("no picture".utf8))))
        }
        try uploads.library.add(picture("012345678"))
        #expect(throws: UploadError.unknownMedia) { try uploads.library.add(.bytes(SharedBytes([]))) }
        try uploads.library.put("a", picture("01234567"))
        #expect(throws: UploadError.full(limit: 20)) { try uploads.library.add(picture("1")) }
        // What it replaces makes room.
        try uploads.library.put("a", picture("012345678"))
        try uploads.library.put("a", picture("0"))
        try uploads.library.put("b", picture("0"))
        #expect(throws: UploadError.tooMany(limit: 3)) { try uploads.library.put("c", picture("0")) }
        #expect(try uploads.library.add(picture("012345678")).outcome == .unchanged)
        #expect(uploads.library.totals == (3, 14))
        #expect(try uploads.files(in: "incoming").isEmpty)
    }

    @Test func names_keepTheGrammar_andAreNoFolders() throws {
        for id in [
            "", "/etc/passwd", "../x", "a//b", "~short", "~" + String(repeating: "A", count: 43) + "A", "a\u{0}b",
        ] {
            #expect { try uploads.library.put(id, picture("a")) } throws: {
                if case .invalidID? = $0 as? UploadError { true } else { false }
            }
        }
        try uploads.library.put("a/b/c.jpg", picture("a"))
        #expect(throws: UploadError.nameTaken) { try uploads.library.put("a/b", picture("a")) }
        #expect(throws: UploadError.nameTaken) { try uploads.library.put("a/b/c.jpg/d", picture("a")) }
        #expect(throws: UploadError.notFound) { try uploads.library.remove("a/b") }
        #expect(try uploads.files() == ["names/a/b/c.jpg"])
        try uploads.library.remove("a/b/c.jpg")
        // Folders that hold nothing go, and hinder nobody where they stayed.
        #expect(try uploads.library.put("a", picture("a")).outcome == .created)
        try uploads.folder.makeFolder("uploads/names/left")
        try uploads.folder.makeFolder("uploads/names/left/over")
        #expect(try uploads.library.put("left", picture("a")).outcome == .created)
    }

    @Test func putUnderADigest_takesThatContentOnly() throws {
        #expect(try uploads.library.put(pictureID("a"), picture("a")).outcome == .created)
        #expect(throws: UploadError.invalidID(.reservedPrefix)) {
            try uploads.library.put(pictureID("b"), picture("a"))
        }
    }

    @Test func fileWithoutAName_isTakenAsItIs_othersAreCopied() throws {
        let bytes = Array("P".utf8) + (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let spool = try FileDescriptor.openSpool(in: uploads.folder.at("uploads/incoming"))
        try spool.write(bytes, at: 0)
        let number = try spool.state().fileNumber
        let id = try uploads.library.add(.file(number: spool.rawValue, byteCount: bytes.count)).record.id
        let path = "uploads/objects/\(id.dropFirst().prefix(2))/\(id.dropFirst())"
        #expect(try number == fileNumber(uploads.folder.at(path)))
        #expect(try Array(Data(contentsOf: URL(filePath: uploads.folder.at(path)))) == bytes)

        // The beginning of a file with a name, of which somebody may make something else.
        try uploads.folder.makeFile("mine", bytes)
        let mine = FileDescriptor(adopting: open(uploads.folder.at("mine"), O_RDONLY | O_CLOEXEC))
        try uploads.library.put("copy", .file(number: mine.rawValue, byteCount: 300_000))
        #expect(try fileNumber(uploads.folder.at("uploads/names/copy")) != fileNumber(uploads.folder.at("mine")))
        let copy = try Data(contentsOf: URL(filePath: uploads.folder.at("uploads/names/copy")))
        #expect(Array(copy) == Array(bytes.prefix(300_000)))
        // Shorter than was said.
        #expect(throws: UploadError.io(errno: EIO)) {
            try uploads.library.add(.file(number: mine.rawValue, byteCount: bytes.count + 1))
        }
        #expect(try uploads.files(in: "incoming").isEmpty)
    }

    private func fileNumber(_ path: String) throws -> UInt64 {
        try FileDescriptor(adopting: open(path, O_RDONLY | O_CLOEXEC)).state().fileNumber
    }

    @Test func oneProcess_hasTheFolder() throws {
        #expect(throws: UploadError.inUse) { try UploadLibrary(TestUploads.settings(uploads.folder)) }
        try uploads.reopen()
    }

    @Test func manyThreads_seeWholeUploads_andCountThem() throws {
        let library = uploads.library
        onThreads(8) { thread in
            for number in 0..<40 {
                let text = "\(number % 10) \(String(repeating: "x", count: number))"
                do {
                    let id = try library.add(picture(text)).record.id
                    let bytes = try library.open(id: id).read(limit: 1000)
                    #expect(bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } == "P\(text)")
                    if number % 3 == thread % 3 {
                        do throws(UploadError) { try library.remove(id) } catch { #expect(error == .notFound) }
                    }
                    try library.put("shared/\(number % 4)", picture("\(thread) \(number)"))
                } catch LibraryError.notFound {
                    // Another thread has removed it.
                } catch {
                    Issue.record(error)
                }
            }
        }
        let listed = try library.records(after: "", limit: 1000)
        #expect(try library.check().findings.isEmpty)
        #expect(library.totals == (listed.count, listed.reduce(0) { $0 + $1.byteCount }))
        #expect(try uploads.files().count == listed.count)
    }

    @Test func fileThatNobodyKnows_isServed_andCounts() throws {
        try uploads.folder.makeFile("uploads/names/by-hand.jpg", Array("Phand".utf8))
        #expect(try uploads.library.record(of: "by-hand.jpg").digest == SHA256.digest(of: "Phand"))
        #expect(throws: UploadError.preconditionFailed) {
            try uploads.library.put("by-hand.jpg", picture("x")) { $0 == nil }
        }
        #expect(try uploads.library.put("by-hand.jpg", picture("x")).outcome == .replaced)
        try uploads.folder.makeFile("uploads/names/other.jpg", Array("Pother".utf8))
        try uploads.library.remove("other.jpg")
        #expect(try uploads.files() == ["names/by-hand.jpg"])
        #expect(uploads.library.totals == (1, 2))
    }
}
