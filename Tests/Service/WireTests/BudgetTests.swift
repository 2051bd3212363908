import Digest
import FakeOrigin
import HTTPMessage
import Origin
import Reactor
import ServiceConfiguration
import TestSupport
import Testing

/// What each client may use, over the wire. Clients are told apart by what their proxy, which is this test, says of them.
@Suite(.timeLimit(.minutes(5))) struct BudgetTests {
    private func withService(
        budget: Int = 60, depth: Int = 1, clock: Clock = .system, _ adjust: (inout Configuration) -> Void = { _ in },
        _ body: (RunningService, WireClient) throws -> Void
    ) throws {
        let (pictures, service, client) = try RunningService.withPictures(clock: clock) { configuration in
            configuration.budget = budget
            configuration.budgetDepth = depth
            configuration.trustedProxies = TrustedProxies(["127.0.0.0/8"]) ?? .none
            adjust(&configuration)
        }
        try pictures.add("large.png", PictureFolder.picture(1600, 1200))
        try body(service, client)
    }

    private static let mallory = "X-Forwarded-For: 198.51.100.1"
    private static let alice = "X-Forwarded-For: 203.0.113.9"

    private static let small = "/asset?id=a.png&w=20&format=png&filter=noise:9:90"

    /// Asks for images that nobody has asked for until even a small one is refused.
    private func exhaust(_ client: WireClient, _ fields: String) throws -> WireResponse {
        var answer: WireResponse?
        for query in ["id=large.png&w=900&format=webp", "id=a.png&w=200&format=png", "id=a.png&w=20&format=png"] {
            var refusedInARow = 0
            for number in 1...2000 where refusedInARow < 5 {
                answer = try client.get("/asset?\(query)&filter=noise:9:\(100 + number)", fields)
                // What the last one did not use is given back a moment after its answer.
                refusedInARow = answer?.code == 200 ? 0 : refusedInARow + 1
            }
        }
        return try #require(answer)
    }

    /// Whether a client has what `exhaust` left: what the last images did not use is given back at some time after their
    /// answers, and makes a few more; a full budget makes hundreds.
    private func isRefused(_ client: WireClient, _ fields: String) throws -> Bool {
        for number in 1...40 where try client.get("\(Self.small)\(number)", fields).code == 429 { return true }
        return false
    }

    @Test func emptyBudget_is429_andSaysWhenToComeBack() throws {
        let clock = HandMovedClock()
        try withService(clock: clock.clock) { _, client throws in
            let kept = "/asset?id=a.png&w=40&format=png"
            #expect(try client.get(kept, Self.mallory).code == 200)
            let refused = try exhaust(client, Self.mallory)
            #expect(refused.code == 429)
            #expect(refused.text.contains("budget-exhausted"))
            let seconds = try #require(refused.field("Retry-After").flatMap { Int($0) })
            #expect((1...60).contains(seconds))
            #expect(refused.field("RateLimit-Policy") == "\"client\";q=1000;w=1")
            #expect(refused.field("RateLimit")?.firstMatch(of: /^"client";r=\d+;t=\d+$/) != nil)
            #expect(refused.field("Cache-Control") == "no-store")
            // What is in memory costs nothing.
            #expect(try client.get(kept, Self.mallory).code == 200)
            // Other clients have budgets of their own.
            #expect(try client.get("/asset?id=b.png&w=40&format=png", Self.alice).code == 200)
            #expect(try client.get("/asset?id=b.png&w=41&format=png").code == 200)
            clock.advance(by: .seconds(seconds + 60))
            #expect(try client.get("/asset?id=b.png&w=42&format=png", Self.mallory).code == 200)
        }
    }

    /// #17: contents that were refused had cost nothing, however long it took to read them.
    @Test func readingTheContentOfAPost_isChargedToo() throws {
        let content = Array("{\((0..<100_000).map { "\"m\($0)\":1" }.joined(separator: ","))}".utf8)
        try withService(budget: 1) { _, client throws in
            var codes: Set<Int> = []
            for _ in 0..<60 where !codes.contains(429) {
                client.upload("/map", content, "Content-Type: application/json", Self.mallory)
                codes.insert(try client.read().code)
            }
            #expect(codes == [400, 429])
        }
    }

    /// An avatar is charged before its pictures are decoded, and a poll before it is laid out.
    @Test func avatarsAndPolls_areCharged() throws {
        let clock = HandMovedClock()
        try withService(clock: clock.clock) { _, client throws in
            let group = "/avatar?ids=a.png,b.png,large.png&names=A,B,C&format=png"
            #expect(try client.get(group + "&size=64", Self.alice).code == 200)
            var refused: WireResponse?
            for size in 16...1000 where refused == nil {
                let answer = try client.get("\(group)&size=\(size)&scale=2", Self.mallory)
                if answer.code != 200 { refused = answer }
            }
            #expect(refused?.code == 429 && refused?.text.contains("budget-exhausted") == true)
            _ = try exhaust(client, Self.mallory)
            #expect(try client.get("\(group)&size=1000&gap=3", Self.mallory).code == 429)
            #expect(try client.get("/poll?option=a&option=b&width=1600&format=png", Self.mallory).code == 429)
            #expect(try client.get("/card?template=quote&quote=a&scale=3", Self.mallory).code == 429)
            // What is kept costs nothing, and others have budgets of their own.
            #expect(try client.get(group + "&size=64", Self.mallory).code == 200)
            #expect(try client.get("/poll?option=a&option=b&format=png", Self.alice).code == 200)
        }
    }

    @Test func withoutABudget_nobodyIsRefused() throws {
        try withService(budget: 0) { _, client throws in
            for number in 0..<100 {
                #expect(try client.get("/asset?id=a.png&w=90&filter=noise:9:\(number)", Self.mallory).code == 200)
            }
        }
    }

    /// A stranger's field counts for nothing.
    @Test func addressesInFields_countOnlyFromTrustedProxies() throws {
        let clock = HandMovedClock()
        try withService(clock: clock.clock, { $0.trustedProxies = .none }) { _, client throws in
            #expect(try exhaust(client, Self.mallory).code == 429)
            #expect(try isRefused(client, Self.alice))
        }
        try withService(clock: clock.clock, { $0.forwardedField = .forwarded }) { _, client throws in
            #expect(try exhaust(client, "Forwarded: for=198.51.100.1;proto=http, for=127.0.0.9").code == 429)
            #expect(try isRefused(client, "Forwarded: for=\"198.51.100.1:99\"\r\n\(Self.alice)"))
            // What the client said of its host is no address of its own.
            for host in ["a;for=203.0.113.9", "a,for=203.0.113.9", "a;for=203.0.113.9;b,c"] {
                #expect(try isRefused(client, "Forwarded: proto=http;host=\"\(host)\";for=198.51.100.1"))
                #expect(try isRefused(client, "Forwarded: for=\"x, for=198.51.100.1;host=\"\(host)\""))
            }
            #expect(try client.get(Self.small, "Forwarded: for=\"[2001:db8::1]\"").code == 200)
        }
    }

    @Test func oneNetworkOfIPv6_isOneClient() throws {
        let clock = HandMovedClock()
        try withService(clock: clock.clock) { _, client throws in
            #expect(try exhaust(client, "X-Forwarded-For: 2001:db8::1").code == 429)
            #expect(try isRefused(client, "X-Forwarded-For: 2001:db8::ffff:1"))
            #expect(try client.get(Self.small, "X-Forwarded-For: 2001:db8:0:1::1").code == 200)
        }
    }

    /// Also where nothing else asks for the token.
    @Test(arguments: [AccessLevel.on, .token]) func theTokenPaysNothing(_ listing: AccessLevel) throws {
        let clock = HandMovedClock()
        try withService(
            clock: clock.clock,
            {
                $0.token = AccessToken("secret-of-sixteen")
                $0.listing = listing
            }
        ) { _, client throws in
            #expect(try exhaust(client, Self.mallory).code == 429)
            let token = "Authorization: Bearer secret-of-sixteen"
            let expensive = "/asset?id=large.png&w=1600&format=webp&effort=9&background=123456"
            #expect(try client.get(expensive, Self.mallory, token).code == 200)
            let another = expensive.replacing("123456", with: "654321")
            #expect(try client.get(another, Self.mallory, "Authorization: Bearer guess").code == 429)
        }
    }

    /// Whoever gets a stale answer does not pay for the new one, which is for all.
    @Test func refreshesChargeNobody() throws {
        let (clock, pictures) = (HandMovedClock(), try PictureFolder())
        try pictures.add("large.png", PictureFolder.picture(1600, 1200))
        let large = "/asset?id=large.png&w=1200&format=avif"
        try withService(
            budget: 1, depth: 3, clock: clock.clock,
            {
                $0.library = pictures.path
                $0.sourceLifetime = 2
                $0.sourceStale = 60
            }
        ) { _, client throws in
            let old = try client.get(large, Self.alice).field("ETag")
            #expect(try exhaust(client, Self.mallory).code == 429)
            try pictures.add("large.png", PictureFolder.picture(1601, 1200))
            clock.advance(by: .seconds(3))
            #expect(try client.get(large, Self.mallory).field("ETag") == old)
            #expect(eventually { (try? client.get(large, Self.mallory).field("ETag")) != old })
        }
    }

    /// Who waits for a render that another client was to pay for is tried again, and may still leave.
    @Test func whoWaitsBesideAnEmptyBudget_isTriedAgain_andMayLeave() throws {
        let clock = HandMovedClock()
        try withService(
            clock: clock.clock,
            {
                $0.workers = 1
                $0.token = AccessToken("secret-of-sixteen")
            }
        ) { service, client throws in
            #expect(try exhaust(client, Self.mallory).code == 429)
            // Enough to open a bill, too little for the image.
            clock.advance(by: .milliseconds(30))
            let token = "Authorization: Bearer secret-of-sixteen"
            let renders = "veduta_renders_total{route=\"asset\"}"
            let before = try client.metric(renders)
            func slow(_ widthPx: Int) -> String { "/asset?id=large.png&w=\(widthPx)&format=avif&effort=6" }
            let (first, mallory) = (try WireClient(service.address), try WireClient(service.address))
            first.request(slow(1000), token)
            #expect(eventually { (try? client.metric("veduta_jobs_running")) == 1 })
            mallory.request(slow(1600), Self.mallory)
            #expect(eventually { (try? client.metric("veduta_jobs_queued")) == 1 })
            do {
                let alice = try WireClient(service.address)
                alice.request(slow(1600), Self.alice)
                #expect(eventually { (try? client.metric("veduta_cache_collapsed_total")) == 1 })
                #expect(try mallory.read().code == 429)
                // Hers has begun, after that of the first and the one that Mallory could not pay for.
                #expect(eventually { (try? client.metric(renders)) == before + 3 })
                alice.resetWhenReleased()
            }
            #expect(eventually { (try? client.metric("veduta_abandoned_waits_total")) == 1 })
            #expect(try first.read().code == 200)
        }
    }

    /// Nothing is fetched for a client who could not have anything made of it; what is held may be stale.
    @Test func nothingIsFetched_forAnEmptyBudget() throws {
        let world = try RemoteWorld {
            $0.budget = 1
            $0.budgetDepth = 1
            $0.sourceBytes = 256 << 20
            $0.cacheControl = "max-age=60, stale-if-error=600"
        }
        let picture = try PictureFolder.picture(60, 40)
        world.serve("/kept.png", picture, "Cache-Control: max-age=1")
        world.serve("/other.png", picture)
        #expect(try world.get("/kept.png").code == 200)
        // More than two seconds' worth: a debt.
        let byteCount = 150 << 20
        world.answer("/large", [.text("HTTP/1.1 200 OK\r\nContent-Length: \(byteCount)\r\n\r\n"), .filler(byteCount)])
        #expect(try world.get("/large").code == 415)
        let refused = try world.get("/other.png")
        #expect(refused.code == 429 && refused.text.contains("budget-exhausted"))
        let person = "/avatar?person=id:\(world.origin.url("/other.png"))&size=40"
        #expect(try WireClient(world.service.address).get(person).code == 429)
        #expect(world.count("/other.png") == 0)
        world.clock.advance(by: .seconds(30))
        let stale = try world.get("/kept.png")
        #expect(stale.code == 200 && stale.cacheStatus == "fwd=stale; fwd-status=429", "\(stale.head)")
        #expect(world.count("/kept.png") == 1)
    }

    /// Uploads in a bucket are on the same terms, and so is the list of them.
    @Test func bucketOfUploads_isNotAsked_forAnEmptyBudget() throws {
        // More than a second's worth: a debt.
        let byteCount = 80 << 20
        let bucket = try FakeBucket(
            "abc",
            fault: { seen in
                guard seen.method == "GET", seen.target.hasPrefix("/abc/up/large.png") else { return nil }
                return [.text("HTTP/1.1 200 OK\r\nContent-Length: \(byteCount)\r\n\r\n"), .filler(byteCount)]
            })
        defer { bucket.stop() }
        let endpoint = try OriginURL(bucket.url)
        // The clock stands still, so nothing is refilled.
        let service = try RunningService(clock: HandMovedClock().clock) { configuration in
            configuration.budget = 1
            configuration.budgetDepth = 1
            configuration.remoteAddresses = [AddressRange("127.0.0.0/8")].compactMap(\.self)
            configuration.s3Endpoint = endpoint
            configuration.s3KeyID = Secret("AKID")
            configuration.s3Secret = Secret("secret")
            configuration.s3Buckets = [bucket.name]
            configuration.uploads = "s3://\(bucket.name)/up"
            configuration.sourceBytes = 256 << 20
            configuration.uploadLimit = 256 << 20
            configuration.token = AccessToken("secret-of-sixteen")
        }
        defer { service.stop() }
        let client = try WireClient(service.address)
        let pictures = try [60, 61].map { try PictureFolder.picture($0, 40) }
        let targets = pictures.map { picture in
            let id = "~" + SHA256.digest(of: picture).base64URL()
            bucket.put("up/" + id, picture)
            return "/assets/\(id)/original"
        }
        #expect(try client.get(targets[0]).content == pictures[0])
        #expect(try client.get("/assets").code == 200)
        // Its bytes are charged, though HEAD sends none on.
        #expect(try client.get("/assets/large.png/original", method: "HEAD").code == 200)
        let asked = bucket.requests.count
        for target in [targets[1], "/assets"] {
            for method in ["GET", "HEAD"] {
                let refused = try client.get(target, method: method)
                #expect(refused.code == 429, "\(method) \(target)")
                #expect(refused.field("RateLimit-Policy") == "\"client\";q=1000;w=60")
            }
        }
        #expect(bucket.requests.count == asked)
        #expect(try client.get(targets[1], "Authorization: Bearer secret-of-sixteen").content == pictures[1])
    }

    /// The must of issue 17: 64 clients of one address ask for the ten most expensive images that are allowed.
    @Test func aCrowdOfOneAddress_doesNotKeepAnotherClientFromItsPicture() throws {
        // The clock stands still, so nothing is refilled, however long this takes.
        try withService(budget: 1, depth: 3, clock: HandMovedClock().clock) { service, client throws in
            let expensive = [
                "w=1600&format=avif&effort=5", "w=1500&format=avif&lossless=1", "w=1600&filter=blur:100&format=webp",
                "w=1600&filter=median:10&format=png", "w=1400&format=webp&lossless=1&effort=10",
                "w=1600&filter=noise:50,blur:50,clahe&format=png", "w=1600&format=avif&quality=auto",
                "w=1600&rotate=33&format=avif", "w=1600&bytes=20000&format=jpeg", "w=1600&format=png&filter=unsharp:50",
            ]
            var crowd: [WireClient] = []
            for member in 0..<64 {
                let one = try WireClient(service.address)
                for query in expensive {
                    // Each is another image, so that none is in memory.
                    one.request(
                        "/asset?id=large.png&\(query)&background=\(String(0x100000 + member, radix: 16))", Self.mallory)
                }
                crowd.append(one)
            }
            let picture = try client.get("/asset?id=a.png&w=200&format=jpeg", Self.alice)
            #expect(picture.code == 200, "\(picture.text)")
            var codes: [Int: Int] = [:]
            for one in crowd {
                for _ in expensive { codes[try one.read().code, default: 0] += 1 }
            }
            // Three seconds pay for a few.
            #expect(codes[429, default: 0] > 600, "\(codes)")
            #expect(Set(codes.keys).isSubset(of: [200, 429]), "\(codes)")
        }
    }

    /// 64 MiB count as a second.
    @Test func bytesFromOrigins_areCharged() throws {
        let world = try RemoteWorld {
            $0.budget = 60
            $0.budgetDepth = 3
        }
        let byteCount = 60 << 20
        let paths = (0..<6).map { "/\($0)" }
        for path in paths {
            world.answer(path, [.text("HTTP/1.1 200 OK\r\nContent-Length: \(byteCount)\r\n\r\n"), .filler(byteCount)])
        }
        // They are no images, so nothing is decoded.
        let codes = try paths.map { try world.get($0).code }
        #expect(codes.prefix(2) == [415, 415] && codes.last == 429, "\(codes)")
    }
}
