import ImagePlan
import Parameters
import Testing

@Suite(.timeLimit(.minutes(5))) struct PresetTests {
    private func table() throws -> PresetTable {
        try PresetTable([
            ("thumb", "w=300&h=300&fit=cover&q=70"), ("grey", "filter=grayscale&quality=50"),
            ("face", "crop=attention"),
            ("wide", "width=1600&bg=red"),
        ])
    }

    private func canonical(_ query: String) throws -> String {
        try ImageRequest.parse(QueryItems.parse(query), presets: table()).canonical
    }

    @Test(arguments: [
        ("id=a&preset=thumb", "id=a&w=300&h=300&fit=cover&q=70"),
        ("id=a&preset=thumb&width=100", "id=a&w=100&h=300&fit=cover&q=70"),
        ("id=a&w=100&preset=thumb&q=9", "id=a&w=100&h=300&fit=cover&q=9"),
        ("id=a&preset=thumb,grey", "id=a&w=300&h=300&fit=cover&q=50&filter=grayscale"),
        ("id=a&preset=grey,thumb", "id=a&w=300&h=300&fit=cover&q=70&filter=grayscale"),
        ("id=a&preset=face&w=9&h=9", "id=a&w=9&h=9&crop=attention"), ("id=a&preset=thumb&width=", "id=a&preset=thumb"),
        ("id=a&preset=", "id=a"), ("id=a&preset=grey,grey", "id=a&preset=grey"),
    ])
    func presetsStandForTheirContent(query: String, meaning: String) throws {
        #expect(try canonical(query) == canonical(meaning))
        #expect(try !canonical(query).contains("preset"))
    }

    @Test func unknownPresets_areRefusedWithTheNearestName() throws {
        for (query, nearest) in [("preset=thum", "thumb"), ("preset=thumb,gray", "grey")] {
            let error = #expect(throws: ParameterFaults.self) { try canonical("id=a&widht=1&" + query) }
            #expect(error?.faults.map(\.parameter) == ["widht", "preset"])
            #expect(error?.faults.last?.message.contains("did you mean `\(nearest)`") == true)
        }
        #expect(throws: ParameterFaults.self) { try canonical("id=a&preset=thumb,") }
        #expect(throws: ParameterFaults.self) {
            try canonical("id=a&preset=" + [String](repeating: "grey", count: 9).joined(separator: ","))
        }
    }

    /// What a preset draws over an image cannot be left out, replaced or covered by the request.
    @Test func overlaysOfPresets_lieOnTopOfThoseOfTheRequest() throws {
        let table = try PresetTable([
            ("marked", "overlay=mark.png&width=200"), ("signed", "overlay=mark.png&text=me"),
            ("grey", "filter=grayscale"),
        ])
        func canonical(_ query: String) throws -> String {
            try ImageRequest.parse(QueryItems.parse("id=a&" + query), presets: table).canonical
        }
        #expect(try canonical("preset=marked&overlay=x&text=y") == "id=a&width=200&overlay=x&text=y&overlay=mark.png")
        #expect(try canonical("overlay=mark.png:top:0:0:1:0&preset=marked") == "id=a&width=200&overlay=mark.png")
        #expect(try canonical("preset=marked,signed") == "id=a&width=200&overlay=mark.png&overlay=mark.png&text=me")
        #expect(try canonical("preset=signed,grey,signed&overlay=") == "id=a&filter=grayscale&overlay=mark.png&text=me")
        let eight = (0..<8).map { "overlay=\($0)" }.joined(separator: "&")
        #expect(throws: ParameterFaults.self) { try canonical("preset=marked&" + eight) }
        #expect(try canonical("preset=grey&" + eight) == "id=a&filter=grayscale&" + eight)
    }

    @Test func presetsAreCheckedWhenTheTableIsMade() {
        #expect(throws: PresetFault.badName("Thumb")) { try PresetTable([("Thumb", "w=1")]) }
        #expect(throws: PresetFault.badName("")) { try PresetTable([("", "w=1")]) }
        #expect(throws: PresetFault.repeatedName("a")) { try PresetTable([("a", "w=1"), ("a", "w=2")]) }
        for query in ["w=0", "widht=9", "id=x", "preset=a", "default=x", "w=%ff", "page=1&pages=all", "sig=x"] {
            #expect(throws: PresetFault.self, "\(query)") { try PresetTable([("a", query)]) }
        }
        #expect(throws: Never.self) { try PresetTable([("a", "crop=top"), ("b_2-c", ""), ("c", "explain=1")]) }
    }

    @Test func hintsFillOnlyWhatIsLeftOpen() throws {
        func canonical(_ query: String, _ hints: ClientHints) throws -> String {
            try ImageRequest.parse(QueryItems.parse("id=a&" + query), presets: table(), hints: hints).canonical
        }
        let screen = ClientHints(pixelRatio: "1.9", width: "700", viewportWidth: "1000")
        #expect(screen.text == "dpr 2 width 704 viewport 1024")
        #expect(try canonical("", screen) == "id=a&width=704")
        // #15.11: a width or height of the URL is final, as that of a candidate of `srcset` is.
        #expect(try canonical("w=100", screen) == "id=a&width=100")
        #expect(try canonical("w=100&dpr=1", screen) == "id=a&width=100")
        #expect(try canonical("h=100", screen) == "id=a&height=100")
        #expect(try canonical("preset=wide", screen) == "id=a&width=1600&background=ff0000")
        let window = ClientHints(pixelRatio: "1.3", viewportWidth: "320")
        #expect(try canonical("", window) == "id=a&width=320&scale=1.5")
        #expect(try canonical("dpr=1", window) == "id=a&width=320")
        #expect(try canonical("w=100", window) == "id=a&width=100")
        let saving = ClientHints(saveData: "on", pixelRatio: "3")
        #expect(try canonical("w=100", saving) == "id=a&width=100&quality=auto:60")
        #expect(try canonical("w=100&q=90", saving) == "id=a&width=100&quality=90")
        #expect(try canonical("format=png", saving) == "id=a&format=png")
        #expect(try canonical("bytes=80k", saving) == "id=a&bytes=80k")
        #expect(try canonical("format=json", saving) == "id=a&format=json")
    }

    @Test func hintsThatCannotBeRead_areIgnored() {
        for text in ["", "x", "-1", "0", "1e9", "99999999999999999999", "NaN"] {
            #expect(ClientHints(saveData: text, pixelRatio: text, width: text, viewportWidth: text) == .none)
        }
        #expect(ClientHints(pixelRatio: "0.1").pixelRatio == 0.5)
        #expect(ClientHints(pixelRatio: "12").pixelRatio == 4)
        #expect(ClientHints(saveData: "ON").savesData && ClientHints(saveData: "?1").savesData)
        #expect(ClientHints.none.text == "")
    }
}
