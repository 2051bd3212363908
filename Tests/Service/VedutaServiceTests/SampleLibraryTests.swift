import Bytes
import Foundation
import Resources
import TestSupport
import Testing

@testable import VedutaService

@Suite(.timeLimit(.minutes(5))) struct SampleLibraryTests {
    @Test func samples_arePicturesThatDecode() throws {
        try RunningService.prepare()
        let samples = FileManager.default.temporaryDirectory.appending(path: "veduta-samples-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: samples) }
        let folder = samples.appending(path: "pictures")
        // What lies there under one of the names is replaced.
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("old".utf8).write(to: folder.appending(path: "badge.png"))
        try SampleLibrary.write(to: samples.path)
        let city = try Data(contentsOf: samples.appending(path: "maps/city.pmtiles"))
        #expect(Resources.cityArchive.withUnsafeBytes { city.elementsEqual($0) })
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["badge.png", "lagoon.jpg", "morning.jpg", "night.jpg"])
        for name in names {
            let bytes = try [UInt8](Data(contentsOf: folder.appending(path: name)))
            let picture = try DecodedPicture(bytes)
            #expect(picture.widthPx * picture.heightPx >= 512 * 512)
            #expect((picture[1, 1][3] == 0) == name.hasSuffix(".png"), "only the badge has alpha")
        }
    }

    @Test func folderThatCannotBeMade_isNamed() {
        #expect(throws: ServiceError.samples(path: "/proc/none/samples", cause: "No such file or directory")) {
            try SampleLibrary.write(to: "/proc/none/samples")
        }
    }
}
