import JSON
import Testing

@testable import MapSources

/// Styles that name addresses of other servers.
@Suite(.timeLimit(.minutes(5))) struct RemoteStyleTests {
    private static func namesServers(_ members: String) throws -> Bool {
        StyleState.Content.namesServers(try JSONReader.read(Array("{\(members)}".utf8)))
    }

    @Test(arguments: [
        #""glyphs": "https://a/{fontstack}/{range}.pbf""#, #""sprite": "http://a/s""#,
        #""sprite": [{"id": "x", "url": "https://a/s"}]"#,
        #""sources": {"a": {"url": "veduta://map"}, "b": {"tiles": ["t/{z}", "https://a/{z}"]}}"#,
        #""sources": {"a": {"data": "https://a/b.geojson"}}"#, #""sources": {"a": {"url": "https://a/b.json"}}"#,
    ])
    func addressesOfServers_areFound(_ members: String) throws {
        #expect(try Self.namesServers(members))
    }

    @Test(arguments: [
        "", #""glyphs": "fonts/{range}.pbf", "sprite": [{"url": 1}, 2], "name": "https://a""#,
        #""sources": {"a": {"url": "pmtiles://https://a/b.pmtiles"}, "b": {"data": {"type": "Point"}}, "c": 1}"#,
    ])
    func otherAddresses_areNone(_ members: String) throws {
        #expect(try !Self.namesServers(members))
    }
}
