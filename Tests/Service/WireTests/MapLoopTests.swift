import FakeOrigin
import Origin
import OriginCache
import ServiceConfiguration
import TestSupport
import Testing

/// Maps of maps of this server (`Via`, RFC 9110 §7.6.3).
@Suite(.timeLimit(.minutes(5))) struct MapLoopTests {
    private static let targets = [
        "/map?lat=1&lon=2&size=64x64&format=png", "/map.json?lat=1&lon=2", "/tiles/light/0/0/0.png",
        "/tiles/light.json", "/styles/light.json", "/sprites/light/default.json",
        "/data/map/0/0/0", "/data/map.json", "/wmts?request=GetCapabilities",
        "/wmts?service=WMTS&request=GetTile&layer=light&tilematrixset=GoogleMapsCompatible&tilematrix=0&tilerow=0&tilecol=0",
    ]

    /// #17: whatever draws maps, and what is told of them, refuses what has come through here before.
    @Test func mapOfAMapOfItself_isNoLoop() throws {
        let origin = try FakeOrigin { _ in .answer(404, "") }
        defer { origin.stop() }
        let service = try RunningService {
            $0.mapArchive = origin.url("/far.pmtiles")
            $0.remoteAddresses = [AddressRange("127.0.0.0/8")].compactMap(\.self)
        }
        let client = try WireClient(service.address)
        for target in Self.targets {
            // Also where the answer is in memory.
            #expect(try client.get(target).code != 508, "\(target)")
            for via in ["1.1 \(Via.pseudonym)", "1.1 veduta-a, 1.1 veduta-b, 1.1 veduta-c"] {
                let answer = try client.get(target, "Via: \(via)")
                #expect(answer.code == 508 && answer.problem == "source-loop", "\(target): \(answer.head)")
            }
            #expect(try client.get(target, "Via: 1.1 cdn").code != 508, "\(target)")
        }
        let post = try WireClient(service.address)
        post.upload("/map", Array("{}".utf8), "Content-Type: application/json", "Via: 1.1 \(Via.pseudonym)")
        #expect(try post.read().code == 508)
        // What leads back here is known by this.
        let asked = try #require(origin.requests.first)
        #expect(asked.fields["via"]?.hasSuffix("1.1 \(Via.pseudonym)") == true, "\(asked.fields)")
    }

    @Test func withoutOtherServers_thereIsNoLoop() throws {
        let service = try RunningService()
        let client = try WireClient(service.address)
        #expect(try client.get("/tiles/light/0/0/0.png", "Via: 1.1 \(Via.pseudonym)").code == 200)
    }
}
