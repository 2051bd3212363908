import Glibc
import Reactor
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// Stale-while-revalidate, early refresh, stale-if-error (RFC 5861), and failures that are remembered.
@Suite(.timeLimit(.minutes(5))) struct StalePictureTests {
    // MARK: While the source is looked at

    /// Sources are taken to be as they were seen for a minute, and known pictures are served for half a minute after that.
    private static func makeService(cacheControl: String = Configuration().cacheControl) throws -> CachingService {
        try CachingService {
            $0.sourceLifetime = 60
            $0.sourceStale = 30
            $0.cacheControl = cacheControl
        }
    }

    @Test func staleSource_isServed_whileOneJobLooks() throws {
        let veduta = try Self.makeService()
        let old = try veduta.get()
        veduta.clock.advance(by: .seconds(70))
        let stale = try veduta.get()
        #expect(stale.cacheStatus == "hit; ttl=-10")
        #expect(stale.field("Age") == "70")
        #expect(stale.content == old.content)
        #expect(veduta.waitForWorkers())
        // Nothing had changed: it is fresh again, and nothing was made.
        let fresh = try veduta.get()
        #expect(fresh.cacheStatus == "hit; ttl=60")
        #expect(fresh.field("Age") == "0")
        #expect(try veduta.renders() == 1)
        #expect(try veduta.client.metric("veduta_cache_refreshes_total") == 1)
        #expect(try veduta.client.metric("veduta_cache_stale_total") == 1)
    }

    @Test func changedSource_isMadeInTheBackground_andThenServed() throws {
        let veduta = try Self.makeService()
        let old = try veduta.get()
        try veduta.change()
        veduta.clock.advance(by: .seconds(61))
        #expect(try veduta.get().content == old.content)
        #expect(veduta.waitForWorkers())
        let new = try veduta.get()
        #expect(new.cacheStatus == "hit; ttl=60")
        #expect(new.field("ETag") != old.field("ETag"))
        #expect(try veduta.renders() == 2)
    }

    @Test func sourceBeyondTheStaleTime_isLookedAtFirst() throws {
        let veduta = try Self.makeService()
        let old = try veduta.get()
        try veduta.change()
        veduta.clock.advance(by: .seconds(91))
        let new = try veduta.get()
        #expect(new.cacheStatus == "fwd=stale; stored")
        #expect(new.field("ETag") != old.field("ETag"))
        #expect(try veduta.client.metric("veduta_cache_refreshes_total") == 0)
    }

    @Test func removedSource_isMissing_afterTheLookInTheBackground() throws {
        let veduta = try Self.makeService()
        _ = try veduta.get()
        unlink(veduta.pictures.path + "/a.png")
        veduta.clock.advance(by: .seconds(61))
        #expect(try veduta.get().code == 200)
        #expect(veduta.waitForWorkers())
        #expect(try veduta.get().code == 404)
    }

    @Test func mustRevalidate_looksFirst() throws {
        let veduta = try Self.makeService(cacheControl: "max-age=60, must-revalidate")
        let old = try veduta.get()
        try veduta.change()
        veduta.clock.advance(by: .seconds(61))
        #expect(try veduta.get().field("ETag") != old.field("ETag"))
    }

    @Test func lastTenthOfTheLifetime_isForALookInTheBackground() throws {
        let veduta = try CachingService { $0.sourceLifetime = 60 }
        let old = try veduta.get()
        veduta.clock.advance(by: .seconds(53))
        #expect(try veduta.get().cacheStatus == "hit; ttl=7")
        #expect(try veduta.client.metric("veduta_cache_refreshes_total") == 0)
        try veduta.change()
        veduta.clock.advance(by: .seconds(2))
        let early = try veduta.get()
        #expect(early.cacheStatus == "hit; ttl=5")
        #expect(early.content == old.content)
        #expect(veduta.waitForWorkers())
        let new = try veduta.get()
        #expect(new.cacheStatus == "hit; ttl=60")
        #expect(new.field("ETag") != old.field("ETag"))
        #expect(try veduta.client.metric("veduta_cache_refreshes_total") == 1)
        #expect(try veduta.renders() == 2)
    }

    // MARK: In place of an error

    /// A library that is out of reach: its folder is removed from under the server.
    private func loseLibrary(_ veduta: CachingService) { veduta.pictures.remove() }

    @Test func libraryOutOfReach_isStoodInFor_byTheLastPicture() throws {
        let veduta = try CachingService()
        let good = try veduta.get()
        loseLibrary(veduta)
        veduta.clock.advance(by: .seconds(100))
        let stale = try veduta.get()
        #expect(stale.code == 200)
        #expect(stale.cacheStatus == "fwd=stale; fwd-status=503")
        #expect(stale.field("Age") == "100")
        #expect(stale.content == good.content)
        let tag = try #require(good.field("ETag"))
        #expect(try veduta.client.get(CachingService.picture, "If-None-Match: \(tag)").code == 304)
        // What was never made has nothing to stand in for it.
        #expect(try veduta.get(target: "/asset?id=a.png&width=41&format=webp").code == 503)
        // Who wants no stale picture gets none.
        #expect(try veduta.get("no-cache").code == 503)
        #expect(try veduta.get("stale-if-error=0").code == 503)
        #expect(try veduta.get("stale-if-error=99").code == 200)
        #expect(try veduta.get("stale-if-error=98").code == 503)
        #expect(try veduta.client.metric("veduta_cache_stale_if_error_total") == 3)
    }

    @Test(arguments: ["max-age=60", "max-age=60, stale-if-error=50", "stale-if-error=900, must-revalidate"])
    func policyThatForbidsIt_getsTheError(_ policy: String) throws {
        let veduta = try CachingService { $0.cacheControl = policy }
        _ = try veduta.get()
        loseLibrary(veduta)
        veduta.clock.advance(by: .seconds(100))
        #expect(try veduta.get().code == 503)
    }

    @Test func missingPicture_isNeverStoodInFor() throws {
        let veduta = try CachingService()
        _ = try veduta.get()
        unlink(veduta.pictures.path + "/a.png")
        veduta.clock.advance(by: .seconds(2))
        #expect(try veduta.get().code == 404)
    }

    // MARK: Failures

    @Test func damagedSource_isReadOnce_inAMinute() throws {
        let veduta = try CachingService()
        try veduta.pictures.add("bad.png", Array(PictureFolder.picture(40, 40).prefix(60)))
        let target = "/asset?id=bad.png&width=20&format=webp"
        let first = try veduta.get(target: target)
        #expect(first.code == 422)
        #expect(first.cacheStatus == "fwd=uri-miss; stored")
        veduta.clock.advance(by: .seconds(20))
        let second = try veduta.get(target: target)
        #expect(second.code == 422)
        #expect(second.cacheStatus == "hit; ttl=40")
        #expect(second.field("Age") == "20")
        #expect(try veduta.renders() == 1)
        #expect(try veduta.client.metric("veduta_cache_negative_hits_total") == 1)
        #expect(try veduta.get("no-cache", target: target).cacheStatus == "fwd=request; stored")
        #expect(try veduta.renders() == 2)
        veduta.clock.advance(by: .seconds(61))
        #expect(try veduta.get(target: target).cacheStatus == "fwd=uri-miss; stored")
        #expect(try veduta.renders() == 3)
        // Another state of the source is another picture.
        try veduta.pictures.add("bad.png", PictureFolder.picture(40, 40))
        veduta.clock.advance(by: .seconds(2))
        #expect(try veduta.get(target: target).code == 200)
    }

    // MARK: All at once

    @Test func fiveHundredClientsForOneColdPicture_haveItMadeOnce() throws {
        let service = try RunningService(pictures: PictureFolder())
        let target = "/asset?id=a.png&width=1600&enlarge=1&format=webp"
        let clients = try (0..<500).map { _ in try WireClient(service.address, patience: 120) }
        for client in clients { client.request(target) }
        let answers = try clients.map { try $0.read() }
        #expect(answers.allSatisfy { $0.code == 200 })
        #expect(Set(answers.map(\.content)).count == 1)
        let observer = try WireClient(service.address)
        #expect(try observer.metric("veduta_renders_total{route=\"asset\"}") == 1)
        let made = answers.filter { $0.cacheStatus == "fwd=uri-miss; stored" }
        #expect(made.count == 1)
        let collapsed = answers.count { $0.cacheStatus == "fwd=uri-miss; collapsed" }
        #expect(try observer.metric("veduta_cache_collapsed_total") >= collapsed)
        #expect(answers.count { $0.cacheStatus.hasPrefix("hit") } + collapsed == 499)
    }
}
