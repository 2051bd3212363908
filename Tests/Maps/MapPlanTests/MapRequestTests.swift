import ImagePlan
@testable import MapGrammar
@testable import MapPlan
import MapRender
import Parameters
import Testing

@Suite(.timeLimit(.minutes(5))) struct MapRequestTests {
    private func parsed(_ query: String) throws -> MapRequest { try MapRequest.parse(QueryItems.parse(query)) }

    private func faults(_ query: String) throws -> [ParameterFault] {
        do {
            _ = try parsed(query)
            return []
        } catch let error as ParameterFaults {
            return error.faults
        }
    }

    /// What is asked, and its canonical form.
    @Test(arguments: [
        ("latitude=59.935634&longitude=30.325935", "latitude=59.935634&longitude=30.325935"),
        ("lon=30.50&lat=59.0", "latitude=59&longitude=30.5"),
        ("lng=-0&lat=0", "latitude=0&longitude=0"),
        ("lat=1&lon=2&w=512&height=512&dpr=1&format=auto", "latitude=1&longitude=2"),
        (
            "q=70&format=webp&h=300&zoom=3.50&lon=2&lat=1",
            "latitude=1&longitude=2&zoom=3.5&height=300&format=webp&quality=70"
        ),
        ("lat=-90&lon=180&zoom=0&w=16&h=4096&scale=1.0", "latitude=-90&longitude=180&zoom=0&width=16&height=4096"),
        ("lat=1&lon=2&w=1024&scale=4", "latitude=1&longitude=2&width=1024&scale=4"),
        ("lat=1&lon=2&zoom=&quality=", "latitude=1&longitude=2"),
    ])
    func canonicalForm_isOneForOnePictureAndStable(_ query: String, _ canonical: String) throws {
        let request = try parsed(query)
        #expect(request.canonical == canonical)
        #expect(try parsed(canonical) == request)
    }

    /// What is asked, and the names of what is wrong with it.
    @Test(arguments: [
        ("", ["latitude", "longitude"]), ("lat=1", ["longitude"]), ("lat=90.1&lon=-540.000001", ["lat", "lon"]),
        ("lat=1e1&lon=NaN", ["lat", "lon"]), ("lat=1&lon=2&zoom=24.5", ["zoom"]), ("lat=1&lon=2&zoom=-1", ["zoom"]),
        ("lat=1&lon=2&width=15&height=4097", ["width", "height"]), ("lat=1&lon=2&scale=0.5", ["scale"]),
        ("lat=1&lon=2&scale=5", ["scale"]), ("lat=1&lon=2&width=2049&scale=2", ["width"]),
        ("lat=1&lon=2&quality=0", ["quality"]), ("lat=1&lon=2&format=gif", ["format"]),
        ("lat=1&latitude=1&lon=2", ["latitude"]), ("lat=1&lon=2&sig=3", ["sig"]),
        ("lat=1&lon=2&bearing=361&pitch=61", ["bearing", "pitch"]), ("lat=1&lon=2&color=red", ["color"]),
    ])
    func faults_areNamedAllAtOnce(_ query: String, _ names: [String]) throws {
        #expect(try faults(query).map(\.parameter) == names)
    }

    @Test func slipOfAName_isSuggestedRight() throws {
        #expect(try faults("latitude=1&longitud=2").first?.reason == .unknown(suggestion: "longitude"))
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
            try parsed(query).encoding.outputFormat(accepting: { table[$0] ?? 0 }, named: { named.contains($0) })
        }
        #expect(try format("lat=1&lon=2") == expected)
        for named in DrawnEncoding.formats {
            #expect(try format("lat=1&lon=2&format=\(named.rawValue)") == named)
        }
    }

    @Test func camera_takesTheDefaultZoomOnlyWhereNoneIsAsked() throws {
        let asked = try parsed("lat=1&lon=2&zoom=7.25&w=100&h=50&scale=2").camera { _, _ in 3 }
        #expect(asked.zoom == 6.25 && asked.widthPx == 200 && asked.heightPx == 100)
        #expect(asked.longitude == 2 && asked.latitude == 1)
        #expect(try parsed("lat=1&lon=2").camera { _, _ in 3 }.zoom == 2)
    }

    @Test func styles_areThoseThatThereAre() throws {
        #expect(try parsed("lat=1&lon=2&style=dark").style == "dark")
        #expect(try parsed("lat=1&lon=2&style=light") == parsed("lat=1&lon=2"))
        #expect(throws: ParameterFaults.self) { try parsed("lat=1&lon=2&style=streets") }
        let own = try MapRequest.parse(
            QueryItems.parse("lat=1&lon=2&style=light"), rules: MapRules(styles: ["streets", "light"]))
        #expect(own.style == "light" && own.canonical.contains("style=light"))
    }
}
