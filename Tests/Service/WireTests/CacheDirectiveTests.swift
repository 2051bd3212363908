import Reactor
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// A service with a clock that is moved by hand, its pictures and a client.
struct CachingService {
    static let picture = "/asset?id=a.png&width=40&format=webp"

    let service: RunningService
    let client: WireClient
    let clock = HandMovedClock()
    let pictures: PictureFolder

    init(_ adjust: (inout Configuration) -> Void = { _ in }) throws {
        (pictures, service, client) = try RunningService.withPictures(clock: clock.clock) { configuration in
            // The clock jumps over minutes in which the connection of the test is idle.
            configuration.idleTimeout = 3600
            adjust(&configuration)
        }
    }

    /// How many pictures of the library were made.
    func renders() throws -> Int { try client.metric("veduta_renders_total{route=\"asset\"}") }

    /// The answer for the picture, with `directives` in Cache-Control.
    func get(_ directives: String = "", target: String = picture) throws -> WireResponse {
        directives.isEmpty ? try client.get(target) : try client.get(target, "Cache-Control: \(directives)")
    }

    /// Replaces the picture by another one, of another size.
    func change() throws { try pictures.add("a.png", PictureFolder.picture(200, 120)) }

    /// Waits until no worker has anything to do; false if that takes too long.
    func waitForWorkers() -> Bool { client.waitForWorkers() }
}

extension WireResponse {
    /// Cache-Status without the name of the cache.
    var cacheStatus: String { String((field("Cache-Status") ?? "veduta; none").dropFirst("veduta; ".count)) }
}

