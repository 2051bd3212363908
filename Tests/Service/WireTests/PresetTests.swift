import Glibc
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// Named sets of parameters, and what clients say of their screens.
@Suite(.timeLimit(.minutes(5))) struct PresetTests {
    private static let width = "/asset?id=a.png&format=png"

    private static func side(_ response: WireResponse) throws -> Int {
        #expect(response.code == 200)
        return try DecodedPicture(response.content).widthPx
    }

    // MARK: Presets

    @Test func preset_isWhatItStandsFor() throws {
        let pictures = try PictureFolder()
        try pictures.add("presets", Array("# sets\n\ncard = width=50&height=50&fit=cover\nsmall=width=20\n".utf8))
        let veduta = try CachingService { $0.presets = pictures.path + "/presets" }
        let plain = try veduta.client.get(Self.width + "&width=50&height=50&fit=cover")
        let card = try veduta.client.get(Self.width + "&preset=card")
        #expect(card.field("ETag") == plain.field("ETag"))
        #expect(card.cacheStatus == "hit; ttl=1")
        #expect(try Self.side(veduta.client.get(Self.width + "&preset=card,small")) == 20)
        #expect(try Self.side(veduta.client.get(Self.width + "&preset=card,small&width=30")) == 30)
        let unknown = try veduta.client.get(Self.width + "&preset=cart")
        #expect(unknown.code == 400 && unknown.text.contains("card"))
    }

    @Test func presetsThatAreReadAgain_holdFromTheNextRequest() throws {
        let pictures = try PictureFolder()
        let path = pictures.path + "/presets"
        try pictures.add("presets", Array("card=width=50\n".utf8))
        let veduta = try CachingService { $0.presets = path }
        let target = Self.width + "&preset=card"
        for _ in 0..<2 { #expect(try Self.side(veduta.client.get(target)) == 50) }
        try pictures.add("presets", Array("card=width=70\n".utf8))
        try veduta.service.reload(veduta.service.configuration)
        for _ in 0..<2 { #expect(try Self.side(veduta.client.get(target)) == 70) }
        try pictures.add("presets", Array("card=widht=90\n".utf8))
        #expect(throws: ServiceError.self) { try veduta.service.reload(veduta.service.configuration) }
        #expect(try Self.side(veduta.client.get(target)) == 70)
    }

    @Test(arguments: ["card", "Card=width=5", "card=width=5\ncard=width=6", "card=id=a.png", "card=width=0"])
    func faultyPresets_stopTheStart(_ text: String) throws {
        let pictures = try PictureFolder()
        try pictures.add("presets", Array(text.utf8))
        #expect(throws: ServiceError.self) {
            try RunningService { $0.presets = pictures.path + "/presets" }
        }
        #expect(throws: ServiceError.self) { try RunningService { $0.presets = pictures.path + "/none" } }
    }

    // MARK: Client hints

    private static let hints = "Save-Data, Sec-CH-DPR, Sec-CH-Width, Sec-CH-Viewport-Width"

    @Test func hints_countOnlyWhereTheyAreConfigured() throws {
        let veduta = try CachingService()
        let answer = try veduta.client.get(Self.width, "Sec-CH-Width: 64", "Save-Data: on")
        #expect(try Self.side(answer) == 400)
        #expect(answer.field("Accept-CH") == nil && answer.field("Vary") == nil)
    }

    @Test func hints_fillWhatTheRequestLeavesOpen() throws {
        let veduta = try CachingService { $0.clientHints = true }
        let plain = try veduta.client.get(Self.width)
        #expect(plain.field("Accept-CH") == "Sec-CH-DPR, Sec-CH-Width, Sec-CH-Viewport-Width")
        #expect(plain.field("Vary") == Self.hints)
        #expect(plain.cacheStatus == "fwd=uri-miss; stored")
        for status in ["fwd=vary-miss; stored", "hit; ttl=1"] {
            let hinted = try veduta.client.get(Self.width, "Sec-CH-Width: 100")
            // Rounded up to a multiple of 64.
            #expect(try Self.side(hinted) == 128)
            #expect(hinted.cacheStatus == status)
        }
        // The memo of a loop tells requests apart by hints as well.
        #expect(try Self.side(veduta.client.get(Self.width)) == 400)
        #expect(try Self.side(veduta.client.get(Self.width, "Sec-CH-Viewport-Width: 192")) == 192)
        #expect(try Self.side(veduta.client.get(Self.width, "Sec-CH-Viewport-Width: 64", "Sec-CH-DPR: 2")) == 128)
        // #15.11: a browser chose this candidate of `srcset` by its own ratio; multiplied again it would be twice as wide.
        #expect(try Self.side(veduta.client.get(Self.width + "&width=50", "Sec-CH-DPR: 2")) == 50)
        #expect(try Self.side(veduta.client.get(Self.width + "&width=50", "Sec-CH-Width: 192")) == 50)
        let error = try veduta.client.get("/asset?id=missing.png")
        #expect(error.field("Vary") == "Accept, " + Self.hints)
        #expect(try veduta.client.get(Self.width, "Sec-CH-Width: 0, x").code == 200)
    }
}
