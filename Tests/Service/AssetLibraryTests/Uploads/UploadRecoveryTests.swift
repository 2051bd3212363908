import Digest
import Foundation
import Reactor
import SQLite
import Testing

@testable import AssetLibrary

/// What is left where a process ended between two steps, made by hand.
@Suite("Uploads that were under way", .timeLimit(.minutes(5)))
struct UploadRecoveryTests {
    private let uploads: TestUploads
    private let path: String

    init() throws {
        uploads = try TestUploads()
        path = uploads.folder.at("uploads/catalogue.sqlite3")
    }

    private func row(_ id: String, _ text: String, token: Int64) -> CatalogueRow {
        CatalogueRow(
            id: id, digest: SHA256.digest(of: "P\(text)"), byteCount: text.utf8.count + 1, mediaType: "image/x-test",
            created: 1, modified: 2, token: token, fileName: nil)
    }

    private func receive(_ text: String, token: Int64) throws {
        try uploads.folder.makeFile("uploads/incoming/\(token)", Array("P\(text)".utf8))
    }

    @Test func receivedButNotCommitted_goes() throws {
        try uploads.reopen { try receive("a", token: 7) }
        #expect(try uploads.files().isEmpty)
        #expect(uploads.library.totals == (0, 0))
    }

    @Test func committed_takesItsPlace() throws {
        try uploads.library.put("albums/b", picture("old"))
        try uploads.reopen {
            try receive("a", token: 7)
            try receive("new", token: 8)
            try receive("deep", token: 9)
            let catalogue = try Catalogue(writing: path)
            try catalogue.write(row(pictureID("a"), "a", token: 7))
            try catalogue.write(row("albums/b", "new", token: 8))
            try catalogue.write(row("c/d/e", "deep", token: 9))
        }
        #expect(try uploads.content(pictureID("a")) == "Pa")
        #expect(try uploads.content("albums/b") == "Pnew")
        #expect(try uploads.content("c/d/e") == "Pdeep")
        #expect(try uploads.library.check().findings.isEmpty)
        #expect(try uploads.files(in: "incoming").isEmpty)
        // Tokens of rows are not given again.
        #expect(uploads.library.nextToken() > 9)
    }

    @Test func withdrawnButStillListed_comesBack() throws {
        let id = try uploads.library.add(picture("a")).record.id
        let file = "uploads/objects/\(id.dropFirst().prefix(2))/\(id.dropFirst())"
        try uploads.reopen { try uploads.folder.move(file, to: "uploads/incoming/1") }
        #expect(try uploads.content(id) == "Pa")
        #expect(try uploads.library.check().findings.isEmpty)
    }

    @Test func withdrawnAndNoLongerListed_goes() throws {
        let id = try uploads.library.add(picture("a")).record.id
        let file = "uploads/objects/\(id.dropFirst().prefix(2))/\(id.dropFirst())"
        try uploads.reopen {
            try uploads.folder.move(file, to: "uploads/incoming/1")
            try Catalogue(writing: path).remove(id)
        }
        #expect(throws: LibraryError.notFound) { try uploads.library.state(of: id) }
        #expect(try uploads.files().isEmpty)
    }

    @Test func whatNobodyKnows_isSwept() throws {
        try uploads.reopen {
            for name in ["probe", ".veduta-spool-AbCdEf", "07", "-", "x.part"] {
                try uploads.folder.makeFile("uploads/incoming/" + name)
            }
        }
        #expect(try uploads.files().isEmpty)
    }
}

@Suite("The catalogue's schema", .timeLimit(.minutes(5)))
struct CatalogueMigrationTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.at("catalogue.sqlite3")
    }

    @Test func olderSchema_isBroughtUp_withItsRows() throws {
        do {
            _ = try Catalogue(writing: path, version: 1)
            let connection = try SQLiteConnection(path: path, .writing)
            try connection.query(
                "INSERT INTO assets VALUES (?, ?, 5, 'image/png', 3, 4, 9)",
                [.text("old.png"), .blob(SHA256.digest(of: "x").bytes)])
            #expect(throws: SQLiteError.self) { try connection.query("SELECT file_name FROM assets") }
        }
        let catalogue = try Catalogue(writing: path)
        #expect(
            try catalogue.row("old.png")
                == CatalogueRow(
                    id: "old.png", digest: SHA256.digest(of: "x"), byteCount: 5, mediaType: "image/png", created: 3,
                    modified: 4, token: 9, fileName: nil))
        let version = try SQLiteConnection(path: path, .reading).first("PRAGMA user_version") { $0.integer(0) }
        #expect(version == Int64(Catalogue.latestVersion))
        #expect(try catalogue.totals().lastToken == 9)
    }

    @Test func newerSchema_isLeftAlone() throws {
        _ = try Catalogue(writing: path)
        try SQLiteConnection(path: path, .writing).run("PRAGMA user_version = 99")
        #expect(throws: UploadError.newerCatalogue(version: 99)) { try Catalogue(writing: path) }
    }

    @Test func commits_areDurable() throws {
        let catalogue = try Catalogue(writing: path)
        #expect(try catalogue.setting("journal_mode") == "wal")
        // FULL.
        #expect(try catalogue.setting("synchronous") == "2")
    }

    @Test func whatIsNoDatabase_isSaid() throws {
        try folder.makeFile("catalogue.sqlite3", Array(repeating: UInt8(ascii: "x"), count: 8192))
        #expect(throws: UploadError.damagedCatalogue) { try Catalogue(writing: path) }
    }
}
