import FakeOrigin
import Foundation
import TestSupport
import Testing
import VedutaService

/// A trace goes on to the origin.
@Suite(.timeLimit(.minutes(5))) struct TraceTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    private static let picture = Result { try PictureFolder.picture(40, 30) }

    @Test func origin_getsTheTrace_withTheSpanHere() throws {
        let world = try RemoteWorld()
        world.serve("/a.png", try Self.picture.get(), "Cache-Control: max-age=60")
        let client = try WireClient(world.service.address)
        let sent = "traceparent: 00-\(Self.trace)-00f067aa0ba902b7-01"
        #expect(try client.get(world.target("/a.png"), sent, "tracestate: a=1").code == 200)
        let asked = try #require(world.origin.requests.last?.fields["traceparent"])
        #expect(asked.hasPrefix("00-\(Self.trace)-") && asked.hasSuffix("-01") && !asked.contains("00f067aa0ba902b7"))
        #expect(world.origin.requests.last?.fields["tracestate"] == "a=1")
        // Without one, none is begun.
        world.serve("/b.png", try Self.picture.get(), "Cache-Control: max-age=60")
        #expect(try client.get(world.target("/b.png")).code == 200)
        #expect(world.origin.requests.last?.fields["traceparent"] == nil)
    }
}
