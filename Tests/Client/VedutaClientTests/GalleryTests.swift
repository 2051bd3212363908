import Foundation
import Testing

@testable import VedutaClient

@Suite(.timeLimit(.minutes(5)), .needsServer)
struct GalleryTests {
    /// The README shows what `veduta-gallery` prints.
    @Test func output_isThatOfTheREADME() async throws {
        let readme = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../README.md"),
            encoding: .utf8)
        let block = try #require(readme.components(separatedBy: "$ swift run veduta-gallery ").dropFirst().first)
        let shown = block.components(separatedBy: "```")[0].split(separator: "\n").dropFirst().joined(separator: "\n")
        let server = try await TestServer()
        let gallery = try ChildProcess(
            [server.service.base.absoluteString, "30"], log: server.folder.url.appending(path: "gallery.log"),
            program: try ChildProcess.built("veduta-gallery"))
        gallery.process.waitUntilExit()
        #expect(gallery.text == shown + "\n")
    }
}
