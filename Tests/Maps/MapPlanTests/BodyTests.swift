import Parameters
import SeededRandom
import Testing

@testable import MapGrammar
@testable import MapPlan

@Suite(.timeLimit(.minutes(5))) struct BodyTests {
    private func request(_ json: String, for purpose: MapRequest.Purpose = .picture) throws -> MapRequest {
        try MapRequest.parse(MapRequest.items(ofBody: Array(json.utf8), for: purpose), for: purpose)
    }

    private func faults(_ json: String) -> [ParameterFault] {
        do {
            _ = try request(json)
            return []
        } catch let error as ParameterFaults {
            return error.faults
        } catch {
            return []
        }
    }

    @Test func members_areParameters() throws {
        let json = """
            {"lat": 59.935634, "lon": -30.5, "zoom": 1e1, "labels": false, "style": "dark", "scale": null, "language": ["it", "en"],
             "size": [600, 400], "padding": [10, 20], "marker": ["color:red|1,2", "3,4"], "path": "enc:_ibE_seK_seK_seK",
             "circle": [[1, 2, 300]], "geojson": {"type": "Point", "coordinates": [2, 1]}}
            """
        let query =
            "latitude=59.935634&longitude=-30.5&zoom=10&labels=off&style=dark&language=it,en&size=600x400&padding=10,20"
            + "&marker=color:red|1,2&marker=3,4&path=1,2|3,4&circle=1,2,300&marker=1,2"
        #expect(try request(json) == Parsing.request(query))
        #expect(try request("{\"bbox\":[10,40,11.5,41]}") == Parsing.request("bbox=10,40,11.5,41"))
        #expect(
            try request("{\"lat\":1,\"lon\":2,\"point\":[[1,2],\"3,4\"]}", for: .positions)
                == Parsing.request("lat=1&lon=2&point=1,2&point=3,4", for: .positions))
    }

    @Test func geoJSON_isTheSameAsAText() throws {
        let geojson =
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[2.5,1e0]},"properties":{"title":"a\"\\b\nc\u00e9","n":[true,null]}}"#
        let object = try request("{\"lat\":1,\"lon\":2,\"geojson\":[\(geojson)]}")
        let text = try MapRequest.parse([
            QueryItem(name: "lat", value: "1"), QueryItem(name: "lon", value: "2"),
            QueryItem(name: "geojson", value: geojson),
        ])
        #expect(object == text && object.overlays.count == 1)
        guard case .marker(let marker) = object.overlays[0] else { return }
        #expect(marker.title == "a\"\\b c\u{e9}")
    }

    @Test func faults_areThoseOfAQuery() throws {
        #expect(faults("{\"lat\":91,\"lon\":2,\"widht\":3}").map(\.parameter) == ["lat", "widht"])
        // Whatever the values of these are.
        for value in ["null", "[]", "{}", "[[1]]"] {
            #expect(faults("{\"lat\":1,\"lon\":2,\"widht\":\(value)}").map(\.reason) == [.unknown(suggestion: "width")])
        }
        #expect(faults("{\"lat\":1e300,\"lon\":2}").map(\.parameter) == ["lat"])
        #expect(faults("{\"lat\":1,\"lon\":2,\"marker\":[\"x\"]}").map(\.parameter) == ["marker"])
    }

    @Test func contentThatIsNone_isAFaultOfItsOwn() {
        #expect(faults("[1]").map(\.parameter) == ["body"])
        #expect(faults("{\"lat\":").first?.message.contains("ends too early") == true)
        #expect(
            faults("{\"lat\":{\"a\":1},\"lon\":[[1]],\"style\":\"a\\u0001\"}").map(\.parameter) == [
                "lat", "lon", "style",
            ])
        let deep = "{\"lat\":" + String(repeating: "[", count: 100) + String(repeating: "]", count: 100) + "}"
        #expect(faults(deep).first?.message.contains("nested deeper") == true)
        #expect(throws: ParameterFaults.self) { try MapRequest.items(ofBody: Array("{\"lat\":1}".utf8), byteLimit: 4) }
    }

    @Test func itemsAreCounted() throws {
        func circles(_ count: Int, _ text: String = "\"\"") -> String {
            "{\"lat\":1,\"circle\":[\(Array(repeating: text, count: count - 2).joined(separator: ","))],\"lon\":2}"
        }
        #expect(try MapRequest.items(ofBody: Array(circles(4096).utf8)).count == 4096)
        // The one too many is the last, or there are a hundred times as many.
        for count in [4097, 400_000] {
            let found = faults(circles(count))
            #expect(found.map(\.reason) == [.tooManyItems(limit: 4096)])
            #expect(found.map(\.parameter) == ["body"])
        }
        // Texts that are none count as well.
        let found = faults(circles(400_000, "{}"))
        #expect(found.count == 64 && found.first?.reason == .tooManyItems(limit: 4096))
    }

    @Test func ofManyFaultsTheFirstAreTold() {
        let markers = Array(repeating: "\"x\"", count: 4000).joined(separator: ",")
        let found = faults("{\"lat\":91,\"lon\":2,\"marker\":[\(markers)]}")
        #expect(found.map(\.parameter) == ["lat"] + Array(repeating: "marker", count: 63))
        // What lies further on than is told is not compared with names that there are.
        let names = (0..<4000).map { "\"widt\($0)\":1" }.joined(separator: ",")
        #expect(faults("{\(names)}").map(\.parameter) == (0..<64).map { "widt\($0)" })
    }

    @Test func hostileBodies_neverTrap() {
        var generator = SeededGenerator(state: 66)
        let words = [
            "{", "}", "[", "]", ",", ":", "\"lat\"", "\"marker\"", "\"geojson\"", "\"type\"", "\"Point\"",
            "\"coordinates\"",
            "1", "-2.5", "1e999", "1e300", "null", "true", "\"1,2\"", "\"\\ud800\"", "\"Feature\"", "\"properties\"",
            "\"geometry\"",
        ]
        for _ in 0..<3000 {
            let count = Int.random(in: 0...25, using: &generator)
            let text = "{" + (0..<count).map { _ in words.randomElement(using: &generator) ?? "" }.joined()
            _ = faults(text)
        }
    }

    @Test func queryOfABody_isThereWhereItFits() throws {
        let request = try request("{\"lat\":1,\"lon\":2,\"marker\":\"color:red|1,2\"}")
        let canonical = request.canonical
        #expect(request.canonical(byteLimit: 1000) == canonical)
        #expect(try Parsing.request(canonical) == request)
        #expect(request.canonical(byteLimit: canonical.utf8.count) == canonical)
        #expect(request.canonical(byteLimit: canonical.utf8.count - 1) == nil)
        let many = (0..<300).map { "\"circle:\($0)\"" }.count
        let circles = Array(repeating: "\"1,2,3\"", count: many).joined(separator: ",")
        let long = try self.request("{\"lat\":1,\"lon\":2,\"circle\":[\(circles)]}")
        #expect(long.canonical(byteLimit: 1_000_000) == nil)
    }
}
