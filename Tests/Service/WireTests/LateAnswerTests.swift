import Reactor
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// Answers that did not come in time. The clock is moved by hand: nothing here waits for it.
@Suite(.timeLimit(.minutes(5))) struct LateAnswerTests {
    private static let avif = "Accept: image/avif"
    /// Far more work than any machine ends while a test looks at it; it is stopped when the clock is moved.
    private static let slow =
        "/asset?id=a.png&width=4000&enlarge=1&format=png&filter="
        + Array(repeating: "median:10", count: 8).joined(separator: ",")

    /// #15.2: what took all of the time is not tried again at once; what only waited for its turn is.
    @Test func workThatDidNotEndInTime_isRemembered() throws {
        let veduta = try Self.service()
        let target = Self.slow
        let waited = "/asset?id=b.png&width=21&format=png"
        let busy = try WireClient(veduta.service.address)
        busy.request(target)
        #expect(Self.runsOne(veduta))
        let waiting = try WireClient(veduta.service.address)
        waiting.request(waited)
        #expect(eventually { (try? veduta.client.metric("veduta_jobs_queued")) == 1 })
        Self.pass(.seconds(61), veduta)
        let (late, unbegun) = (try busy.read(), try waiting.read())
        #expect(late.code == 503 && late.field("Retry-After") == "60", "the first is told what all others are")
        #expect(unbegun.code == 503 && unbegun.field("Retry-After") == "5")
        #expect(veduta.waitForWorkers())
        let made = try veduta.renders()
        let again = try veduta.client.get(target)
        #expect(again.code == 503 && again.text.contains("render-timeout"))
        #expect(again.cacheStatus == "hit; ttl=60" && again.field("Retry-After") == "60")
        veduta.clock.advance(by: .seconds(20))
        #expect(try veduta.client.get(target).field("Retry-After") == "40")
        #expect(try veduta.renders() == made, "no work was begun")
        #expect(try veduta.client.get(waited).code == 200)
    }

    /// Ways of asking for the picture that takes too long: what the target has besides, and a field.
    private static let any = "Accept: */*"
    private static let ways = [
        ("", any), ("", "Cache-Control: no-cache"), ("", "Cache-Control: no-store"), ("&explain=1", any),
    ]

    private static func service(_ adjust: (inout Configuration) -> Void = { _ in }) throws -> CachingService {
        try CachingService { configuration in
            configuration.workers = 1
            configuration.loops = 1
            configuration.renderTimeout = 60
            configuration.costLimit = 3600
            adjust(&configuration)
        }
    }

    /// Moves the clock until the time of those who wait is over. A loop that sleeps does not see that: a request wakes it.
    private static func pass(_ duration: Duration, _ veduta: CachingService) {
        veduta.clock.advance(by: duration)
        #expect(veduta.client.isKept())
    }

    private static func runsOne(_ veduta: CachingService) -> Bool {
        eventually { (try? veduta.client.metric("veduta_jobs_running")) == 1 }
    }

    /// #15: it was remembered only for requests that say nothing about caches.
    @Test(arguments: ways) func timeoutsAreRemembered_howeverThePictureIsAskedFor(_ way: (String, String)) throws {
        let veduta = try Self.service()
        let busy = try WireClient(veduta.service.address)
        busy.request(Self.slow + way.0, way.1)
        #expect(Self.runsOne(veduta))
        Self.pass(.seconds(61), veduta)
        let late = try busy.read()
        #expect(late.code == 503 && late.problem == "render-timeout" && late.field("Retry-After") == "60")
        #expect(veduta.waitForWorkers())
        let made = try veduta.renders()
        for (suffix, field) in Self.ways {
            let again = try veduta.client.get(Self.slow + suffix, field)
            #expect(again.code == 503 && again.problem == "render-timeout", "\(suffix) \(field)")
            #expect(again.field("Retry-After") == "60", "\(suffix) \(field)")
        }
        #expect(try veduta.renders() == made, "no work was begun")
        // One for the first, one for each of the others: those who have gone are not counted.
        #expect(try veduta.client.metric("veduta_requests_total{route=\"asset\",status=\"503\"}") == 5)
        Self.pass(.seconds(61), veduta)
        busy.request(Self.slow)
        #expect(Self.runsOne(veduta), "after a minute it is tried again")
        #expect(try veduta.renders() == made + 1)
        Self.pass(.seconds(61), veduta)
        #expect(try busy.read().code == 503)
    }

    /// #15: it was remembered only if the client that had come first was still there.
    @Test func timeoutsAreRemembered_whoeverWaitsForThem() throws {
        let veduta = try Self.service()
        let follower = try WireClient(veduta.service.address)
        do {
            let leader = try WireClient(veduta.service.address)
            leader.request(Self.slow)
            #expect(Self.runsOne(veduta))
            follower.request(Self.slow)
            #expect(eventually { (try? veduta.client.metric("veduta_cache_collapsed_total")) == 1 })
        }
        // A connection whose client ended its side is asked a quarter of a second later; far from the time of an answer.
        var steps = 0
        #expect(
            eventually {
                if steps < 20 { Self.pass(.milliseconds(300), veduta) }
                steps += 1
                return (try? veduta.client.metric("veduta_abandoned_waits_total")) == 1
            })
        Self.pass(.seconds(61), veduta)
        #expect(try follower.read().field("Retry-After") == "60")
        let again = try veduta.client.get(Self.slow)
        #expect(again.code == 503 && again.cacheStatus == "hit; ttl=60")
    }

    /// #15: a picture on disk was answered with the timeout of its explanation, for a minute.
    @Test func pictureOnDisk_isServed_whateverIsRememberedOfItsWork() throws {
        let (pictures, folder) = (try PictureFolder(), try CacheFolder())
        defer { withExtendedLifetime((pictures, folder)) {} }
        func start() throws -> CachingService {
            try Self.service { configuration in
                configuration.library = pictures.path
                configuration.cacheDirectory = folder.path
                // All hits come from the disk.
                configuration.cacheMemory = 0
            }
        }
        let target = "/asset?id=a.png&width=800&enlarge=1&format=png&filter=median:10,median:10"
        let first = try start()
        let made = try first.client.get(target)
        #expect(made.code == 200 && first.waitForWorkers())
        first.service.stop()
        let veduta = try start()
        // A machine may be quick enough to explain it before the clock is moved.
        var isRemembered = false
        for _ in 0..<50 where !isRemembered {
            let busy = try WireClient(veduta.service.address)
            busy.request(target + "&explain=1")
            #expect(eventually { busy.hasMore || (try? veduta.client.metric("veduta_jobs_running")) == 1 })
            Self.pass(.seconds(61), veduta)
            isRemembered = try busy.read().field("Retry-After") == "60"
        }
        #expect(isRemembered && veduta.waitForWorkers())
        let renders = try veduta.renders()
        for directives in ["", "only-if-cached"] {
            let found = try veduta.get(directives, target: target)
            #expect(found.code == 200 && found.content == made.content, "\(directives)")
        }
        #expect(try veduta.get("no-cache", target: target).problem == "render-timeout", "that would be work")
        #expect(try veduta.renders() == renders)
    }

    /// #15: the limits that hold are those of the last reload, also for what is remembered.
    @Test func aRaisedLimit_isNotAnsweredFromTheMemoryOfALowerOne() throws {
        let veduta = try Self.service()
        let busy = try WireClient(veduta.service.address)
        busy.request(Self.slow)
        #expect(Self.runsOne(veduta))
        Self.pass(.seconds(61), veduta)
        #expect(try busy.read().code == 503)
        #expect(veduta.waitForWorkers())
        let made = try veduta.renders()
        var configuration = veduta.service.configuration
        configuration.renderTimeout = 30
        try veduta.service.reload(configuration)
        #expect(try veduta.client.get(Self.slow).problem == "render-timeout", "less time would not do either")
        #expect(try veduta.renders() == made)
        configuration.renderTimeout = 3600
        try veduta.service.reload(configuration)
        busy.request(Self.slow)
        #expect(Self.runsOne(veduta))
        #expect(try veduta.renders() == made + 1)
        // Its connection has the limit that held when it was opened.
        Self.pass(.seconds(61), veduta)
        #expect(try busy.read().field("Retry-After") == "5", "that is no answer of the new limit")
    }

    /// The same of the price, whose limit depends on the time that there is.
    @Test func theLimitOfThePrice_followsTheTimeThatThereIs() throws {
        let veduta = try Self.service()
        var configuration = veduta.service.configuration
        configuration.renderTimeout = 1
        try veduta.service.reload(configuration)
        for status in ["fwd=uri-miss; stored", "hit; ttl=60"] {
            let refused = try veduta.client.get(Self.slow)
            #expect(refused.problem == "result-too-costly" && refused.cacheStatus == status, "\(refused.text)")
            #expect(refused.text.contains("2 s of processor time (twice its setting `render-timeout`)"))
        }
        configuration.renderTimeout = 3600
        try veduta.service.reload(configuration)
        let busy = veduta.client
        busy.request(Self.slow)
        let client = try WireClient(veduta.service.address)
        #expect(eventually { (try? client.metric("veduta_jobs_running")) == 1 }, "what is remembered no longer holds")
        veduta.clock.advance(by: .seconds(61))
        #expect(client.isKept())
        #expect(try busy.read().code == 503)
    }

    @Test(arguments: [false, true])
    func the503_variesAsAnyAnswerOfItsResource(usesHints: Bool) throws {
        let veduta = try CachingService { configuration in
            configuration.clientHints = usesHints
            configuration.workers = 1
            configuration.loops = 1
            configuration.renderTimeout = 60
            configuration.costLimit = 3600
        }
        let hints = usesHints ? ["Save-Data", "Sec-CH-DPR", "Sec-CH-Width", "Sec-CH-Viewport-Width"] : []
        let open = (["Accept"] + hints).joined(separator: ", ")
        let named = usesHints ? hints.joined(separator: ", ") : nil
        let cases: [(early: String, late: String, vary: String?)] = [
            ("/asset?id=a.png&width=20", "/asset?id=b.png&width=21", open),
            ("/asset?id=a.png&width=20&format=png", "/asset?id=b.png&width=21&format=png", named),
            (
                "/map?latitude=1&longitude=2&width=32&height=32", "/map?latitude=2&longitude=2&width=32&height=32",
                "Accept"
            ),
            ("/assets/a.png", "/assets/b.png", "Accept-Encoding"),
            ("/asset?id=a.png&width=20&explain=1", "/asset?id=b.png&width=21&explain=1", open),
        ]
        for (early, _, vary) in cases {
            let answer = try veduta.client.get(early, Self.avif)
            // Long text may be compressed, which what is said of its delay never is.
            let coding = early.contains("explain") ? ", Accept-Encoding" : ""
            #expect(answer.code == 200 && answer.field("Vary") == vary.map { $0 + coding }, "\(early)")
        }
        // The only worker is busy for seconds, so that all others wait behind this one. Nothing of before may run still.
        #expect(veduta.waitForWorkers())
        let busy = try WireClient(veduta.service.address)
        busy.request(Self.slow)
        #expect(eventually { (try? veduta.client.metric("veduta_jobs_running")) == 1 })
        let waiting = try cases.map { _ in try WireClient(veduta.service.address) }
        for (client, one) in zip(waiting, cases) { client.request(one.late, Self.avif) }
        #expect(eventually { (try? veduta.client.metric("veduta_jobs_queued")) == cases.count })
        veduta.clock.advance(by: .seconds(61))
        #expect(veduta.client.isKept())
        for (client, one) in zip(waiting, cases) {
            let answer = try client.read()
            #expect(answer.code == 503, "\(one.late)")
            #expect(answer.text.contains("urn:problem-type:veduta:render-timeout"))
            #expect(answer.field("Vary") == one.vary, "\(one.late)")
            #expect(answer.field("Cache-Control") == "max-age=5")
            #expect(client.isKept())
        }
        #expect(try busy.read().code == 503)
        // #15.12: they were counted under no route at all.
        for (route, count) in [("asset", 4), ("map", 1), ("asset_description", 1), ("unknown", 0)] {
            #expect(
                try veduta.client.metric("veduta_requests_total{route=\"\(route)\",status=\"503\"}") == count,
                "\(route)")
        }
    }
}
