import Parameters
import Testing

@testable import MapGrammar
@testable import MapPlan

/// Centres on other turns of the world (#15.30).
@Suite(.timeLimit(.minutes(5))) struct LongitudeTests {
    private func items(_ query: String) throws -> [QueryItem] { try QueryItems.parse(query) }

    @Test(arguments: [
        ("190", "-170"), ("-190", "170"), ("540", "-180"), ("-540", "-180"), ("180", "180"), ("-180", "-180"),
        ("370.000000001", "10.000000001"), ("360", "0"),
    ])
    func pictures_areTheSameOnEachTurn(_ asked: String, _ longitude: String) throws {
        for query in ["latitude=10&longitude=\(asked)", "center=10,\(asked)", "order=lonlat&center=\(asked),10"] {
            let request = try MapRequest.parse(try items(query + "&zoom=3"))
            #expect(request.canonical == "latitude=10&longitude=\(longitude)&zoom=3")
        }
        let told = try MapRequest.parse(try items("latitude=10&longitude=\(asked)&zoom=3"), for: .positions)
        let shown = try MapRequest.parse(try items("latitude=10&longitude=\(asked)&zoom=3"))
        let camera = told.camera { _, _ in 0 }
        #expect(camera == shown.camera { _, _ in 0 })
        #expect(told.longitude(of: camera) == Double(asked))
    }

    @Test(arguments: ["latitude=0&longitude=540.1", "latitude=0&longitude=-541", "center=0,541", "center=0,1e3"])
    func beyondATurn_isRefused(_ query: String) throws {
        #expect(throws: ParameterFaults.self) { _ = try MapRequest.parse(try items(query)) }
    }

    @Test func points_stayWhatWasAsked() throws {
        let request = try MapRequest.parse(
            try items("latitude=0&longitude=180&zoom=3&point=10,190&point=10,-170"), for: .positions)
        #expect(request.points.map(\.longitude) == [190, -170])
    }
}
