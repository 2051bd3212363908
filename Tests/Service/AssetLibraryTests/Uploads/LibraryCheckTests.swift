import Digest
import Foundation
import SQLite
import Testing

@testable import AssetLibrary

@Suite("Checking a library of uploads", .timeLimit(.minutes(5)))
struct LibraryCheckTests {
    private let uploads: TestUploads

    init() throws {
        uploads = try TestUploads()
        for text in ["a", "b", "c", "d"] { try uploads.library.add(picture(text)) }
        for text in ["a", "b"] { try uploads.library.put("albums/\(text)", picture(text), fileName: "mine \(text)") }
    }

    private func file(_ text: String) -> String {
        let name = pictureID(text).dropFirst()
        return "uploads/objects/\(name.prefix(2))/\(name)"
    }

    @Test func wholeLibrary_hasNoFindings() throws {
        let report = try uploads.library.check(repairs: true)
        #expect(report.findings.isEmpty && !report.isRepaired)
        #expect(report.fileCount == 6 && report.rowCount == 6 && report.byteCount == 12)
    }

    @Test func everyDifference_isFound_andRepaired() throws {
        try uploads.folder.makeFile(file("new"), Array("Pnew".utf8), makingFolders: true)
        try uploads.folder.makeFile("uploads/names/hand", Array("Phand".utf8))
        try uploads.folder.remove(file("a"))
        try uploads.folder.makeFile(file("b"), Array("Px".utf8))
        try uploads.folder.makeFile(file("c"), Array("Pxy".utf8))
        try uploads.folder.makeFile("uploads/names/albums/a", Array("Pother".utf8))
        try uploads.folder.makeFile("uploads/names/albums/b", Array("Py".utf8))
        try uploads.folder.makeFile("uploads/objects/stray")
        let expected: [LibraryFinding] = [
            .strayFile(path: "objects/stray"), .missingRow(id: pictureID("new")), .missingRow(id: "hand"),
            .missingFile(id: pictureID("a")), .wrongDigest(id: pictureID("b")), .wrongSize(id: pictureID("c")),
            .wrongSize(id: "albums/a"), .wrongDigest(id: "albums/b"),
        ]
        let found = try uploads.library.check()
        #expect(found.findings.count == expected.count)
        #expect(expected.allSatisfy(found.findings.contains))
        #expect(try uploads.library.check() == found)

        #expect(try uploads.library.check(repairs: true).isRepaired)
        #expect(try uploads.library.check().findings == [.strayFile(path: "objects/stray")])
        #expect(try uploads.content(pictureID("new")) == "Pnew")
        #expect(throws: LibraryError.notFound) { try uploads.library.state(of: pictureID("b")) }
        #expect(try uploads.files(in: "damaged").count == 2)
        let record = try uploads.library.record(of: "albums/a")
        #expect(record.digest == SHA256.digest(of: "Pother") && record.fileName == "mine a")
        #expect(uploads.library.totals.count == 5)
    }

    @Test func focalPoints_thatNothingHas_areFound_andRemoved() throws {
        let point = try #require(StoredFocalPoint(xMillionths: 1, yMillionths: 2))
        // The last is a file of the folder of images, of which this library knows nothing.
        let kept = [pictureID("b"), "albums/a", "elsewhere/photo.jpg"]
        for id in kept + [pictureID("a"), pictureID("gone"), "~strange"] {
            try uploads.library.setFocalPoint(point, of: id)
        }
        try uploads.folder.remove(file("a"))
        try uploads.reopen {
            let catalogue = try SQLiteConnection(path: uploads.folder.at("uploads/catalogue.sqlite3"), .writing)
            try catalogue.run("INSERT INTO focal_points (id, x, y) VALUES ('albums/b', 5, -1)")
        }
        #expect(uploads.library.focalPoint(of: "albums/b") == nil)
        let expected: [LibraryFinding] = [
            .missingFile(id: pictureID("a")), .damagedFocalPoint(id: "albums/b"),
            .orphanedFocalPoint(id: pictureID("gone")), .orphanedFocalPoint(id: "~strange"),
        ]
        for repairs in [false, true] {
            let found = try uploads.library.check(repairs: repairs).findings
            #expect(found.count == expected.count && expected.allSatisfy(found.contains), "\(found)")
        }
        #expect(try uploads.library.check().findings.isEmpty)
        // What is in memory is what is on the disk.
        for _ in 0..<2 {
            #expect(kept.allSatisfy { uploads.library.focalPoint(of: $0) == point })
            #expect([pictureID("a"), pictureID("gone")].allSatisfy { uploads.library.focalPoint(of: $0) == nil })
            try uploads.reopen()
        }
    }

    @Test func lostCatalogue_isMadeAnewFromTheFiles() throws {
        let before = try uploads.library.records(after: "", limit: 100)
        try uploads.reopen {
            for suffix in ["", "-wal", "-shm"] { try? uploads.folder.remove("uploads/catalogue.sqlite3" + suffix) }
        }
        #expect(uploads.library.isCatalogueNew)
        // Nothing is lost meanwhile.
        #expect(try uploads.content("albums/a") == "Pa")
        #expect(try uploads.library.records(after: "", limit: 100).isEmpty)
        #expect(try uploads.library.check(repairs: true).findings.count == 6)
        let after = try uploads.library.records(after: "", limit: 100)
        #expect(after.map(\.id) == before.map(\.id) && after.map(\.digest) == before.map(\.digest))
        #expect(after.map(\.mediaType) == before.map(\.mediaType))
        try uploads.reopen()
        #expect(!uploads.library.isCatalogueNew)
        #expect(uploads.library.totals == (6, 12))
    }

    @Test func damagedCatalogue_isPutAside() throws {
        let other = try TestUploads()
        try other.library.add(picture("a"))
        let settings = TestUploads.settings(other.folder)
        #expect(throws: UploadError.inUse) { try UploadLibrary.setCatalogueAside(path: settings.path) }
        try other.reopen {
            for suffix in ["-wal", "-shm"] { try? other.folder.remove("uploads/catalogue.sqlite3" + suffix) }
            try other.folder.makeFile("uploads/catalogue.sqlite3", Array(repeating: 0x78, count: 8192))
            #expect(throws: UploadError.damagedCatalogue) { try UploadLibrary(settings) }
            try UploadLibrary.setCatalogueAside(path: settings.path)
        }
        #expect(try other.library.check(repairs: true).findings == [.missingRow(id: pictureID("a"))])
    }
}
