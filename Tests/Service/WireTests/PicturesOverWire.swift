import Foundation
import ServiceConfiguration
import TestSupport
import VedutaService

/// Runs `body` with a client of a server whose library is a folder of pictures, and which looks at them for each request.
func withPictures(
    _ adjust: (inout Configuration) -> Void = { _ in }, _ body: (PictureFolder, WireClient) throws -> Void
) throws {
    let (pictures, _, client) = try RunningService.withPictures { configuration in
        configuration.sourceLifetime = 0
        configuration.token = AccessToken("secret")
        adjust(&configuration)
    }
    try body(pictures, client)
}
