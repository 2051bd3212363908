import Glibc
import ServiceConfiguration
import TestSupport
import Testing
import VedutaService

/// Who may have what: host names, switches, tokens, sizes, and a port for metrics.
@Suite(.timeLimit(.minutes(5))) struct AccessTests {
    private static let picture = "/asset?id=a.png&width=40&format=png"
    private static let token = "Authorization: Bearer secret-of-sixteen"

    private func withService(
        _ adjust: (inout Configuration) -> Void, _ body: (RunningService, WireClient, PictureFolder) throws -> Void
    ) throws {
        let pictures = try PictureFolder()
        try pictures.add("presets", Array("card=width=50&height=50&fit=cover\n".utf8))
        let (_, service, client) = try RunningService.withPictures(in: pictures) { configuration in
            configuration.token = AccessToken("secret-of-sixteen")
            adjust(&configuration)
        }
        try body(service, client, pictures)
    }

    private func size(_ client: WireClient, _ query: String) throws -> [Int] {
        let answer = try client.get("/asset?id=a.png&format=png&\(query)")
        guard answer.code == 200 else { return [answer.code] }
        let picture = try DecodedPicture(answer.content)
        return [picture.widthPx, picture.heightPx]
    }

    // MARK: Host names

    @Test func otherHostNames_are421() throws {
        try withService({ $0.hosts = HostNames(["images.example.org", "*.example.com"]) }) { service, _, _ throws in
            for (host, code) in [
                ("images.example.org", 200), ("IMAGES.example.org:8080", 200), ("a.example.com", 200),
                (".example.com", 421), (".a.example.com", 421),
                ("images.example.org.", 200), ("example.com", 421), ("example.org", 421), ("127.0.0.1", 421),
                ("images.example.org.evil.net", 421), ("evilexample.com", 421),
            ] {
                let client = try WireClient(service.address)
                client.send("GET \(Self.picture) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                #expect(try client.read().code == code, "\(host)")
            }
            let client = try WireClient(service.address)
            // Probes use addresses.
            #expect(try client.get("/health/ready").code == 200)
            for target in [
                "/openapi.yaml", "/avatar?names=A", "/poll?option=a&option=b", "/maps", "/styles/light.json",
                "/sprites/light/default.json", "/fonts/Noto%20Sans/57344-57599.pbf",
            ] {
                #expect(try client.get(target).code == 421)
            }
            client.send("GET http://images.example.org/openapi.yaml HTTP/1.1\r\nHost: images.example.org\r\n\r\n")
            #expect(try client.read().code == 200)
        }
    }

    // MARK: Switches

    private static let restricted: [(any WritableKeyPath<Configuration, AccessLevel> & Sendable, [String])] = [
        (\.listing, ["/assets", "/", "/maps"]), (\.originals, ["/assets/a.png/original"]),
        (
            \.metadata,
            [
                "/assets/a.png", "/assets/a.png/pages", "/asset?id=a.png&format=json", "/asset?id=a.png&metadata=keep",
                "/asset?id=a.png&metadata=copyright",
            ]
        ),
        (
            \.explain,
            [
                picture + "&explain=1", "/avatar?names=A&explain=1", "/poll?option=a&option=b&explain=1",
                "/card?template=quote&quote=a&explain=1",
            ]
        ),
    ]

    @Test(arguments: [0, 1, 2, 3]) func switches_areOnOffOrForTheToken(_ index: Int) throws {
        let (path, targets) = Self.restricted[index]
        for level in AccessLevel.allCases {
            try withService({ $0[keyPath: path] = level }) { _, client, _ throws in
                for target in targets {
                    // Twice: what the token sees is not for the next client.
                    for _ in 0..<2 {
                        let (with, without) =
                            switch level {
                            case .on: (200, 200)
                            case .token: (200, 401)
                            case .off: (403, 403)
                            }
                        #expect(try client.get(target, Self.token).code == with, "\(level) \(target)")
                        #expect(try client.get(target).code == without, "\(level) \(target)")
                    }
                }
                #expect(try client.get(Self.picture).code == 200)
            }
        }
    }

    @Test func switches_areReloaded() throws {
        try withService({ $0.metadata = .on }) { service, client, _ throws in
            let target = "/asset?id=a.png&format=json"
            #expect(try client.get(target).code == 200)
            var configuration = service.configuration
            configuration.metadata = .off
            try service.reload(configuration)
            #expect(try client.get(target).code == 403)
        }
    }

    // MARK: Tokens

    @Test func tokensOfAFile_areRotated() throws {
        let folder = try PictureFolder()
        let path = folder.path + "/tokens"
        try folder.add("tokens", Array("# tokens\nfirst-token-of-two\n".utf8))
        try withService({
            $0.token = nil
            $0.tokenFile = path
        }) { service, client, _ throws in
            func codes() throws -> [Int] {
                try ["first-token-of-two", "second-token-of-two"].map {
                    try client.get("/cache", method: "DELETE", "Authorization: Bearer \($0)").code
                }
            }
            #expect(try codes() == [200, 401])
            try folder.add("tokens", Array("second-token-of-two\nfirst-token-of-two\n".utf8))
            try service.reload(service.configuration)
            #expect(try codes() == [200, 200])
            try folder.add("tokens", Array("second-token-of-two\n".utf8))
            try service.reload(service.configuration)
            #expect(try codes() == [401, 200])
            for text in ["", "to ken\n", "a\nb\nc\n"] {
                try folder.add("tokens", Array(text.utf8))
                #expect(throws: ServiceError.self) { try service.reload(service.configuration) }
            }
            #expect(try codes() == [401, 200])
        }
        #expect(throws: ServiceError.self) { try RunningService { $0.tokenFile = "/nonexistent" } }
    }

    // MARK: Metrics

    @Test func metrics_mayHaveAPortOfTheirOwn() throws {
        try withService({ $0.metricsListen = "127.0.0.1:0" }) { service, client, _ throws in
            #expect(try client.get("/metrics").code == 404)
            #expect(try client.get("/health/ready").code == 200)
            let operators = try WireClient(try #require(service.operatorAddress))
            #expect(try operators.get("/metrics").text.contains("veduta_requests_total"))
            for target in ["/health/live", "/health/ready"] { #expect(try operators.get(target).code == 200) }
            for target in [Self.picture, "/", "/assets", "/openapi.yaml"] {
                #expect(try operators.get(target).code == 404, "\(target)")
            }
            #expect(try operators.get("/metrics", method: "POST").code == 405)
        }
        for address in ["nowhere", "/tmp/x", "systemd"] {
            #expect(throws: ServiceError.metricsListen(address, cause: "not an address")) {
                try RunningService { $0.metricsListen = address }
            }
        }
    }

    // MARK: Sizes

    @Test func widths_areRoundedUp_andShareOneKey() throws {
        try withService({ $0.sizes = [50, 100, 200] }) { _, client, _ throws in
            #expect(try size(client, "w=50") == [50, 38])
            #expect(try size(client, "w=51") == [100, 75])
            #expect(try size(client, "w=60&h=30&fit=cover") == [100, 50])
            #expect(try size(client, "w=40&dpr=2") == [100, 75])
            #expect(try size(client, "h=60") == [133, 100])
            #expect(try size(client, "w=390") == [200, 150])
            #expect(try size(client, "") == [400, 300])
            #expect(try size(client, "w=50p") == [400])
            #expect(try size(client, "crop=0,0,123,77") == [100, 63])
            #expect(try size(client, "rotate=30&w=100").first == 100)
            #expect(try size(client, "rotate=17,straighten").first == 200)
            #expect(try size(client, "crop=0,0,30,30") == [400])
            let tags = try ["w=51", "w=99", "w=100", "w=50&dpr=2"].map {
                try client.get("/asset?id=a.png&format=png&\($0)").field("ETag")
            }
            #expect(Set(tags).count == 1)
        }
    }

    @Test func otherWidths_mayBeRefused() throws {
        try withService({
            $0.sizes = [50, 100]
            $0.sizeRule = .refuse
        }) { _, client, _ throws in
            #expect(try size(client, "w=50") == [50, 38])
            #expect(try size(client, "w=50&dpr=2") == [100, 75])
            #expect(try size(client, "w=51") == [400])
            #expect(try size(client, "w=50&dpr=1.5") == [400])
            #expect(try size(client, "h=75") == [400])
        }
    }

    /// `--size-rule` says what to do with lengths that are not in a list.
    @Test func withoutAList_nothingIsRefused() throws {
        try withService({ $0.sizeRule = .refuse }) { _, client, _ throws in
            #expect(try size(client, "w=25p") == [100, 75])
            #expect(try size(client, "w=51") == [51, 38])
        }
    }

    @Test func sides_areLimited() throws {
        try withService({ $0.imageSide = 100 }) { _, client, _ throws in
            #expect(try size(client, "w=100") == [100, 75])
            #expect(try size(client, "w=101") == [400])
            #expect(try size(client, "w=60&dpr=2") == [400])
            #expect(try size(client, "") == [100, 75])
            #expect(try size(client, "h=90") == [100, 75])
            #expect(try size(client, "dpi=100") == [400])
            #expect(try size(client, "rotate=30").first == 100)
            #expect(try size(client, "w=100&h=100&fit=cover&rotate=45").max() == 100)
            #expect(try size(client, "crop=0,0,390,40&w=50&dpr=2") == [100, 10])
            // The longer side would be as long as the source's ratio makes it.
            #expect(try size(client, "w=80&h=80&fit=outside") == [400])
        }
    }

    @Test func presetsOnly_takesNothingElse() throws {
        try withService({ configuration in
            configuration.presetsOnly = true
            configuration.presets = (configuration.library ?? "") + "/presets"
        }) { _, client, _ throws in
            #expect(try client.get("/asset?id=a.png&preset=card").code == 200)
            for query in [
                "id=a.png", "id=a.png&w=50", "id=a.png&preset=card&w=50", "id=a.png&preset=none", "id=a.png&preset=",
            ] {
                #expect(try client.get("/asset?" + query).code == 400, "\(query)")
            }
        }
    }

    // MARK: Fields

    /// CORS and security fields, whatever the answer.
    @Test func everyAnswer_hasItsSecurityFields() throws {
        try withService({
            $0.corsOrigins = .any
            $0.crossOriginResourcePolicy = .sameSite
            $0.originals = .off
            $0.explain = .token
        }) { service, client, _ throws in
            let targets = [
                Self.picture, Self.picture, "/asset?id=none.png", "/asset?id=a.png&x=1", "/map?lat=1&lon=2&size=64x64",
                "/map.json?lat=1&lon=2", "/tiles/light/0/0/0.png", "/tiles/light.json", "/tiles/none/0/0/0.png",
                "/wmts", "/maps", "/styles/light.json", "/sprites/light/default.json",
                "/fonts/Noto%20Sans/57344-57599.pbf",
                "/assets", "/assets/a.png", "/assets/a.png/pages", "/assets/a.png/original", "/", "/openapi.yaml",
                "/metrics", "/health/live", "/health/ready", "/nothing", Self.picture + "&explain=1",
            ]
            var answers = try targets.map { try client.get($0) }
            answers.append(try client.get(Self.picture, "Range: bytes=0-4"))
            answers.append(try client.get(Self.picture, "Range: bytes=900000-"))
            answers.append(try client.get(Self.picture, "If-None-Match: *"))
            answers.append(try client.get("/cache", method: "DELETE"))
            answers.append(try client.get("/cache", method: "DELETE", Self.token))
            answers.append(try client.get(Self.picture, method: "DELETE"))
            let options = try client.get("/asset", method: "OPTIONS")
            #expect(options.field("X-Content-Type-Options") == "nosniff")
            answers.append(options)
            let broken = try WireClient(service.address)
            broken.send("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
            answers.append(try broken.read())
            for answer in answers {
                #expect(answer.field("Access-Control-Allow-Origin") == "*", "\(answer.head)")
                #expect(answer.field("Cross-Origin-Resource-Policy") == "same-site", "\(answer.head)")
                if !answer.content.isEmpty {
                    #expect(answer.field("X-Content-Type-Options") == "nosniff", "\(answer.head)")
                }
            }
        }
    }
}
