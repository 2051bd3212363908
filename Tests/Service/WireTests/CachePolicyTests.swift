import Reactor
import ResponseCache
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// The cache policies of URL loading, each as what a request says in HTTP, and its storage policies.
@Suite(.timeLimit(.minutes(5))) struct CachePolicyTests {
    /// A service whose knowledge of a changed source is past its lifetime, with what was made of the source before.
    private func changed(_ body: (CachingService, _ old: WireResponse) throws -> Void) throws {
        let veduta = try CachingService { $0.sourceLifetime = 60 }
        let old = try veduta.get()
        veduta.clock.advance(by: .seconds(61))
        try veduta.change()
        try body(veduta, old)
    }

    @Test func useProtocolCachePolicy_saysNothing_andFollowsFreshness() throws {
        try changed { (veduta, old) throws in
            #expect(try veduta.get().field("ETag") != old.field("ETag"))
            #expect(try veduta.get().cacheStatus == "hit; ttl=60")
        }
    }

    @Test func reloadIgnoringLocalCacheData_isNoCache() throws {
        try changed { (veduta, old) throws in
            let new = try veduta.get("no-cache")
            #expect(new.cacheStatus == "fwd=request; stored")
            #expect(new.field("ETag") != old.field("ETag"))
            #expect(try veduta.get("no-cache").cacheStatus == "fwd=request; stored")
            #expect(try veduta.renders() == 3)
        }
    }

    @Test func reloadIgnoringLocalAndRemoteCacheData_isNoCacheAndNoStore() throws {
        try changed { (veduta, old) throws in
            let new = try veduta.get("no-cache, no-store")
            #expect(new.cacheStatus == "fwd=request")
            #expect(new.field("ETag") != old.field("ETag"))
            #expect(try veduta.get("only-if-cached").code == 504)
        }
    }

    @Test func returnCacheDataElseLoad_isMaxStale() throws {
        try changed { (veduta, old) throws in
            let stale = try veduta.get("max-stale")
            #expect(stale.cacheStatus == "hit; ttl=-1")
            #expect(stale.content == old.content)
            let other = "/asset?id=b.png&width=40&format=webp"
            #expect(try veduta.get("max-stale", target: other).cacheStatus == "fwd=uri-miss; stored")
        }
    }

    @Test func returnCacheDataDontLoad_isOnlyIfCachedAndMaxStale() throws {
        try changed { (veduta, old) throws in
            let stale = try veduta.get("only-if-cached, max-stale")
            #expect(stale.cacheStatus == "hit; ttl=-1")
            #expect(stale.content == old.content)
            let other = "/asset?id=b.png&width=40&format=webp"
            #expect(try veduta.get("only-if-cached, max-stale", target: other).code == 504)
            #expect(try veduta.renders() == 1)
        }
    }

    @Test func reloadRevalidatingCacheData_isMaxAge0() throws {
        try changed { (veduta, old) throws in
            let tag = try #require(old.field("ETag"))
            let new = try veduta.client.get(CachingService.picture, "Cache-Control: max-age=0", "If-None-Match: \(tag)")
            #expect(new.code == 200)
            let newTag = try #require(new.field("ETag"))
            let same = try veduta.client.get(
                CachingService.picture, "Cache-Control: max-age=0", "If-None-Match: \(newTag)")
            #expect(same.code == 304)
            #expect(same.field("Age") == "0")
        }
    }

    // MARK: Storage policies

    private func storing(_ storage: StoragePolicy, _ body: (CachingService, CacheFolder) throws -> Void) throws {
        let folder = try CacheFolder()
        let veduta = try CachingService {
            $0.cacheDirectory = folder.path
            $0.cacheStorage = storage
        }
        try body(veduta, folder)
    }

    @Test func allowed_keepsInMemoryAndOnDisk() throws {
        try storing(.all) { (veduta, folder) throws in
            #expect(try veduta.get().cacheStatus == "fwd=uri-miss; stored")
            #expect(eventually { folder.entries.count == 1 })
            #expect(try veduta.client.metric("veduta_cache_entries") == 1)
        }
    }

    @Test func allowedInMemoryOnly_bySetting_leavesTheDiskAlone() throws {
        try storing(.memory) { (veduta, folder) throws in
            #expect(try veduta.get().cacheStatus == "fwd=uri-miss; stored")
            #expect(try veduta.get().cacheStatus == "hit; ttl=1")
            #expect(veduta.waitForWorkers())
            #expect(folder.entries.isEmpty)
        }
    }

    @Test func allowedInMemoryOnly_byRequest_leavesTheDiskAlone() throws {
        try storing(.all) { (veduta, folder) throws in
            #expect(try veduta.get("memory-only").cacheStatus == "fwd=uri-miss; stored")
            #expect(try veduta.get().cacheStatus == "hit; ttl=1")
            #expect(veduta.waitForWorkers())
            #expect(folder.entries.isEmpty)
        }
    }

    @Test func notAllowed_bySetting_keepsNothing() throws {
        try storing(.off) { (veduta, folder) throws in
            for _ in 0..<2 { #expect(try veduta.get().cacheStatus == "fwd=bypass") }
            #expect(try veduta.renders() == 2)
            #expect(folder.entries.isEmpty)
        }
    }

    @Test func notAllowed_byRequest_keepsNothing() throws {
        try storing(.all) { (veduta, folder) throws in
            for _ in 0..<2 { #expect(try veduta.get("no-store").cacheStatus == "fwd=uri-miss") }
            #expect(try veduta.renders() == 2)
            #expect(veduta.waitForWorkers())
            #expect(folder.entries.isEmpty)
            #expect(try veduta.client.metric("veduta_cache_entries") == 0)
        }
    }
}
