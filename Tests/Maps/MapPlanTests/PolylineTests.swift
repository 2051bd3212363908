import SeededRandom
import Testing

@testable import MapGrammar
@testable import MapPlan

@Suite(.timeLimit(.minutes(5))) struct PolylineTests {
    @Test func theExampleOfTheFormat_isReadAndWritten() throws {
        let text = "_p~iF~ps|U_ulLnnqC_mqNvxq`@"
        let places = try Polyline.decode(text.utf8, .five, limit: 10)
        #expect(places.map(\.latitude) == [3_850_000, 4_070_000, 4_325_200])
        #expect(places.map(\.longitude) == [-12_020_000, -12_095_000, -12_645_300])
        #expect(Polyline.encode(places) == text)
    }

    @Test(arguments: Polyline.Precision.allCases) func randomLines_comeBack(_ precision: Polyline.Precision) throws {
        var generator = SeededGenerator(state: 5)
        for _ in 0..<300 {
            let unit = precision.unitsPerDegree
            let places = (0..<Int.random(in: 0...50, using: &generator)).map { _ in
                (
                    latitude: Int.random(in: -90 * unit...90 * unit, using: &generator),
                    longitude: Int.random(in: -3_600_000 * unit...3_600_000 * unit, using: &generator)
                )
            }
            let read = try Polyline.decode(Polyline.encode(places).utf8, precision, limit: 50)
            #expect(read.elementsEqual(places, by: ==))
        }
    }

    @Test func limitsAndBrokenTexts_areFailures() {
        #expect(throws: Polyline.Failure.tooLong) { try Polyline.decode("_ibE_seK_seK_seK".utf8, .five, limit: 1) }
        #expect(throws: Polyline.Failure.malformed) { try Polyline.decode("_ibE_se".utf8, .five, limit: 9) }
        #expect(throws: Polyline.Failure.malformed) { try Polyline.decode("_ibE".utf8, .five, limit: 9) }
        #expect(throws: Polyline.Failure.malformed) { try Polyline.decode("_ib E".utf8, .five, limit: 9) }
        let endless = String(repeating: "~", count: 40)
        #expect(throws: Polyline.Failure.malformed) { try Polyline.decode(endless.utf8, .six, limit: 9) }
    }
}
