import Digest
import Reactor
import ServiceConfiguration
import TestSupport
import Testing
import URLSigning

/// Signed URLs and signed sets, over the wire.
@Suite(.timeLimit(.minutes(5))) struct SignedURLTests {
    private static let old = key("old:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
    private static let new = key("new:ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA")
    private static func key(_ text: String) -> SigningKey {
        guard let key = SigningKey(text: text) else { preconditionFailure("\(text) is no key") }
        return key
    }

    private static let now: Int64 = 1_800_000_000
    private static let picture = "id=a.png&width=40&format=webp"

    private static func signature(
        _ query: String, path: String = "/asset", key: SigningKey = old, expires: Int64? = nil
    ) -> String {
        let message = URLSignature.message(for: SignedResource(path: path, query: query), expires: expires)
        let sig = URLSignature.sign(message, with: key)
        return (expires.map { "expires=\($0)&" } ?? "") + "sig=\(sig)"
    }

    private static func signed(
        _ query: String, path: String = "/asset", key: SigningKey = old, expires: Int64? = nil
    ) -> String {
        "\(path)?\(query)\(query.isEmpty ? "" : "&")" + signature(query, path: path, key: key, expires: expires)
    }

    private static func set(_ rules: String, expires: Int64? = nil) -> String {
        let sig = URLSignature.sign(URLSignature.message(forSet: rules, expires: expires), with: old)
        return Credentials(signature: sig, expires: expires, allow: rules).query
    }

    private func withService(
        _ adjust: (inout Configuration) -> Void = { _ in },
        _ body: (RunningService, WireClient, HandMovedClock) throws -> Void
    ) throws {
        let pictures = try PictureFolder()
        try pictures.add("presets", Array("card=width=50&height=50&fit=cover\n".utf8))
        let clock = HandMovedClock(unixSeconds: Self.now)
        let (_, service, client) = try RunningService.withPictures(in: pictures, clock: clock.clock) { configuration in
            configuration.presets = pictures.path + "/presets"
            configuration.keys = SigningKeys([Self.old])
            configuration.token = AccessToken("secret-of-sixteen")
            adjust(&configuration)
        }
        try body(service, client, clock)
    }

    private func problem(_ response: WireResponse) -> String? {
        response.text.firstMatch(of: /"urn:problem-type:veduta:([a-z-]+)"/).map { String($0.1) }
    }

    // MARK: Statuses

    @Test func everyPictureRoute_needsASignature_othersNone() throws {
        try withService { _, client, _ throws in
            for target in [
                "/asset?" + Self.picture, "/map?lat=1&lon=2", "/map.json?lat=1&lon=2", "/poll?option=a&option=b",
                "/poll.json?option=a&option=b", "/avatar?names=A", "/card?template=quote&quote=a",
                "/avatar/00000000000000000000000000000000", "/tiles/light/0/0/0.png",
                "/tiles/light.json", "/data/default.json", "/wmts", "/styles/light.json",
                "/sprites/light/default.json", "/fonts/Noto%20Sans/57344-57599.pbf",
                "/assets/a.png", "/assets/a.png/original",
                "/assets/a.png/pages", "/asset?id=missing.png", "/asset?nonsense=1",
            ] {
                let answer = try client.get(target)
                #expect(answer.code == 403 && problem(answer) == "signature-required", "\(target)")
                #expect(answer.field("Cache-Control") == "no-store")
            }
            client.upload("/map", Array("{}".utf8), "Content-Type: application/json")
            #expect(try client.read().code == 403)
            for target in ["/health/live", "/openapi.yaml", "/metrics"] {
                #expect(try client.get(target).code == 200, "\(target)")
            }
            // A list tells for what a signature could be wanted.
            for target in ["/assets", "/", "/maps"] { #expect(try client.get(target).code == 401, "\(target)") }
            #expect(try client.get("/asset?" + Self.picture, method: "OPTIONS").code == 204)
            #expect(try client.get("/asset?" + Self.picture, "Authorization: Bearer secret-of-sixteen").code == 200)
            #expect(try client.get("/assets", "Authorization: Bearer secret-of-sixteen").code == 200)
        }
    }

    @Test func wrongSignatures_are403_expiredOnes410() throws {
        try withService { _, client, clock throws in
            let ends = Self.now + 100
            #expect(try client.get(Self.signed(Self.picture)).code == 200)
            #expect(try client.get(Self.signed(Self.picture, expires: ends)).code == 200)
            let wrong = [
                "/asset?id=a.png&width=41&format=webp&" + Self.signature(Self.picture),
                "/asset?\(Self.picture)&expires=\(ends)&" + Self.signature(Self.picture),
                "/asset?\(Self.picture)&explain=1&" + Self.signature(Self.picture),
                "/asset?\(Self.picture)&" + Self.signature(Self.picture, key: Self.new),
                "/assets/a.png?" + Self.signature(Self.picture),
                "/asset?\(Self.picture)&" + Self.signature(Self.picture).dropLast() + "_",
            ]
            for target in wrong {
                let answer = try client.get(target)
                #expect(answer.code == 403 && problem(answer) == "signature-wrong", "\(target)")
            }
            // A key that is not there ends it, whatever else is wrong.
            let stranger = "sig=stranger.\(String(repeating: "A", count: 43))"
            #expect(problem(try client.get("/asset?nonsense=1&\(stranger)")) == "signature-wrong")
            for target in ["/asset?\(Self.picture)&sig=x", "/asset?\(Self.picture)&expires=1e9"] {
                #expect(try client.get(target).code == 400, "\(target)")
            }
            clock.advance(by: .seconds(99))
            #expect(try client.get(Self.signed(Self.picture, expires: ends)).code == 200)
            clock.advance(by: .seconds(1))
            let late = try client.get(Self.signed(Self.picture, expires: ends))
            #expect(late.code == 410 && problem(late) == "signature-expired")
            #expect(late.field("Cache-Control") == "no-store")
            // Who has no signature learns nothing of its time.
            let forged = "/asset?\(Self.picture)&expires=5&" + Self.signature(Self.picture)
            #expect(try client.get(forged).code == 403)
        }
    }

    /// Ids may end as the path of something of another asset does.
    @Test(arguments: ["original", "pages"]) func descriptionOfOneAsset_isNot_partOfAnother(_ part: String) throws {
        try withService { _, client, _ throws in
            let (own, described) = ("/assets/a.png/\(part)", "/assets/a.png%2F\(part)")
            let codes = try [own, described].map { target in
                try [own, described].map { signed in
                    try client.get(target + "?" + Self.signature("", path: signed)).code
                }
            }
            #expect(codes == [[200, 403], [403, 404]])
        }
    }

    @Test func keys_areChangedWithoutAGap() throws {
        try withService { service, client, _ throws in
            var configuration = service.configuration
            func codes() throws -> [Int] {
                try [Self.old, Self.new].map { try client.get(Self.signed(Self.picture, key: $0)).code }
            }
            #expect(try codes() == [200, 403])
            configuration.keys = SigningKeys([Self.new, Self.old])
            try service.reload(configuration)
            #expect(try codes() == [200, 200])
            configuration.keys = SigningKeys([Self.new])
            try service.reload(configuration)
            #expect(try codes() == [403, 200])
            configuration.keys = nil
            try service.reload(configuration)
            #expect(try client.get("/asset?" + Self.picture).code == 200)
            #expect(try client.get(Self.signed(Self.picture)).code == 400)
        }
    }

    // MARK: Spellings, keys and tags

    @Test func everySpelling_hasTheSameSignature() throws {
        try withService { _, client, _ throws in
            let sig = Self.signature(Self.picture)
            let targets = [
                "/asset?format=webp&w=40&id=a.png&\(sig)", "/asset?\(sig)&id=a%2Epng&width=040&dpr=1.0&format=webp",
                "/asset?id=a.png&width=40&height=&fit=inside&format=webp&\(sig)", "/%61sset?\(Self.picture)&\(sig)",
                "/asset?\(Self.picture)&" + sig.replacing("sig", with: "s%69g"),
            ]
            let tags = try targets.map { target in
                let answer = try client.get(target)
                #expect(answer.code == 200, "\(target) \(answer.text)")
                return answer.field("ETag")
            }
            #expect(Set(tags).count == 1)
            for (target, path, query) in [
                ("/map?lon=2.0&lat=1&zoom=3&size=64x64", "/map", "latitude=1&longitude=2&zoom=3&width=64&height=64"),
                ("/tiles/light/0/0/0.jpg?lang=it", "/tiles/light/0/0/0.jpeg", "language=it"),
                (
                    "/wmts?SERVICE=WMTS&Request=GetTile&layer=light&tilematrix=0&tilerow=0&tilecol=0",
                    "/tiles/light/0/0/0.png", ""
                ),
                ("/assets/a%2Epng", "/assets/a.png", ""), ("/assets/a.png/original", "/assets/a.png/original", ""),
                ("/assets/a.png/pages?limit=5", "/assets/a.png/pages", "limit=5"),
            ] {
                let separator = target.contains("?") ? "&" : "?"
                let answer = try client.get(target + separator + Self.signature(query, path: path))
                #expect(answer.code == 200, "\(target) \(answer.text)")
            }
        }
    }

    @Test func signatures_areInNoKeyAndNoTag() throws {
        try withService({ $0.keys = nil }) { service, client, _ throws in
            let plain = try client.get("/asset?" + Self.picture).field("ETag")
            var configuration = service.configuration
            configuration.keys = SigningKeys([Self.new, Self.old])
            try service.reload(configuration)
            let rules = "path=/asset;id=a.png;width<=100;format=webp"
            let targets = [
                Self.signed(Self.picture), Self.signed(Self.picture, key: Self.new),
                Self.signed(Self.picture, expires: Self.now + 500), "/asset?\(Self.picture)&" + Self.set(rules),
            ]
            for target in targets {
                let answer = try client.get(target)
                #expect(answer.field("ETag") == plain, "\(target)")
                #expect(answer.field("Cache-Status")?.contains("hit") == true, "\(target)")
                let again = try client.get(target, "If-None-Match: \(plain ?? "")")
                #expect(again.code == 304)
            }
            #expect(try client.metric("veduta_renders_total{route=\"asset\"}") == 1)
        }
    }

    @Test func answers_areFreshNoLongerThanTheirSignature() throws {
        try withService { _, client, clock throws in
            let usual = try client.get(Self.signed(Self.picture)).field("Cache-Control")
            #expect(usual?.hasPrefix("max-age=86400, stale") == true)
            let target = Self.signed(Self.picture, expires: Self.now + 1000)
            // It ends before the signature: the second that has begun does not count.
            for (passed, left) in [(0, 999), (400, 599), (599, 0)] {
                clock.advance(by: .seconds(passed))
                let answer = try client.get(target)
                #expect(answer.field("Cache-Control") == "max-age=\(left), must-revalidate")
                let tag = answer.field("ETag") ?? ""
                let unchanged = try client.get(target, "If-None-Match: \(tag)")
                #expect(unchanged.field("Cache-Control") == "max-age=\(left), must-revalidate")
            }
            let far = try client.get(Self.signed(Self.picture, expires: Self.now + 10_000_000))
            #expect(far.field("Cache-Control") == usual)
            let missing = try client.get(Self.signed("id=missing.png", expires: Self.now + 1030))
            #expect(missing.code == 404 && missing.field("Cache-Control") == "no-store")
            let rules = "path=/tiles/light/*|/tiles/light.json"
            let description = try client.get("/tiles/light.json?" + Self.set(rules, expires: Self.now + 1099))
            #expect(description.field("Cache-Control") == "max-age=99, must-revalidate")
        }
    }

    @Test func whatTheTokenAlone_allows_isInNoSharedCache() throws {
        let token = "Authorization: Bearer secret-of-sixteen"
        // A shared cache may keep such answers to anybody (RFC 9111 §3.5).
        try withService({ $0.cacheControl = "public, max-age=500, s-maxage=900" }) { _, client, _ throws in
            for target in [
                "/asset?" + Self.picture, "/asset?" + Self.picture, "/map?lat=1&lon=2&size=64x64", "/tiles/light.json",
                "/assets/a.png", "/assets/a.png/original", "/",
            ] {
                let answer = try client.get(target, token)
                #expect(answer.code == 200, "\(target)")
                let said = answer.field("Cache-Control") ?? ""
                #expect(said == "private, no-cache" || said == "no-store", "\(target) \(said)")
                guard let tag = answer.field("ETag") else { continue }
                let unchanged = try client.get(target, token, "If-None-Match: \(tag)")
                #expect(unchanged.code == 304 && unchanged.field("Cache-Control") == said, "\(target)")
            }
            #expect(try client.get("/asset?id=missing.png", token).field("Cache-Control") == "no-store")
            // With a signature, the token was not needed.
            let signed = try client.get(Self.signed(Self.picture), token)
            #expect(signed.field("Cache-Control") == "public, max-age=500, s-maxage=900")
        }
    }

    // MARK: Sets

    @Test func oneSet_coversASrcset() throws {
        try withService { _, client, _ throws in
            let set = Self.set("path=/asset;id=a.png;width<=320;format=webp|png?", expires: Self.now + 50)
            for width in [40, 80, 160, 320] {
                #expect(try client.get("/asset?w=\(width)&id=a.png&\(set)").code == 200)
            }
            for query in [
                "id=a.png&w=321", "id=b.png&w=40", "id=a.png", "id=a.png&w=40&format=jpeg", "id=a.png&w=9&q=1",
            ] {
                let answer = try client.get("/asset?\(query)&\(set)")
                #expect(answer.code == 403 && problem(answer) == "signature-outside-set", "\(query)")
            }
            let wider = set.replacing("320", with: "999")
            #expect(problem(try client.get("/asset?id=a.png&w=40&\(wider)")) == "signature-wrong")
        }
    }

    @Test func oneSet_coversTheTilesOfAMap_andItsDescriptionPassesItOn() throws {
        try withService { _, client, _ throws in
            let set = Self.set("path=/tiles/light/*|/tiles/light.json")
            let description = try client.get("/tiles/light.json?" + set)
            #expect(description.code == 200)
            let template = try #require(description.text.firstMatch(of: /"tiles": ?\["http:\/\/[^\/]+([^"]+)"/)).1
            let tile = template.replacing("{z}", with: "1").replacing("{x}", with: "0").replacing("{y}", with: "1")
                .replacing("\\/", with: "/")
            #expect(try client.get(String(tile)).code == 200, "\(tile)")
            #expect(try client.get("/tiles/light/0/0/0.webp?" + set).code == 200)
            #expect(try client.get("/tiles/dark/0/0/0.png?" + set).code == 403)
            #expect(try client.get("/tiles/light/0/0/0.png?labels=off&" + set).code == 403)
        }
    }

    @Test func oneSet_coversAStyle_andWhatItNames() throws {
        try withService { _, client, _ throws in
            let set = Self.set("path=/styles/light.json|/data/*|/fonts/*")
            let style = try client.get("/styles/light.json?" + set)
            #expect(style.code == 200)
            let text = style.text.replacing("\\/", with: "/")
            #expect(text.contains("/fonts/{fontstack}/{range}.pbf?" + set + "\""), "\(text.prefix(400))")
            let source = try #require(text.firstMatch(of: /"url": ?"http:\/\/[^\/]+(\/data\/[^"]+)"/)).1
            #expect(try client.get(String(source)).code == 200, "\(source)")
            // No font has these.
            let glyphs = "/fonts/Noto%20Sans/57344-57599.pbf"
            #expect(try client.get(glyphs + "?" + set).code == 200)
            for target in [glyphs + "?" + set.replacing("fonts", with: "tiles"), "/sprites/light/default.json?" + set] {
                #expect(try client.get(target).code == 403, "\(target)")
            }
        }
    }

    @Test func contentOfAPost_isSigned() throws {
        try withService { _, client, _ throws in
            let content = Array(#"{"latitude":1,"longitude":2,"width":64,"height":64}"#.utf8)
            client.upload("/map", content, "Content-Type: application/json")
            #expect(try client.read().code == 403)
            let right = "/map?" + Self.signature("sha256=" + SHA256.digest(of: content).base64URL(), path: "/map")
            client.upload(right, content, "Content-Type: application/json")
            #expect(try client.read().code == 200)
            client.upload(right, content + [0x20], "Content-Type: application/json")
            #expect(try client.read().code == 403)
            // Content is held, and looked at, only for those who name a key: strangers filled the room for all of it.
            client.upload("/map", content, "Content-Type: text/plain")
            #expect(try client.read().code == 403)
            client.upload("/map?sig=other.\(String(repeating: "A", count: 43))", content, "Content-Type: text/plain")
            #expect(try client.read().code == 403)
            client.upload(right, content, "Content-Type: text/plain")
            #expect(try client.read().code == 415)
        }
    }

    @Test func avatarsAndPolls_areSignedInTheirCanonicalForm() throws {
        try withService { _, client, _ throws in
            let group = Self.signature("person=id:a.png%7CAnna&person=Bo&size=64&format=png", path: "/avatar")
            #expect(try client.get("/avatar?ids=a.png,&names=Anna,Bo&s=64&format=png&" + group).code == 200)
            #expect(try client.get("/avatar?format=png&size=64&gap=2&ids=a.png&names=Anna,Bo&" + group).code == 200)
            #expect(
                problem(try client.get("/avatar?ids=b.png&names=Anna,Bo&s=64&format=png&" + group)) == "signature-wrong"
            )
            let remote = Self.signature("person=id:https://a.example/x.png&size=64", path: "/avatar")
            let other = try client.get("/avatar?ids=https://a.example/y/../x.png&s=64&" + remote)
            #expect(problem(other) == "source-forbidden", "\(other.text)")
            let hash = String(repeating: "0", count: 32)
            let hashed = Self.signature("size=64&default=retro", path: "/avatar/" + hash)
            #expect(try client.get("/avatar/\(hash)?d=retro&s=64&" + hashed).code == 200)
            #expect(problem(try client.get("/avatar/\(hash)?d=404&s=64&" + hashed)) == "signature-wrong")
            for path in ["/poll", "/poll.json"] {
                let poll = Self.signature("option=votes:1%7Ca&option=b&width=300", path: path)
                #expect(
                    try client.get("\(path)?w=300&option=votes:1%7Ca&option=label:b&layout=bars&" + poll).code == 200)
                #expect(
                    problem(try client.get("\(path)?w=301&option=votes:1%7Ca&option=b&" + poll)) == "signature-wrong")
            }
            let content = Array(#"{"option": ["a", "b"]}"#.utf8)
            client.upload("/poll", content, "Content-Type: application/json")
            #expect(try client.read().code == 403)
            let right = Self.signature("sha256=" + SHA256.digest(of: content).base64URL(), path: "/poll")
            client.upload("/poll?" + right, content, "Content-Type: application/json")
            #expect(try client.read().code == 200)
            // Who signs a card need not know its template.
            let card = Self.signature("template=quote&author=b&quote=a&scale=2", path: "/card")
            #expect(try client.get("/card?quote=a&dpr=2.0&template=quote&author=b&" + card).code == 200)
            #expect(problem(try client.get("/card?quote=b&dpr=2&template=quote&author=b&" + card)) == "signature-wrong")
            // A set may name people and sizes.
            let set = Self.set("path=/avatar;person?;size<=128", expires: Self.now + 50)
            #expect(try client.get("/avatar?names=Anna&size=128&\(set)").code == 200)
            #expect(try client.get("/avatar?names=Anna&size=129&\(set)").code == 403)
        }
    }

    // MARK: Without a signature

    @Test func presets_mayPassWithoutASignature() throws {
        try withService({ $0.unsigned = [.presets] }) { _, client, _ throws in
            #expect(try client.get("/asset?id=a.png&preset=card").code == 200)
            for query in [
                "id=a.png&preset=card&w=9", "id=a.png&w=50", "id=a.png", "preset=card&preset=card", "id=a.png&preset=",
                "id=&preset=card",
            ] {
                #expect(try client.get("/asset?" + query).code == 403, "\(query)")
            }
            #expect(try client.get(Self.signed("id=a.png&width=9&preset=card")).code == 200)
            #expect(
                try client.get("/asset?preset=card&w=9&id=a.png&" + Self.signature("id=a.png&width=9&preset=card")).code
                    == 200)
        }
    }

    @Test func smallImages_mayPassWithoutASignature() throws {
        try withService({ $0.unsigned = [.small] }) { _, client, _ throws in
            for query in [
                "id=a.png&w=256&h=256", "id=a.png&h=128&w=9&dpr=2", "id=a.png&w=20&h=20&fit=cover&format=jpeg&q=5",
            ] {
                #expect(try client.get("/asset?" + query).code == 200, "\(query)")
            }
            for query in [
                "id=a.png", "id=a.png&w=257&h=9", "id=a.png&w=128&h=9&dpr=2.1", "id=a.png&w=50p&h=50p",
                "id=a.png&w=50&h=50&format=json", "id=a.png&w=50&h=50&filter=blur:9", "id=a.png&w=50&h=50&explain=1",
                "id=a.png&w=50&h=50&q=auto", "id=a.png&w=50&h=50&q=auto:60", "id=a.png&preset=card",
                // The other side could be anything.
                "id=a.png&w=50", "id=a.png&h=50", "id=a.png&w=50&h=", "id=a.png&w=50&h=50&fit=outside",
                "id=a.png&w=50&h=50&crop=top", "id=a.png&w=50&h=50&crop=0,0,9,9",
            ] {
                #expect(try client.get("/asset?" + query).code == 403, "\(query)")
            }
        }
    }

    /// `Save-Data` stands for `quality=auto:60`, whose search is what `small` does not give to everybody.
    @Test func smallImages_mayNotBeSearchedForAQuality_alsoByAField() throws {
        for usesHints in [false, true] {
            try withService({
                $0.unsigned = [.small]
                $0.clientHints = usesHints
            }) { _, client, _ throws in
                let small = "/asset?id=a.png&w=50&h=50"
                for saving in ["on", "?1"] {
                    let answer = try client.get(small, "Save-Data: \(saving)")
                    #expect(answer.code == (usesHints ? 403 : 200), "\(saving)")
                }
                #expect(try client.get(small).code == 200)
                #expect(try client.get(small, "Save-Data: off").code == 200)
                // Nothing is searched for these.
                for more in ["&q=70", "&format=png"] {
                    #expect(try client.get(small + more, "Save-Data: on").code == 200, "\(more)")
                }
                let signed = Self.signed("id=a.png&width=50&height=50")
                #expect(try client.get(signed, "Save-Data: on").code == 200)
            }
        }
    }
}
