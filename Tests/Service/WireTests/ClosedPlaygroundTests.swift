import ServiceConfiguration
import TestSupport
import Testing

/// The pages at `/` and `/maps` of a server whose lists are not for everybody.
@Suite(.timeLimit(.minutes(5))) struct ClosedPlaygroundTests {
    private static let html = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"
    private static let token = "secret-of-sixteen"

    private func withService(
        _ listing: AccessLevel, hasToken: Bool = true, _ body: (WireClient) throws -> Void
    ) throws {
        let (_, _, client) = try RunningService.withPictures { configuration in
            configuration.listing = listing
            if hasToken { configuration.token = AccessToken(Self.token) }
        }
        try body(client)
    }

    @Test func browsers_areAskedForTheToken_andLearnNothing() throws {
        try withService(.token) { client in
            let open = try client.get("/", Self.html, "Authorization: Bearer \(Self.token)")
            #expect(open.code == 200 && open.text.contains("a.png") && open.text.contains("data-styles="))
            for fields in [Self.html, Self.html + "\r\nAuthorization: Bearer another-of-sixteen"] {
                let page = try client.get("/", fields)
                #expect(page.code == 401 && page.field("Content-Type") == "text/html; charset=utf-8")
                #expect(page.field("WWW-Authenticate")?.hasPrefix("Bearer") == true)
                #expect(page.field("Cache-Control") == "no-store" && page.field("Vary")?.contains("Accept") == true)
                #expect(page.field("Content-Security-Policy")?.hasPrefix("default-src 'none'") == true)
                #expect(page.text.contains("data-closed") && page.text.contains("/pages/playground.js"))
                #expect(!page.text.contains("a.png") && !page.text.contains("data-styles=\""))
                #expect(!page.text.contains("/map?"))
            }
            #expect(try client.get("/", method: "HEAD", Self.html).code == 401)
        }
    }

    @Test func mapsPage_asksForTheTokenToo() throws {
        try withService(.token) { client in
            let open = try client.get("/maps", Self.html, "Authorization: Bearer \(Self.token)")
            #expect(open.code == 200 && open.text.contains("data-style=\"light\""))
            let page = try client.get("/maps", Self.html)
            #expect(page.code == 401 && page.field("Content-Type") == "text/html; charset=utf-8")
            #expect(page.field("WWW-Authenticate")?.hasPrefix("Bearer") == true)
            #expect(page.field("Cache-Control") == "no-store" && page.field("Vary")?.contains("Accept") == true)
            #expect(!page.text.contains("light") && !page.text.contains("/map?"))
            let script = try client.get("/pages/maps-token.js")
            #expect(page.text.contains("/pages/maps-token.js") && script.code == 200)
        }
    }

    @Test func otherClients_getTheProblem() throws {
        try withService(.token) { client in
            for target in ["/", "/maps"] {
                for accept in ["*/*", "text/*", "application/json", "text/html;q=0"] {
                    let answer = try client.get(target, "Accept: " + accept)
                    #expect(
                        answer.code == 401 && answer.field("Content-Type") == "application/problem+json",
                        "\(target) \(accept)")
                }
            }
            // No page, which could ask.
            let answer = try client.get("/assets", Self.html)
            #expect(answer.code == 401 && answer.field("Content-Type") == "application/problem+json")
        }
    }

    @Test func nobodyIsAsked_whereNoTokenHelps() throws {
        for (listing, hasToken) in [(AccessLevel.off, true), (.token, false)] {
            try withService(listing, hasToken: hasToken) { client in
                for target in ["/", "/maps"] {
                    let answer = try client.get(target, Self.html)
                    #expect(answer.code == 403 && answer.field("Content-Type") == "application/problem+json")
                }
            }
        }
    }
}
