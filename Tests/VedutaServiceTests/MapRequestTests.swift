import HTTPMessage
import ImagePlan
import MapRender
import Parameters
import Testing

@testable import VedutaService

struct MapRequestTests {
    private func parsed(_ query: String) throws -> MapRequest {
        try MapRequest.parse(QueryItems.parse(query))
    }

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
        ("", ["latitude", "longitude"]), ("lat=1", ["longitude"]), ("lat=90.1&lon=-180.000001", ["lat", "lon"]),
        ("lat=1e1&lon=NaN", ["lat", "lon"]), ("lat=1&lon=2&zoom=24.5", ["zoom"]), ("lat=1&lon=2&zoom=-1", ["zoom"]),
        ("lat=1&lon=2&width=15&height=4097", ["width", "height"]), ("lat=1&lon=2&scale=0.5", ["scale"]),
        ("lat=1&lon=2&scale=5", ["scale"]), ("lat=1&lon=2&width=2049&scale=2", ["width"]),
        ("lat=1&lon=2&quality=0", ["quality"]), ("lat=1&lon=2&format=gif", ["format"]),
        ("lat=1&latitude=1&lon=2", ["latitude"]), ("lat=1&lon=2&marker=3,4", ["marker"]),
        ("lat=1&lon=2&bearing=30", ["bearing"]), ("lat=1&lon=2&colour=red", ["colour"]),
    ])
    func faults_areNamedAllAtOnce(_ query: String, _ names: [String]) throws {
        #expect(try faults(query).map(\.parameter) == names)
    }

    @Test func slipOfAName_isSuggestedRight() throws {
        #expect(try faults("latitude=1&longitud=2").first?.reason == .unknown(suggestion: "longitude"))
    }

    /// `Accept` and the format that follows when none is named.
    @Test(
        arguments: [
            (nil, OutputFormat.png), ("*/*", .png), ("image/*", .png), ("image/jpeg", .jpeg), ("image/webp", .webp),
            ("image/avif", .avif), ("image/avif,image/webp,*/*", .webp), ("image/avif,image/webp;q=0.9,*/*", .avif),
            ("image/webp;q=0.5,image/png", .png), ("image/png;q=0,*/*", .jpeg), ("text/html", .png),
            ("image/webp;q=0,image/avif;q=0", .png),
        ] as [(String?, OutputFormat)])
    func format_followsAccept(_ accept: String?, _ expected: OutputFormat) throws {
        var fields = Fields()
        if let accept { fields.append("Accept", accept) }
        let field = AcceptField.parse(fields)
        func format(_ query: String) throws -> OutputFormat {
            try parsed(query).outputFormat(
                accepting: { field.quality(of: $0.mediaType) }, named: { field.isExplicit($0.mediaType) })
        }
        #expect(try format("lat=1&lon=2") == expected)
        for named in MapRequest.formats {
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
        let own = try MapRequest.parse(QueryItems.parse("lat=1&lon=2&style=light"), styles: ["streets", "light"])
        #expect(own.style == "light" && own.canonical.contains("style=light"))
    }
}
