import TestSupport
import Testing
import VedutaService

/// A source that is replaced while the server takes it to be as it was.
@Suite struct SourceLifetimeTests {
    @Test func pictureOfAReplacedSource_isMadeOnce_withinTheLifetimeOfTheOldOne() throws {
        let pictures = try PictureFolder()
        let service = try RunningService { configuration in
            configuration.library = pictures.path
            configuration.sourceLifetime = 3600
        }
        defer { service.stop() }
        let client = try WireClient(service.address)
        let target = "/asset?id=a.png&width=40&format=webp"
        // Known by its source, and not made.
        #expect(try client.get(target, "If-None-Match: *").code == 304)
        try pictures.add("a.png", PictureFolder.picture(200, 120))
        let made = try client.get(target)
        #expect(made.field("Cache-Status") == "veduta; fwd=uri-miss; stored")
        let again = try client.get(target)
        #expect(again.field("Cache-Status") == "veduta; hit; ttl=3600")
        #expect(again.field("ETag") == made.field("ETag"))
        #expect(again.content == made.content)
    }
}
