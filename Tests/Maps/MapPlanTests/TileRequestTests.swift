import MapGrammar
import MapPlan
import Parameters
import Testing

@Suite(.timeLimit(.minutes(5))) struct TileRequestTests {
    private func parse(_ query: String) throws -> TileRequest { try TileRequest.parse(QueryItems.parse(query)) }

    @Test func nothingAskedForIsATileOf256() throws {
        let request = try parse("")
        #expect(request.side == 256 && request.quality == nil && request.canonical == "" && request.styleText == "")
        #expect(try parse("tileSize=256&labels=on") == request)
    }

    @Test func whatIsAskedForHasOneText() throws {
        let request = try parse("q=70&lang=it,en&poi=none&labels=off&tilesize=512")
        #expect(request.canonical == "tileSize=512&labels=off&poi=none&language=it,en&quality=70")
        #expect(request.styleText == "labels=off&poi=none&language=it,en")
        #expect(try parse(request.canonical) == request)
    }

    @Test(arguments: [
        "tileSize=1024", "labels=maybe", "language=!", "quality=0", "style=dark", "tileSize=256&tileSize=512",
    ])
    func whatIsNoneIsRefused(query: String) {
        #expect(throws: ParameterFaults.self) { try parse(query) }
    }
}
