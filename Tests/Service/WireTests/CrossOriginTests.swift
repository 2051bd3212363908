import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// What scripts of other origins may read, over the wire (Fetch, CORS protocol).
@Suite(.timeLimit(.minutes(5))) struct CrossOriginTests {
    private static let picture = "/asset?id=a.png&width=40&format=webp"

    private func withService(
        _ origins: AllowedOrigins, _ adjust: (inout Configuration) -> Void = { _ in },
        _ body: (RunningService, WireClient) throws -> Void
    ) throws {
        let (_, service, client) = try RunningService.withPictures { configuration in
            configuration.corsOrigins = origins
            adjust(&configuration)
        }
        try body(service, client)
    }

    /// Each kind of answer: made, from memory, not modified, problems of service and server, fixed texts.
    private func answers(_ client: WireClient, _ fields: String) throws -> [WireResponse] {
        let made = try client.get(Self.picture, fields)
        let tag = try #require(made.field("ETag"))
        let answers = [
            made, try client.get(Self.picture, fields), try client.get(Self.picture, fields, "If-None-Match: \(tag)"),
            try client.get(Self.picture, fields, "If-Match: \"x\""), try client.get("/asset?id=a.png&widht=1", fields),
            try client.get("/missing", fields), try client.get("/health/live", fields),
            try client.get("/openapi.yaml", fields), try client.get("/", fields), try client.get("/metrics", fields),
            try client.get(Self.picture, method: "POST", fields),
            try client.get(Self.picture, method: "OPTIONS", fields),
        ]
        #expect(answers.map(\.code) == [200, 200, 304, 412, 400, 404, 200, 200, 200, 200, 405, 204])
        return answers
    }

    @Test func withoutConfiguration_noAnswerSpeaksOfOrigins() throws {
        try withService(.none) { _, client in
            for answer in try answers(client, "Origin: https://a.org") {
                #expect(!answer.head.contains("Access-Control") && !answer.head.contains("Cross-Origin"))
            }
        }
    }

    @Test func everyAnswer_mayBeReadByEveryOrigin() throws {
        try withService(.any, { $0.crossOriginResourcePolicy = .crossOrigin }) { _, client in
            for answer in try answers(client, "X-Nothing: y") {
                #expect(answer.field("Access-Control-Allow-Origin") == "*", "\(answer.head)")
                let exposed = answer.field("Access-Control-Expose-Headers") ?? ""
                for name in [
                    "ETag", "Age", "Cache-Tag", "Cache-Status", "Server-Timing", "X-Request-Id", "Content-Range",
                    "Accept-Ranges",
                ] {
                    #expect(exposed.contains(name))
                }
                #expect(answer.field("Cross-Origin-Resource-Policy") == "cross-origin")
            }
            client.send("GET / HTTP/1.1\r\n\r\n")
            let refused = try client.read()
            #expect(refused.code == 400)
            #expect(refused.field("Access-Control-Allow-Origin") == "*")
        }
    }

    @Test func listedOrigin_mayReadEveryAnswer_othersNone() throws {
        try withService(.list(["https://a.org"])) { _, client in
            for answer in try answers(client, "Origin: https://a.org") {
                #expect(answer.field("Access-Control-Allow-Origin") == "https://a.org")
                #expect(answer.head.contains("Vary: Origin\r\n"))
            }
            for field in ["Origin: https://b.org", "X-Nothing: y"] {
                for answer in try answers(client, field) {
                    #expect(answer.field("Access-Control-Allow-Origin") == nil)
                    #expect(answer.head.contains("Vary: Origin\r\n"))
                }
            }
        }
    }

    @Test func whatTheServerRefuses_mayBeReadByItsOrigin_andNamesItsRequest() throws {
        try withService(.list(["https://a.org"])) { service, _ in
            let requests = [
                ("BREW / HTTP/1.1\r\nHost: x\r\nOrigin: https://a.org\r\n\r\n", 501, "https://a.org"),
                ("GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nOrigin: https://a.org\r\n\r\n", 417, "https://a.org"),
                // Nothing is known of a head that could not be read.
                ("GET / HTTP/1.1\r\nOrigin: https://a.org\r\n\r\n", 400, nil),
                ("GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505, nil),
            ]
            for (request, code, origin) in requests {
                let client = try WireClient(service.address)
                client.send(request)
                let response = try client.read()
                #expect(response.code == code)
                #expect(response.field("Access-Control-Allow-Origin") == origin)
                let id = try #require(response.field("X-Request-Id"))
                #expect(response.text.contains("\"requestId\":\"\(id)\""), "\(response.text)")
            }
        }
    }

    @Test func preflight_saysWhatMayBeSent() throws {
        try withService(.list(["https://a.org"])) { _, client in
            let asks = "Access-Control-Request-Method: GET"
            for target in [Self.picture, "*"] {
                let allowed = try client.get(target, method: "OPTIONS", "Origin: https://a.org", asks)
                #expect(allowed.code == 204)
                #expect(allowed.field("Allow") == "GET, HEAD, OPTIONS")
                #expect(allowed.field("Access-Control-Allow-Methods") == "GET, HEAD, OPTIONS")
                #expect(allowed.field("Access-Control-Allow-Headers")?.contains("If-None-Match") == true)
                #expect(allowed.field("Access-Control-Max-Age") == "86400")
            }
            let refused = try client.get(Self.picture, method: "OPTIONS", "Origin: https://b.org", asks)
            #expect(refused.code == 204)
            #expect(!refused.head.contains("Access-Control"))
            let plain = try client.get(Self.picture, method: "OPTIONS", "Origin: https://a.org")
            #expect(plain.code == 204)
            #expect(plain.field("Access-Control-Max-Age") == nil)
            #expect(try client.get("/missing", method: "OPTIONS", "Origin: https://a.org", asks).code == 404)
            #expect(client.isKept())
        }
    }

    @Test func preflight_allowsTheToken_whereAGetMayNeedIt() throws {
        try withService(
            .list(["https://a.org"]),
            {
                $0.token = AccessToken("secret-of-sixteen")
                ($0.listing, $0.originals, $0.metadata, $0.explain) = (.token, .token, .token, .token)
            }
        ) { _, client in
            for target in [
                "/", "/maps", "/assets", "/assets/a.png", "/assets/a.png/original", "/assets/a.png/pages",
                Self.picture + "&explain=1", "/srcset?id=a.png&widths=9&metadata=keep", "/iiif/3/a.png/info.json",
                "/avatar?names=A&explain=1", "/poll?option=a&option=b&explain=1", "/card?template=quote&explain=1",
            ] {
                let allowed = try client.get(
                    target, method: "OPTIONS", "Origin: https://a.org", "Access-Control-Request-Method: GET",
                    "Access-Control-Request-Headers: authorization")
                #expect(allowed.code == 204, "\(target)")
                #expect(
                    allowed.field("Access-Control-Allow-Headers")?.contains("Authorization") == true, "\(target)")
            }
        }
    }

    /// That port is on loopback or a private network, where every page that a user opens could ask it.
    @Test(arguments: [AllowedOrigins.any, .list(["https://a.org"])])
    func portOfOperators_isReadByNoPage(_ origins: AllowedOrigins) throws {
        try withService(origins, { $0.metricsListen = "127.0.0.1:0" }) { service, _ in
            let address = try #require(service.operatorAddress)
            func expectSilence(_ request: String, _ code: Int) throws {
                let client = try WireClient(address)
                client.send("\(request)\r\nOrigin: https://a.org\r\n\r\n")
                let answer = try client.read()
                #expect(answer.code == code, "\(request)")
                #expect(!answer.head.contains("Access-Control"), "\(answer.head)")
            }
            for (target, code) in [("/metrics", 200), ("/health/live", 200), ("/health/ready", 200), ("/", 404)] {
                try expectSilence("GET \(target) HTTP/1.1\r\nHost: x", code)
            }
            try expectSilence("OPTIONS /metrics HTTP/1.1\r\nHost: x\r\nAccess-Control-Request-Method: GET", 405)
            // What the server itself refuses.
            try expectSilence("GET /metrics HTTP/1.1\r\nHost: x\r\nExpect: tea", 417)
            try expectSilence("GET /metrics HTTP/1.1", 400)
        }
    }

    @Test func reload_holdsForTheNextRequest_alsoForPicturesInMemory() throws {
        try withService(.none) { service, client in
            var configuration = service.configuration
            #expect(try client.get(Self.picture).field("Cache-Control")?.hasPrefix("max-age=86400") == true)
            configuration.corsOrigins = .any
            configuration.cacheControl = "no-cache"
            try service.reload(configuration)
            let hit = try client.get(Self.picture)
            #expect(hit.field("Cache-Status") == "veduta; hit; ttl=1")
            #expect(hit.field("Cache-Control") == "no-cache")
            #expect(hit.field("Access-Control-Allow-Origin") == "*")
        }
    }
}
