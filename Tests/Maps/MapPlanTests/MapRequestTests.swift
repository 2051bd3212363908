import ImagePlan
@testable import MapGrammar
@testable import MapPlan
import MapRender
import Parameters
import Testing

@Suite(.timeLimit(.minutes(5))) struct MapRequestTests {
    @Test func slipOfAName_isSuggestedRight() throws {
        #expect(try Parsing.faults("latitude=1&longitud=2").first?.reason == .unknown(suggestion: "longitude"))
    }

    /// The qualities of formats in `Accept`, in the order JPEG, PNG, WebP, AVIF, which of them it names, and what follows.
    @Test(
        arguments: [
            ([1, 1, 1, 1], [], .png), ([1, 0, 0, 0], [.jpeg], .jpeg), ([0, 0, 1, 0], [.webp], .webp),
            ([0, 0, 0, 1], [.avif], .avif), ([1, 1, 1, 1], [.avif, .webp], .webp),
            ([1, 1, 0.9, 1], [.avif, .webp], .avif), ([0, 1, 0.5, 0], [.webp, .png], .png),
            ([1, 0, 1, 1], [.png], .jpeg), ([0, 0, 0, 0], [], .png),
        ] as [([Double], [OutputFormat], OutputFormat)])
    func format_followsAccept(_ qualities: [Double], _ named: [OutputFormat], _ expected: OutputFormat) throws {
        let table = Dictionary(uniqueKeysWithValues: zip([OutputFormat.jpeg, .png, .webp, .avif], qualities))
        func format(_ query: String) throws -> OutputFormat {
            try Parsing.request(query).encoding.outputFormat(
                accepting: { table[$0] ?? 0 }, named: { named.contains($0) })
        }
        #expect(try format("lat=1&lon=2") == expected)
        for named in DrawnEncoding.formats {
            #expect(try format("lat=1&lon=2&format=\(named.rawValue)") == named)
        }
    }

    @Test func camera_takesTheDefaultZoomOnlyWhereNoneIsAsked() throws {
        let asked = try Parsing.request("lat=1&lon=2&zoom=7.25&w=100&h=50&scale=2").camera { _, _ in 3 }
        #expect(asked.zoom == 6.25 && asked.widthPx == 200 && asked.heightPx == 100)
        #expect(asked.longitude == 2 && asked.latitude == 1)
        #expect(try Parsing.request("lat=1&lon=2").camera { _, _ in 3 }.zoom == 2)
    }

    @Test func styles_areThoseThatThereAre() throws {
        #expect(try Parsing.request("lat=1&lon=2&style=dark").style == "dark")
        #expect(try Parsing.request("lat=1&lon=2&style=light") == Parsing.request("lat=1&lon=2"))
        #expect(throws: ParameterFaults.self) { try Parsing.request("lat=1&lon=2&style=streets") }
        let own = try MapRequest.parse(
            QueryItems.parse("lat=1&lon=2&style=light"), rules: MapRules(styles: ["streets", "light"]))
        #expect(own.style == "light" && own.canonical.contains("style=light"))
    }
}
