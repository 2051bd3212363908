import Originals
import AssetLibrary
import Bytes
import Digest
import Foundation
import Parameters
import TestSupport
import Testing

@testable import VedutaService

/// What `veduta library check` says and does.
@Suite(.timeLimit(.minutes(5))) struct LibraryInspectionTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "veduta-check-\(UUID().uuidString)").path
    private let picture: [UInt8]

    init() throws {
        try RunningService.prepare()
        picture = try PictureFolder.picture(9, 8)
    }

    private func withLibrary(_ body: () throws -> Void) throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            let library = try UploadLibrary(UploadSettings(path: path, mediaType: SourceMedia.readable))
            try library.put("a.png", .bytes(SharedBytes(picture)))
            try library.add(.bytes(SharedBytes(picture)))
            // No other process may look meanwhile.
            #expect { try LibraryInspection.run(path: path, repairs: false) } throws: {
                "\($0)".contains("another process is using it")
            }
        }
        try body()
    }

    @Test func soundLibrary_isOneLine() throws {
        try withLibrary {
            let report = try LibraryInspection.run(path: path, repairs: false)
            #expect(report.isSound)
            #expect(report.lines == ["2 files, \(2 * picture.count) bytes, 2 rows: no faults found"])
        }
    }

    @Test func lostCatalogue_isMadeAnew() throws {
        try withLibrary {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path + "/catalogue.sqlite3" + suffix)
            }
            let id = "~" + SHA256.digest(of: picture).base64URL()
            let found = try LibraryInspection.run(path: path, repairs: false)
            #expect(!found.isSound)
            #expect(found.lines.prefix(2) == ["\(id): not in the catalogue", "a.png: not in the catalogue"])
            #expect(try LibraryInspection.run(path: path, repairs: true).isSound)
            #expect(try LibraryInspection.run(path: path, repairs: false).isSound)
        }
    }

    @Test func damagedCatalogue_isSaid_andRepaired() throws {
        try withLibrary {
            for suffix in ["-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path + "/catalogue.sqlite3" + suffix)
            }
            try Data(repeating: 0x78, count: 8192).write(to: URL(filePath: path + "/catalogue.sqlite3"))
            #expect { try LibraryInspection.run(path: path, repairs: false) } throws: {
                "\($0)".contains("library check --repair")
            }
            let repaired = try LibraryInspection.run(path: path, repairs: true)
            #expect(repaired.isSound)
            #expect(repaired.lines.first?.contains("0 focal points kept, others may be lost") == true)
            #expect(try LibraryInspection.run(path: path, repairs: false).isSound)
        }
    }

    /// Nothing but the catalogue has them.
    @Test func focalPoints_outliveADamagedCatalogue() throws {
        try withLibrary {
            let settings = UploadSettings(path: path, mediaType: SourceMedia.readable)
            let point = try #require(StoredFocalPoint(xMillionths: 250_000, yMillionths: 750_000))
            let ids = ["a.png", "elsewhere/photo.jpg"]
            do {
                let library = try UploadLibrary(settings)
                for id in ids { try library.setFocalPoint(point, of: id) }
            }
            // The second page is the root of the table of assets; that of focal points is whole.
            let file = try FileHandle(forWritingTo: URL(filePath: path + "/catalogue.sqlite3"))
            try file.seek(toOffset: 4096)
            try file.write(contentsOf: Data(repeating: 0x78, count: 4096))
            try file.close()
            #expect(throws: UploadError.damagedCatalogue) { try UploadLibrary(settings) }
            let repaired = try LibraryInspection.run(path: path, repairs: true)
            #expect(repaired.isSound && repaired.lines.first == "the catalogue was damaged: 2 focal points kept")
            let library = try UploadLibrary(settings)
            #expect(ids.allSatisfy { library.focalPoint(of: $0) == point })
        }
    }
}

/// How assets are written in answers.
@Suite(.timeLimit(.minutes(5))) struct AssetTextTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_700_000_000_123_456_789, "2023-11-14T22:13:20.123Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
        ] as [(Int64, String)])
    func times_areThoseOfRFC3339(_ nanoseconds: Int64, _ text: String) {
        #expect(AssetRecordJSON.time(nanoseconds) == text)
    }

    @Test(arguments: [
        ("~ab-_", "/assets/~ab-_"), ("a b/ö?#%.png", "/assets/a%20b/%C3%B6%3F%23%25.png"),
        ("original", "/assets/original"), ("a/pages.png", "/assets/a/pages.png"),
        ("a/b/original", "/assets/a/b%2Foriginal"), ("a/focus/pages", "/assets/a/focus%2Fpages"),
        ("\u{600}/original", "/assets/%D8%80%2Foriginal"),
    ])
    func addresses_holdTheWholeID(_ id: String, _ path: String) {
        #expect(AssetAddress.path(id) == path)
    }
}
