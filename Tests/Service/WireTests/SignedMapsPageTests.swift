import Reactor
import ServiceConfiguration
import TestSupport
import Testing
import URLSigning

/// The page at `/maps` of a server that wants signed URLs.
@Suite(.timeLimit(.minutes(5))) struct SignedMapsPageTests {
    private static let now: Int64 = 1_800_000_000
    private static let token = "Authorization: Bearer secret-of-sixteen"

    private func withService(
        _ listing: AccessLevel = .on, _ body: (WireClient, SigningKey, HandMovedClock) throws -> Void
    ) throws {
        let key = try #require(SigningKey(text: "a:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="))
        let clock = HandMovedClock(unixSeconds: Self.now)
        let service = try RunningService(clock: clock.clock) { configuration in
            configuration.keys = SigningKeys([key])
            configuration.token = AccessToken("secret-of-sixteen")
            configuration.listing = listing
        }
        try body(try WireClient(service.address), key, clock)
    }

    private func signedSet(_ rules: String, _ key: SigningKey, expires: Int64? = nil) -> String {
        let sig = URLSignature.sign(URLSignature.message(forSet: rules, expires: expires), with: key)
        return Credentials(signature: sig, expires: expires, allow: rules).query
    }

    private func addresses(_ page: String, _ expression: Regex<(Substring, Substring)>) -> [String] {
        page.matches(of: expression).map { String($0.1).replacing("&amp;", with: "&") }
    }

    @Test func aSetThatCoversThePage_isPassedOnToItsTiles() throws {
        try withService { client, key, clock throws in
            let ends = Self.now + 100
            let query = signedSet("path=/maps|/tiles/*", key, expires: ends)
            let page = try client.get("/maps?" + query)
            #expect(page.code == 200 && page.field("Cache-Control") == "no-store", "\(page.text)")
            #expect(page.text.contains("/pages/maps.js") && !page.text.contains("class=\"note\""))
            let tiles = addresses(page.text, /src="(\/tiles\/[^"]+)"/)
            #expect(tiles.count == 2)
            for tile in tiles { #expect(try client.get(tile).code == 200, "\(tile)") }
            // What the script appends to the addresses that it makes.
            let appended = try #require(addresses(page.text, /data-signature="([^"]+)"/).first)
            #expect(appended == "?" + query)
            for path in ["/tiles/light/3/4/2@2x.png", "/tiles/light.json"] {
                #expect(try client.get(path + appended).code == 200, "\(path)")
            }
            clock.advance(by: .seconds(100))
            #expect(try client.get("/maps?" + query).code == 410)
            #expect(try client.get("/tiles/light.json" + appended).code == 410)
        }
    }

    @Test func aPageShows_noMoreThanItsSetCovers() throws {
        try withService { client, key, _ throws in
            let one = try client.get("/maps?" + signedSet("path=/maps|/tiles/light/*|/tiles/light.json", key)).text
            #expect(one.contains("data-style=\"light\"") && !one.contains("dark") && !one.contains("/data/"))
            // Without its description nobody is named whose data it is.
            let unnamed = try client.get("/maps?" + signedSet("path=/maps|/tiles/light/*", key)).text
            #expect(unnamed.contains("class=\"note\"") && !unnamed.contains("<img"))
            for rules in ["path=/tiles/*", "path=/tiles/*|/maps/*"] {
                #expect(try client.get("/maps?" + signedSet(rules, key)).code == 403, "\(rules)")
            }
            // It opens no other list.
            for target in ["/", "/assets"] {
                #expect(try client.get(target + "?" + signedSet("path=/maps|/*", key)).code == 401, "\(target)")
            }
        }
    }

    /// The server signs nothing for those who have no set.
    @Test func withoutASet_thePageHasNoTiles_andSaysWhy() throws {
        try withService { client, key, _ throws in
            let sig = URLSignature.sign(
                URLSignature.message(for: SignedResource(path: "/maps", query: ""), expires: nil), with: key)
            for page in [try client.get("/maps", Self.token), try client.get("/maps?sig=" + sig)] {
                #expect(page.code == 200 && page.text.contains("This server wants signed addresses"))
                #expect(!page.text.contains("<img") && !page.text.contains("sig=") && !page.text.contains("<script"))
            }
            #expect(try client.get("/maps").code == 401)
            #expect(try client.get("/maps?sig=" + sig.dropLast() + "_").code == 403)
        }
    }

    @Test func listingForTheTokenAlone_isNotOpenedBySignatures() throws {
        for (listing, code) in [(AccessLevel.token, 401), (.off, 403)] {
            try withService(listing) { client, key, _ throws in
                #expect(try client.get("/maps?" + signedSet("path=/maps|/tiles/*", key)).code == code)
            }
        }
    }
}