/// What a request may tell the cache (RFC 9111 §5.2.1), and what Cache-Status (RFC 9211) says of it.
@Suite(.timeLimit(.minutes(5))) struct CacheDirectiveTests {
    @Test func hits_sayTheirAge_andHowLongTheyStayFresh() throws {
        let veduta = try CachingService { $0.sourceLifetime = 60 }
        #expect(try veduta.get().cacheStatus == "fwd=uri-miss; stored")
        let young = try veduta.get()
        #expect(young.cacheStatus == "hit; ttl=60")
        #expect(young.field("Age") == "0")
        veduta.clock.advance(by: .seconds(17.9))
        let older = try veduta.get()
        #expect(older.cacheStatus == "hit; ttl=43")
        #expect(older.field("Age") == "17")
        #expect(older.content == young.content)
        let tag = try #require(young.field("ETag"))
        let notModified = try veduta.client.get(CachingService.picture, "If-None-Match: \(tag)")
        #expect(notModified.code == 304)
        #expect(notModified.field("Age") == "17")
        for name in ["ETag", "Cache-Control", "Last-Modified", "Vary"] {
            #expect(notModified.field(name) == older.field(name), "\(name)")
        }
        #expect(notModified.field("Date") != nil)
        #expect(try veduta.renders() == 1)
    }

    @Test func pictureNeverMade_isNotModified_withoutBeingMade() throws {
        var tag = ""
        let pictures = try PictureFolder()
        for isFirst in [true, false] {
            let (_, _, client) = try RunningService.withPictures(in: pictures)
            if isFirst {
                tag = try #require(try client.get(CachingService.picture).field("ETag"))
            } else {
                #expect(try client.get(CachingService.picture, "If-None-Match: \(tag)").code == 304)
                #expect(try client.metric("veduta_renders_total{route=\"asset\"}") == 0)
                #expect(try client.metric("veduta_cache_misses_total") == 0)
            }
        }
    }

    @Test func noCache_makesThePictureAnew_andKeepsIt() throws {
        let veduta = try CachingService()
        let first = try veduta.get()
        let again = try veduta.get("no-cache")
        #expect(again.cacheStatus == "fwd=request; stored")
        #expect(again.content == first.content)
        #expect(again.field("ETag") == first.field("ETag"))
        #expect(try veduta.client.get(CachingService.picture, "Pragma: no-cache").cacheStatus == "fwd=request; stored")
        #expect(try veduta.get().cacheStatus == "hit; ttl=1")
        #expect(try veduta.renders() == 3)
    }

    @Test func noStore_keepsNothing_andTakesWhatIsThere() throws {
        let veduta = try CachingService()
        #expect(try veduta.get("no-store").cacheStatus == "fwd=uri-miss")
        #expect(try veduta.get("no-store").cacheStatus == "fwd=uri-miss")
        #expect(try veduta.renders() == 2)
        #expect(try veduta.get().cacheStatus == "fwd=uri-miss; stored")
        #expect(try veduta.get("no-store").cacheStatus == "hit; ttl=1")
        #expect(try veduta.renders() == 3)
    }

    @Test(arguments: ["max-age=0", "max-age=9", "min-fresh=51", "max-age=nonsense"])
    func requestsForFresherKnowledge_lookAtTheSource(_ directive: String) throws {
        let veduta = try CachingService { $0.sourceLifetime = 60 }
        let old = try veduta.get()
        veduta.clock.advance(by: .seconds(10))
        try veduta.change()
        #expect(try veduta.get().field("ETag") == old.field("ETag"))
        let new = try veduta.get(directive)
        #expect(new.field("ETag") != old.field("ETag"))
        // The picture that was kept is one of the source before.
        #expect(new.cacheStatus == "fwd=stale; stored")
        let hit = try veduta.get(directive)
        #expect(hit.cacheStatus == "hit; ttl=60")
        #expect(hit.content == new.content)
        #expect(try veduta.renders() == 2)
    }

    @Test(arguments: ["max-age=10", "min-fresh=50", "max-stale", "x-unknown=1"])
    func requestsForNoFresher_areServedWithoutALook(_ directive: String) throws {
        let veduta = try CachingService { $0.sourceLifetime = 60 }
        let old = try veduta.get()
        veduta.clock.advance(by: .seconds(10))
        try veduta.change()
        let hit = try veduta.get(directive)
        #expect(hit.cacheStatus == "hit; ttl=50")
        #expect(hit.field("ETag") == old.field("ETag"))
    }

    @Test(arguments: [("max-stale", true), ("max-stale=5", true), ("max-stale=4", false), ("max-stale=x", false)])
    func maxStale_takesWhatIsKnown_asStaleAsItSays(_ directive: String, isServed: Bool) throws {
        let veduta = try CachingService { $0.sourceLifetime = 60 }
        let old = try veduta.get()
        veduta.clock.advance(by: .seconds(65))
        try veduta.change()
        let answer = try veduta.get(directive)
        #expect(answer.cacheStatus == (isServed ? "hit; ttl=-5" : "fwd=stale; stored"))
        #expect((answer.field("ETag") == old.field("ETag")) == isServed)
        #expect(try veduta.client.metric("veduta_cache_stale_total") == (isServed ? 1 : 0))
    }

    @Test func mustRevalidate_beatsMaxStale() throws {
        let veduta = try CachingService {
            $0.sourceLifetime = 60
            $0.cacheControl = "max-age=86400, must-revalidate"
        }
        let old = try veduta.get()
        veduta.clock.advance(by: .seconds(65))
        try veduta.change()
        #expect(try veduta.get("max-stale").field("ETag") != old.field("ETag"))
    }

    @Test func onlyIfCached_is504_whereNothingIsKept() throws {
        let veduta = try CachingService()
        let none = try veduta.get("only-if-cached")
        #expect(none.code == 504)
        #expect(none.text.contains("urn:problem-type:veduta:not-stored"))
        #expect(none.field("Cache-Control") == "no-store")
        #expect(try veduta.renders() == 0)
        let made = try veduta.get()
        let kept = try veduta.get("only-if-cached")
        #expect(kept.code == 200)
        #expect(kept.content == made.content)
        #expect(try veduta.get("only-if-cached, no-cache").code == 504)
        #expect(try veduta.client.get("/asset?id=missing.png", "Cache-Control: only-if-cached").code == 404)
        #expect(veduta.client.isKept())
    }

    @Test func showKey_namesTheEntry() throws {
        let veduta = try CachingService()
        let made = try veduta.get("show-key")
        let hit = try veduta.get("show-key")
        let key = try #require(hit.cacheStatus.split(separator: "\"").dropFirst().first)
        #expect(hit.cacheStatus == "hit; ttl=1; key=\"\(key)\"")
        #expect(made.cacheStatus == "fwd=uri-miss; stored; key=\"\(key)\"")
        #expect(key.utf8.count == 16 + 1 + 43)
        let cacheTag = try #require(hit.field("Cache-Tag"))
        #expect(cacheTag == "veduta,asset-\(key.prefix(16))")
        #expect(made.field("Cache-Tag") == cacheTag)
        for answer in [made, hit] { #expect(answer.field("Cache-Groups") == "\"veduta\", \"asset-\(key.prefix(16))\"") }
        #expect(try veduta.get().cacheStatus == "hit; ttl=1")
    }

    @Test func otherFormatOfTheSamePicture_isAVaryMiss() throws {
        let veduta = try CachingService()
        let target = "/asset?id=a.png&width=40"
        #expect(try veduta.client.get(target, "Accept: image/webp").cacheStatus == "fwd=uri-miss; stored")
        #expect(try veduta.client.get(target, "Accept: image/avif").cacheStatus == "fwd=vary-miss; stored")
        #expect(try veduta.client.get(target, "Accept: image/webp").cacheStatus == "hit; ttl=1")
        // A format that the URL names is another picture, whatever is kept of this one.
        #expect(try veduta.client.get(target + "&format=png").cacheStatus == "fwd=uri-miss; stored")
    }

    @Test func policyThatForbidsStoring_bypassesTheCache() throws {
        let veduta = try CachingService { $0.cacheControl = "no-store" }
        for _ in 0..<2 { #expect(try veduta.get().cacheStatus == "fwd=bypass") }
        #expect(try veduta.client.metric("veduta_cache_entries") == 0)
    }

    @Test func policyThatForbidsStoring_leavesAloneWhatWasKeptBefore() throws {
        let veduta = try CachingService()
        _ = try veduta.get()
        #expect(try veduta.get().cacheStatus == "hit; ttl=1")
        var forbidding = Configuration()
        forbidding.cacheControl = "no-store"
        try veduta.service.reload(forbidding)
        for _ in 0..<2 { #expect(try veduta.get().cacheStatus == "fwd=bypass") }
        #expect(try veduta.get("only-if-cached").code == 504)
        try veduta.service.reload(Configuration())
        #expect(try veduta.get().cacheStatus == "hit; ttl=1")
    }

    @Test func policyOfNoCache_looksAtTheSourceForEachRequest() throws {
        let veduta = try CachingService {
            $0.cacheControl = "no-cache"
            $0.sourceLifetime = 60
        }
        let old = try veduta.get()
        #expect(try veduta.get().cacheStatus == "hit; ttl=60")
        try veduta.change()
        #expect(try veduta.get().field("ETag") != old.field("ETag"))
    }

    @Test func targetedField_isForWholeAnswersAlone() throws {
        let veduta = try CachingService { $0.cdnCacheControl = "max-age=604800" }
        for _ in 0..<2 { #expect(try veduta.get().field("CDN-Cache-Control") == "max-age=604800") }
        let fallback = try veduta.client.get("/asset?id=none.png&default=a.png")
        #expect(fallback.field("Cache-Control") == "max-age=60" && fallback.field("CDN-Cache-Control") == nil)
        #expect(try veduta.client.get("/asset?id=none.png").field("CDN-Cache-Control") == nil)
    }

    /// #21.2: whether it was made, came from the cache, has no content or is known to the client.
    @Test(
        arguments: [
            CachingService.picture, "/asset?id=a.png&format=json",
            "/map?latitude=43.77&longitude=11.25&zoom=3&width=64&height=64&format=png",
        ]) func targetedFieldAndGroups_areOnEveryAnswer(_ target: String) throws
    {
        let veduta = try CachingService { $0.cdnCacheControl = "max-age=604800" }
        let made = try veduta.client.get(target)
        let tags = try #require(made.field("Cache-Tag"))
        let groups = tags.split(separator: ",").map { "\"\($0)\"" }.joined(separator: ", ")
        #expect(groups.hasPrefix("\"veduta\", \""))
        veduta.client.request(target, method: "HEAD")
        let bare = try veduta.client.read(toHead: true)
        for answer in [made, try veduta.client.get(target), bare] {
            #expect(answer.code == 200)
            #expect(answer.field("Cache-Groups") == groups)
            #expect(answer.field("CDN-Cache-Control") == "max-age=604800")
        }
        let tag = try #require(made.field("ETag"))
        let known = try veduta.client.get(target, "If-None-Match: \(tag)")
        #expect(known.code == 304 && known.field("CDN-Cache-Control") == "max-age=604800")
    }

    @Test func maps_haveTheAgeOfTheirPolicy() throws {
        let veduta = try CachingService { $0.mapCacheControl = "max-age=500" }
        let target = "/map?latitude=43.77&longitude=11.25&zoom=3&width=64&height=64&format=png"
        let made = try veduta.client.get(target)
        #expect(made.field("Cache-Control") == "max-age=500")
        veduta.clock.advance(by: .seconds(100))
        let hit = try veduta.client.get(target)
        #expect(hit.cacheStatus == "hit; ttl=500")
        #expect(hit.field("Age") == "0")
        #expect(hit.field("Cache-Tag")?.hasPrefix("veduta,map-") == true)
        #expect(try veduta.client.get(target, "Cache-Control: max-age=0").cacheStatus == "hit; ttl=500")
        #expect(try veduta.client.get(target, "Cache-Control: no-cache").cacheStatus == "fwd=request; stored")
        #expect(try veduta.get().field("Cache-Control")?.hasPrefix("max-age=86400") == true)
    }
}
