import AssetLibrary
import Foundation
import TestPlaces
import Testing

/// The ids in the hostile collection of ../shared, as they look once the query is decoded.
private enum HostileCollection {
    static let manifest = TestPlaces.sharedPlace.appending(path: "hostile/manifest.json")

    static var isPresent: Bool { FileManager.default.fileExists(atPath: manifest.path) }

    static func decodedIDs() throws -> [String] {
        struct Manifest: Decodable {
            struct Case: Decodable {
                let kind: String
                let id: String?
            }
            let cases: [Case]
        }
        let cases = try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: manifest)).cases
        // What is not UTF-8 once decoded never becomes an id: Parameters refuses it.
        return cases.filter { $0.kind == "id" }.compactMap { $0.id?.removingPercentEncoding }
    }
}

@Test(
    "Hostile ids open nothing", .timeLimit(.minutes(5)),
    .enabled(if: HostileCollection.isPresent, "needs ../shared or $VEDUTA_SHARED"))
func hostileIDs_openNothing() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("good.jpg")
    let library = try FolderLibrary(rootPath: folder.path)
    let ids = try HostileCollection.decodedIDs()
    #expect(ids.count > 10)
    for id in ids {
        do {
            _ = try library.open(id: id)
            Issue.record("opened \(id.prefix(120).debugDescription)")
        } catch .invalidID, .notFound {
            continue
        }
    }
}
