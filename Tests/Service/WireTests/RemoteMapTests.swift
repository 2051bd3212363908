import HTTPMessage
import Foundation
import Origin
import Reactor
import ServiceConfiguration
import Testing
import TestSupport
import FakeOrigin
import VedutaService

/// Maps of tiles that another server has: what is missing for a moment, and a server that would ask itself.
@Suite(.timeLimit(.minutes(5))) struct RemoteMapTests {
    private static let target = "/map?latitude=0&longitude=0&zoom=1&width=64&height=64&format=png&style=aerial"

    /// Writes a maps file, `maps.json`, with tiles of `origin`.
    private func addMaps(of origin: FakeOrigin, to folder: PictureFolder, lastZoom: Int = 0) throws {
        let template = origin.url("/tiles/{z}/{x}/{y}.png")
        let source = #"{"type": "raster", "tiles": ["\#(template)"], "maxzoom": \#(lastZoom)}"#
        try folder.add("maps.json", Array(#"{"sources": {"aerial": \#(source)}}"#.utf8))
    }

    /// A maps file with tiles of an origin, and the service that reads it.
    private func withMaps(_ script: RemoteWorld.Script, _ body: (RemoteWorld, WireClient) throws -> Void) throws {
        let folder = try PictureFolder()
        let origin = try FakeOrigin { script.steps($0) }
        try addMaps(of: origin, to: folder)
        let world = try RemoteWorld(origin: origin, script: script) { configuration in
            configuration.maps = folder.path + "/maps.json"
            configuration.mapAllow = configuration.remoteAllow
        }
        defer { origin.stop() }
        try body(world, try WireClient(world.service.address))
    }

    @Test func mapOfWhatIsMissingForAMoment_isNotKept() throws {
        let script = RemoteWorld.Script()
        try withMaps(script) { world, client in
            world.answer("/tiles/0/0/0.png", .answer(429, ""))
            let gap = try client.get(Self.target)
            #expect(gap.code == 200)
            #expect(gap.field("ETag") == nil)
            #expect(gap.field("Cache-Control") == "max-age=60")
            #expect(gap.cacheStatus == "fwd=uri-miss")
            world.serve("/tiles/0/0/0.png", try PictureFolder.picture(256, 256))
            world.clock.advance(by: .seconds(700))
            let whole = try client.get(Self.target)
            #expect(whole.field("ETag") != nil)
            #expect(whole.content != gap.content)
            #expect(try client.get(Self.target).cacheStatus.hasPrefix("hit"))
        }
    }

    /// A disk cache for both runs of a server.
    private func withCacheFolder(_ body: (String) throws -> Void) throws {
        let folder = try PictureFolder()
        try body(folder.path + "/cache")
    }

    /// The metric that counts what maps fetched.
    private func fetched(_ world: RemoteWorld) throws -> Int {
        try world.metric(#"veduta_map_origin_fetches_total{outcome="fetched"}"#)
    }

    @Test func tilesOfOtherServers_surviveARestart_areCounted_andPurged() throws {
        let script = RemoteWorld.Script()
        try withCacheFolder { cache in
            let folder = try PictureFolder()
            let origin = try FakeOrigin { script.steps($0) }
            try addMaps(of: origin, to: folder)
            let adjust: @Sendable (inout Configuration) -> Void = { configuration in
                configuration.maps = folder.path + "/maps.json"
                configuration.mapAllow = configuration.remoteAllow
                configuration.cacheDirectory = cache
                configuration.token = AccessToken("secret")
            }
            let clock = HandMovedClock()
            let first = try RemoteWorld(clock: clock, origin: origin, script: script, adjust)
            first.serve("/tiles/0/0/0.png", try PictureFolder.picture(256, 256), "Cache-Control: max-age=600")
            #expect(try WireClient(first.service.address).get(Self.target).code == 200)
            #expect(try fetched(first) == 1)
            #expect(try first.metric("veduta_map_origin_bytes_total") > 0)
            #expect(first.waitForWorkers())
            first.service.stop()
            let second = try RemoteWorld(clock: clock, origin: origin, script: script, adjust)
            defer { origin.stop() }
            let client = try WireClient(second.service.address)
            // Another map of the same tile.
            let other = Self.target.replacing("width=64", with: "width=65")
            #expect(try client.get(other).code == 200)
            #expect(second.count("/tiles/0/0/0.png") == 1)
            #expect(try second.metric("veduta_map_origin_cache_disk_hits_total") == 1)
            #expect(try fetched(second) == 0)
            // Revalidated when it is stale, and fetched again after a purge.
            clock.advance(by: .seconds(601))
            #expect(try client.get(Self.target.replacing("width=64", with: "width=66")).code == 200)
            #expect(second.count("/tiles/0/0/0.png") == 2)
            #expect(try client.get("/cache", method: "DELETE", "Authorization: Bearer secret").code == 200)
            #expect(try client.get(Self.target.replacing("width=64", with: "width=67")).code == 200)
            #expect(second.count("/tiles/0/0/0.png") == 3)
        }
    }

    @Test func mapDataOfOneAddress_isPurgedByIt_andMapsThatWereDrawnStay() throws {
        let folder = try PictureFolder()
        let script = RemoteWorld.Script()
        let origin = try FakeOrigin { script.steps($0) }
        try addMaps(of: origin, to: folder, lastZoom: 1)
        let world = try RemoteWorld(origin: origin, script: script) { configuration in
            configuration.maps = folder.path + "/maps.json"
            configuration.mapAllow = configuration.remoteAllow
            configuration.remoteAllow = .none
            configuration.cacheDirectory = folder.path + "/cache"
            configuration.token = AccessToken("secret")
        }
        defer { origin.stop() }
        let client = try WireClient(world.service.address)
        let paths = ["/tiles/0/0/0.png", "/tiles/1/0/0.png"]
        for path in paths {
            world.serve(path, try PictureFolder.picture(256, 256), "Cache-Control: max-age=600")
            for _ in 0..<2 { #expect(try client.get("/data/aerial" + path.dropFirst(6)).code == 200) }
            #expect(world.count(path) == 1)
        }
        #expect(try client.get(Self.target).code == 200)
        #expect(world.waitForWorkers())
        let purge = "/cache?id=" + origin.url(paths[0])
        let answer = try client.get(purge, method: "DELETE", "Authorization: Bearer secret")
        #expect(answer.code == 200 && answer.text.contains("\"disk\":1"), "\(answer.text)")
        for path in paths { #expect(try client.get("/data/aerial" + path.dropFirst(6)).code == 200) }
        #expect(world.count(paths[0]) == 2 && world.count(paths[1]) == 1)
        #expect(try client.get(Self.target).cacheStatus.hasPrefix("hit"))
    }

    @Test func dataTilesOfClientsThatLeave_areGivenUp() throws {
        let script = RemoteWorld.Script()
        try withMaps(script) { world, _ in
            // The clock stands still: nothing takes too long.
            world.answer("/tiles/0/0/0.png", [.wait("never")])
            do {
                let leaving = try WireClient(world.service.address)
                leaving.request("/data/aerial/0/0/0.png")
                world.origin.waitForRequests(1)
                leaving.resetWhenReleased()
            }
            #expect(world.waitForWorkers())
            let series = #"veduta_map_origin_fetches_total{outcome="abandoned"}"#
            #expect(eventually { (try? world.metric(series)) == 1 })
            world.origin.release("never")
        }
    }

    @Test func mapOfMoreTilesThanAnyMapMayHave_isRefused_andNobodyIsAsked() throws {
        let folder = try PictureFolder()
        let script = RemoteWorld.Script()
        let origin = try FakeOrigin { script.steps($0) }
        try addMaps(of: origin, to: folder, lastZoom: 19)
        let world = try RemoteWorld(origin: origin, script: script) { configuration in
            configuration.maps = folder.path + "/maps.json"
            configuration.mapAllow = configuration.remoteAllow
        }
        defer { origin.stop() }
        let client = try WireClient(world.service.address)
        let steep = "/map?style=aerial&center=43.77,11.25&glzoom=17.5&size=4096x4096&pitch=60&format=png"
        let refused = try client.get(steep)
        #expect(refused.code == 422 && refused.text.contains("result-too-costly"), "\(refused.text)")
        #expect(origin.requests.isEmpty)
    }

    @Test func requestsThatComeFromHere_areRefused() throws {
        let script = RemoteWorld.Script()
        try withMaps(script) { world, client in
            world.serve("/tiles/0/0/0.png", try PictureFolder.picture(256, 256))
            #expect(try client.get(Self.target).code == 200)
            let seen = try #require(world.origin.requests.first { $0.target == "/tiles/0/0/0.png" })
            let via = try #require(seen.fields["via"])
            for target in [Self.target, "/tiles/aerial/0/0/0.png", "/wmts", "/data/aerial/0/0/0.png"] {
                let refused = try client.get(target, "Via: \(via)")
                #expect(refused.code == 508, "\(target)")
                #expect(refused.text.contains("source-loop"))
            }
        }
    }

    @Test func serversThatAreNotNamed_areNotAsked() throws {
        let folder = try PictureFolder()
        let text = #"{"sources": {"aerial": {"type": "raster", "tiles": ["http://127.0.0.1:9/{z}/{x}/{y}.png"]}}}"#
        try folder.add("maps.json", Array(text.utf8))
        #expect(throws: (any Error).self) {
            let service = try RunningService { $0.maps = folder.path + "/maps.json" }
            service.stop()
        }
    }
}
