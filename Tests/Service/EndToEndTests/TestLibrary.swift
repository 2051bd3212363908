import Foundation
import TestSupport

/// What the server serves in these tests: the photographs and the map of `../shared`, or what the binary makes itself.
struct TestLibrary: Sendable {
    let folder: URL
    let mapArchive: String?
    /// A large photograph in it, upright as stored.
    let photo: String
    let photoWidthPx: Int
    let photoHeightPx: Int
    /// A picture with alpha.
    let translucent: String

    /// Made once for all tests.
    static let standard: Result<TestLibrary, any Error> = Result {
        if SharedData.isPresent {
            let archive = SharedData.folder.appending(path: "maps/firenze.pmtiles").path
            return TestLibrary(
                folder: SharedData.folder.appending(path: "images"),
                mapArchive: FileManager.default.fileExists(atPath: archive) ? archive : nil,
                photo: "photo12_seeding.jpg", photoWidthPx: 4000, photoHeightPx: 3000, translucent: "photo1_alpha.png")
        }
        return try samples()
    }

    /// The pictures that `veduta sample` writes, which lie in the temporary folder until the system clears it.
    static func samples() throws -> TestLibrary { try written.get() }

    /// Once for all tests: writing cuts the files that servers of other tests read.
    private static let written: Result<TestLibrary, any Error> = Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "veduta-samples-\(getpid())")
        let run = try ReleaseBinary.run(["sample", folder.path])
        guard run.status == 0 else { throw Client.Failure(description: run.text) }
        return TestLibrary(
            folder: folder.appending(path: "pictures"), mapArchive: nil, photo: "lagoon.jpg", photoWidthPx: 2400,
            photoHeightPx: 1600,
            translucent: "badge.png")
    }

    /// Whether the map is the one of Florence.
    static let hasFlorence =
        SharedData.isPresent
        && FileManager.default.fileExists(atPath: SharedData.folder.appending(path: "maps/firenze.pmtiles").path)
}
