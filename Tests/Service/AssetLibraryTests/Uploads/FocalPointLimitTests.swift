import AssetLibrary
import Testing

/// Focal points in the catalogue.
@Suite(.timeLimit(.minutes(5))) struct FocalPointLimitTests {
    private func point(_ x: Int64) throws -> StoredFocalPoint {
        try #require(StoredFocalPoint(xMillionths: x, yMillionths: 5))
    }

    @Test func tooMany_areRefused_andThoseThatAreThereCanChange() throws {
        let folder = try TemporaryFolder()
        var settings = UploadSettings(path: folder.at("uploads")) { _ in "image/png" }
        settings.focalPointLimit = 2
        let library = try UploadLibrary(settings)
        try library.setFocalPoint(point(1), of: "a")
        try library.setFocalPoint(point(2), of: "b")
        #expect(throws: UploadError.tooManyFocalPoints(limit: 2)) { try library.setFocalPoint(point(3), of: "c") }
        try library.setFocalPoint(point(4), of: "a")
        try library.setFocalPoint(nil, of: "b")
        try library.setFocalPoint(point(3), of: "c")
        #expect(try library.focalPoint(of: "a") == point(4))
        #expect(library.focalPoint(of: "b") == nil)
    }

    /// Texts that are equal for Swift are different ids.
    @Test func ids_areBytes() throws {
        let folder = try TemporaryFolder()
        let library = try UploadLibrary(UploadSettings(path: folder.at("uploads")) { _ in "image/png" })
        try library.setFocalPoint(point(1), of: "\u{e9}.png")
        #expect(library.focalPoint(of: "e\u{301}.png") == nil)
        #expect(try library.focalPoint(of: "\u{e9}.png") == point(1))
    }

    @Test func points_beyondTheImage_areNone() {
        #expect(StoredFocalPoint(xMillionths: -1, yMillionths: 0) == nil)
        #expect(StoredFocalPoint(xMillionths: 0, yMillionths: 1_000_001) == nil)
    }
}
