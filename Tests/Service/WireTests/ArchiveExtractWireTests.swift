import FakeOrigin
import Foundation
import ServiceConfiguration
import TestSupport
import Testing
import VedutaService

/// `veduta map extract` from an archive that a server has.
@Suite(.timeLimit(.minutes(5))) struct ArchiveExtractWireTests {
    private typealias Script = @Sendable (FakeOrigin.Seen) -> [FakeOrigin.Step]

    private static let city = SharedData.packageRoot.appending(path: "Sources/Platform/CResources/city.pmtiles").path

    private static func archive() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: city))) }

    /// The part of `archive` that is asked for.
    private static func part(
        of archive: [UInt8], _ seen: FakeOrigin.Seen, tag: (Int) -> String = { _ in "\"1\"" }
    ) -> [FakeOrigin.Step] {
        let range = seen.fields["range"] ?? ""
        let bounds = range.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
        guard bounds.count == 2, bounds[0] < archive.count else { return .answer(416, "") }
        let last = min(bounds[1], archive.count - 1)
        let head = [
            "HTTP/1.1 206 Partial Content", "Content-Length: \(last - bounds[0] + 1)",
            "Content-Range: bytes \(bounds[0])-\(last)/\(archive.count)", "ETag: \(tag(bounds[0]))", "", "",
        ]
        return [.text(head.joined(separator: "\r\n")), .bytes(Array(archive[bounds[0]...last]))]
    }

    /// #21.7
    @Test func tilesOfAnArea_areDrawnAsThoseOfTheWholeArchive() throws {
        let archive = try Self.archive()
        let folder = try PictureFolder()
        let path = folder.path + "/part.pmtiles"
        let area = try #require(ExtractArea(latitude: 0, longitude: 0, kilometers: 1, zooms: 0...30))
        let result = try withTrialOrigin({ Self.part(of: archive, $0) }) { origin in
            var steps: [Int] = []
            let extract = try ArchiveExtract(origin.url("/city.pmtiles"))
            let result = try extract.run(area, to: path, byteLimit: 1 << 30) { done, all in
                #expect(done <= all)
                steps.append(done)
            }
            #expect(!steps.isEmpty && steps == steps.sorted())
            return result
        }
        let byteCount = try Data(contentsOf: URL(filePath: path)).count
        #expect(result.tileCount > 0 && Int(result.byteCount) == byteCount && byteCount < archive.count)
        let target = "/map?latitude=0&longitude=0&zoom=16&size=300x200&labels=off&format=png"
        let maps = try [Self.city, path].map { archive in
            let service = try RunningService { $0.mapArchive = archive }
            defer { service.stop() }
            let map = try WireClient(service.address).get(target)
            #expect(map.code == 200 && map.field("Veduta-Coverage") == "full", "\(archive)")
            return map.content
        }
        #expect(isSame(maps[0], maps[1]))
    }

    @Test func whatCannotBeExtracted_leavesNoFile() throws {
        let archive = try Self.archive()
        let folder = try PictureFolder()
        let path = folder.path + "/part.pmtiles"
        let middle = try #require(ExtractArea(latitude: 0, longitude: 0, kilometers: 1, zooms: 0...30))
        let elsewhere = try #require(ExtractArea(latitude: 60, longitude: 60, kilometers: 1, zooms: 14...14))
        let good: Script = { Self.part(of: archive, $0) }
        let rubbish = [UInt8](repeating: 7, count: 100_000)
        let cases: [(area: ExtractArea, byteLimit: Int, script: Script, isRight: (ArchiveExtract.Failure) -> Bool)] = [
            (middle, 1 << 30, { _ in .answer(200, "whole") }, { $0 == .noRanges }),
            (middle, 1 << 30, { _ in .answer(404, "") }, { if case .origin = $0 { true } else { false } }),
            (middle, 1 << 30, { Self.part(of: rubbish, $0) }, { if case .archive = $0 { true } else { false } }),
            // It is replaced after its beginning was read.
            (middle, 1 << 30, { Self.part(of: archive, $0) { $0 == 0 ? "\"1\"" : "\"2\"" } }, { $0 == .changed }),
            (middle, 10, good, { if case .tooLarge(byteCount: _, limit: 10) = $0 { true } else { false } }),
            (elsewhere, 1 << 30, good, { $0 == .empty }),
        ]
        for (number, (area, byteLimit, script, isRight)) in cases.enumerated() {
            try withTrialOrigin(script) { origin in
                do throws(ArchiveExtract.Failure) {
                    _ = try ArchiveExtract(origin.url("/x")).run(area, to: path, byteLimit: byteLimit) { _, _ in }
                    Issue.record("case \(number) is extracted")
                } catch {
                    #expect(isRight(error), "case \(number): \(error)")
                }
            }
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!left.contains { $0.contains("part") })
    }
}
