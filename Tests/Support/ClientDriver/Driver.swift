import Foundation
import VedutaClient

/// A process that a test can kill in the middle of a transfer: `download URL FILE`, or `upload SERVER FILE TOKEN`. Prints how many
/// bytes there are after each step, and at the end `done` and the id. `draft SERVER FILE FOLDER` waits to be killed, see ``Offline``.
/// Or one that may hang or crash by itself: `storm SERVER WAY [ROUNDS]`, see ``Storm``; or that begins with nothing in memory: `pages SERVER
/// FOLDER`.
@main
struct Driver {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 3, let url = URL(string: arguments[2]) else { exit(64) }
        if arguments[1] == "storm" {
            let rounds = arguments.count > 4 ? Int(arguments[4]) ?? 50 : 50
            return say(try await Storm(VedutaEndpoint(url), by: arguments[3]).run(rounds: rounds))
        }
        if arguments[1] == "pages" { return try await Offline.pages(url, keptIn: URL(filePath: arguments[3])) }
        let file = URL(filePath: arguments[3])
        if arguments[1] == "draft" {
            try await Offline.draft(of: file, in: URL(filePath: arguments[4]), for: VedutaEndpoint(url))
        } else if arguments[1] == "download" {
            let client = VedutaClient(VedutaEndpoint(url), cache: nil)
            try await client.download(url, to: file) { say("\($0.byteCount)") }
            say("done")
        } else {
            let client = VedutaClient(VedutaEndpoint(url, token: FixedToken(arguments[4])), cache: nil)
            let upload = client.resumableUpload(file, chunk: 1 << 20)
            upload.resume()
            for await state in upload.states {
                switch state {
                case .sending(let progress): say("\(progress.byteCount)")
                case .finished(let record): say("done \(record.id)")
                case .failed(let error): throw error
                case .paused, .cancelled: continue
                }
            }
        }
    }

    /// Writes a line at once.
    @Sendable static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
