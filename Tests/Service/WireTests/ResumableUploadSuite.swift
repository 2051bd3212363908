import Reactor
import ServiceConfiguration
import TestSupport
import VedutaService

/// What tests of resumable uploads begin with, by whatever protocol.
protocol ResumableUploadSuite {}

extension ResumableUploadSuite {
    static var bearer: String { "Authorization: Bearer secret" }

    func withService(
        clock: Clock = .system, _ adjust: (inout Configuration) -> Void = { _ in },
        _ body: (RunningService, WireClient) throws -> Void
    ) throws {
        let folder = try PictureFolder()
        let service = try RunningService(clock: clock) { configuration in
            configuration.uploads = folder.path + "/uploads"
            configuration.uploadLimit = 4_000_000
            configuration.token = AccessToken("secret")
            adjust(&configuration)
        }
        try body(service, try WireClient(service.address))
    }

    /// A picture that no codec reads further than its head, of so many bytes; its first bytes say that it is a PNG.
    static func picture(_ byteCount: Int = 100_000, number: UInt8 = 0) -> [UInt8] {
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, number] + ScriptedContent.bytes(byteCount - 9)
    }
}
