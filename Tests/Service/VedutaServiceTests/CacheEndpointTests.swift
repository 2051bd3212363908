import HTTPMessage
import Digest
import Origin
import Originals
import Parameters
import Renditions
import ResponseCache
import Testing

@testable import VedutaService

@Suite(.timeLimit(.minutes(5))) struct CacheEndpointTests {
    private static let name = CacheEntryName(tag: CacheTag(assetID: "a.png"), key: CacheKey(SHA256.digest(of: "a")))

    private func scope(_ query: String) throws -> PurgeScope {
        try CacheEndpoint.scope(try QueryItems.parse(query), Originals(library: nil))
    }

    private func faults(_ query: String) throws -> [ParameterFault] {
        try #require(throws: ParameterFaults.self) { try scope(query) }.faults
    }

    @Test(arguments: [
        ("", PurgeScope.whole), ("id=photos/cat.jpg", .asset("photos/cat.jpg")),
        ("id=photos%2Fcat.jpg", .asset("photos/cat.jpg")), ("id=a+b%20c%2Bd.jpg", .asset("a b c+d.jpg")),
        ("id=citt%C3%A0.jpg", .asset("città.jpg")), ("key=\(name)", .rendition(name)),
    ])
    func scopes(_ query: String, _ scope: PurgeScope) throws {
        #expect(try self.scope(query) == scope)
    }

    /// Map data of a server that no image may be fetched from.
    @Test func addressesOfMapServers_areIDs() throws {
        let origins = try OriginList(["https://tiles.example.org"])
        let purged = try CacheEndpoint.scope(
            try QueryItems.parse("id=HTTPS://tiles.example.org:443/a/../b/0/0/0.pbf"), Originals(library: nil),
            mapOrigins: origins)
        #expect(purged == .asset("https://tiles.example.org/b/0/0/0.pbf"))
        #expect(throws: ParameterFaults.self) {
            try CacheEndpoint.scope(
                try QueryItems.parse("id=https://other.example.org/a"), Originals(library: nil), mapOrigins: origins)
        }
    }

    @Test func unknownNames_areSuggestedTheRightOne() throws {
        let faults = try faults("ids=a.jpg&format=webp")
        #expect(faults.map(\.parameter) == ["ids", "format"])
        #expect(faults.first?.reason == .unknown(suggestion: nil) || faults.first?.message.contains("`id`") == true)
        #expect(try self.faults("kye=x").first?.reason == .unknown(suggestion: "key"))
    }

    @Test(arguments: ["../a.jpg", "/etc/passwd", "a//b", "~up", "a%00", "%2e%2e/x"])
    func idsThatNameNothing_areRefused(_ id: String) throws {
        #expect(try faults("id=" + id).map(\.parameter) == ["id"])
    }

    @Test(arguments: [
        "x", String(name.description.dropLast()), "\(name)A", "\(name)=", name.key.digest.base64URL(),
        name.description.uppercased(),
    ])
    func keysOfAnotherForm_areRefused(_ key: String) throws {
        let faults = try faults("key=" + key)
        #expect(faults.map(\.parameter) == ["key"])
        #expect(faults.first?.message.contains("43 characters") == true)
    }

    @Test func idAndKeyTogether_areAFault_asIsOneOfThemTwice() throws {
        let key = "key=\(Self.name)"
        #expect(try faults("id=a&" + key).map(\.reason) == [.conflict(with: ["id"])])
        #expect(try faults(key + "&id=a").map(\.reason) == [.conflict(with: ["id"])])
        #expect(try faults("id=a&id=b").map(\.reason) == [.repeated])
    }

    /// `DELETE /cache?id=$ID` with an empty variable.
    @Test(arguments: ["id=", "key=", "id", "id=&key="])
    func emptyParameters_doNotMeanEverything(_ query: String) throws {
        let faults = try faults(query)
        #expect(faults.first?.message.contains("to purge everything") == true)
    }
}
