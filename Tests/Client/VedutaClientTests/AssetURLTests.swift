import Foundation
import Testing

@testable import VedutaClient

@Suite(.timeLimit(.minutes(5)))
struct AssetURLTests {
    @Test func builder_writesTheCanonicalTextOfTheServer() throws {
        let url = AssetURL("lagoon.jpg").size(width: 800, height: 600).fit(.cover, .attention)
            .rotate(.degrees(15), .straighten).filter(.sepia(60), .vignette()).format(.avif).quality(.score(80))
        #expect(
            try url.canonical
                == "id=lagoon.jpg&width=800&height=600&fit=cover&gravity=attention&rotate=15,straighten"
                + "&filter=sepia:60,vignette&format=avif&quality=80")
        #expect(url.local.absoluteString.hasPrefix("asset://?id=lagoon.jpg&width=800"))
    }
}
