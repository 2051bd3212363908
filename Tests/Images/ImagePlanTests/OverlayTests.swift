import Colors
import ImagePlan
import Parameters
import SeededRandom
import Testing
import TextLines

@Suite(.timeLimit(.minutes(5))) struct OverlayTests {
    private func overlays(_ query: String) throws -> [Overlay] {
        try ImageRequest.parse(QueryItems.parse("id=a&" + query)).overlays
    }

    private func messages(_ items: [QueryItem]) -> [String] {
        do throws(ParameterFaults) {
            _ = try ImageRequest.parse([QueryItem(name: "id", value: "a")] + items)
            return []
        } catch {
            return error.faults.map(\.message)
        }
    }

    @Test func overlaysAndTexts_areDrawnInTheOrderOfTheURL() throws {
        let query = "id=a&overlay=x&text=one&overlay=y:top|rotate:30|tile:8&text=two"
        let request = try ImageRequest.parse(QueryItems.parse(query))
        #expect(request.overlays.map(\.id) == ["x", nil, "y", nil])
        #expect(request.overlays.map(\.text?.words) == [nil, "one", nil, "two"])
        #expect(request.overlays[2] == Overlay(id: "y", gravity: .top, degrees: 30, gap: 8))
        #expect(request.canonical == "id=a&overlay=x&text=one&overlay=y:top%7Crotate:30%7Ctile:8&text=two")
        let header = ImageHeader(format: .png, widthPx: 90, heightPx: 60)
        guard case .plan(let plan) = try request.planning(for: header, accepting: Acceptance(only: .png)) else {
            Issue.record("no plan")
            return
        }
        #expect(plan.steps == request.overlays.map { .overlay($0) })
    }

    @Test func idsWithBars_areStillIDs() throws {
        for id in ["a|b.png", "a|rotate", "x|rotate:30/b.png", "https://h:80/a?b=c|d", "a|tile|b"] {
            let query = QueryItem(name: "overlay", value: id)
            for item in [query, QueryItem(name: "overlay", value: id + "|rotate:30")] {
                let request = try ImageRequest.parse([QueryItem(name: "id", value: "a"), item])
                #expect(request.overlays.map(\.id) == [id])
                #expect(try ImageRequest.parse(QueryItems.parse(request.canonical)) == request)
            }
        }
        #expect(try overlays("overlay=x|tile:top").map(\.id) == ["x|tile"])
    }

    @Test func thereAreAtMostEight() {
        let names = ["overlay", "text"]
        let items = (0..<10).map { QueryItem(name: names[$0 % 2], value: "\($0)") }
        #expect(messages(Array(items.prefix(8))).isEmpty)
        #expect(
            messages(items)
                == names.map { "`\($0)` must be one of at most 8 overlays and texts, those of presets included." })
    }

    @Test func everyMistakeInAText_isTold_withWhatWasMeant() throws {
        let message = try #require(
            messages([QueryItem(name: "text", value: "x|colr:red|size:0|gravity:middle|size:3|wide|align:left")]).first)
        for part in [
            "`colr` is not an option of it, did you mean `color`?", "`size` must be a whole number of pixels",
            "`size` is given more than once", "`gravity` must be center, top", "`wide` is not an option of it",
        ] {
            #expect(message.contains(part), "\(part): \(message)")
        }
        #expect(
            messages([QueryItem(name: "overlay", value: "x|rotat:3")]).first?.contains("did you mean `rotate`?") == true
        )
    }

    @Test func wordsMayHaveBarsBackslashesAndLines() throws {
        let item = QueryItem(name: "text", value: #" a\|b \\  c \n\n d\e|color:0f0"#)
        let request = try ImageRequest.parse([QueryItem(name: "id", value: "a"), item])
        #expect(request.overlays.first?.text?.words == "a|b \\ c\n\nde")
        #expect(request.overlays.first?.text?.color == Color(red: 0, green: 255, blue: 0))
        #expect(try ImageRequest.parse(QueryItems.parse(request.canonical)) == request)
    }

    @Test func whatSteersOrHides_isLeftOut() {
        #expect(CleanText.cleaned("a\u{202E}b\u{2066}c\u{E000}d\u{200B}", keepsLines: true) == "abcd")
        #expect(CleanText.cleaned("a\u{0}\t\u{7F}b", keepsLines: true) == "a b")
        #expect(CleanText.cleaned("\r\n a \u{2028} b\u{85}", keepsLines: true) == "a\nb")
        let marks = String(repeating: "\u{301}", count: 50)
        #expect(CleanText.cleaned("a\(marks)b", keepsLines: true).unicodeScalars.count == 6)
        #expect(CleanText.cleaned("\n" + marks + "a", keepsLines: true) == "a")
        // Joiners shape letters and emoji.
        #expect(CleanText.cleaned("\u{0915}\u{094D}\u{200D}", keepsLines: true) == "\u{0915}\u{094D}\u{200D}")
    }

    @Test func longTexts_areRefused() {
        func faults(_ text: String) -> Int { messages([QueryItem(name: "text", value: text)]).count }
        #expect(faults(String(repeating: "a", count: 500)) == 0)
        #expect(faults(String(repeating: "a", count: 501)) == 1)
        #expect(faults(String(repeating: "語", count: 500)) == 0)
        #expect(faults(String(repeating: "\u{1D11E}", count: 501)) == 1)
        #expect(faults(String(repeating: "a", count: 1_000_000)) == 1)
        #expect(faults(String(repeating: "\\", count: 1_000_000)) == 1)
        #expect(faults("a" + String(repeating: "|", count: 1_000_000)) == 1)
        #expect(faults("a" + String(repeating: "|size:3", count: 100_000)) == 1)
    }

    /// Cleaning and reading back change nothing more.
    @Test func randomTexts_haveOneCanonicalForm() throws {
        var generator = SeededGenerator(state: 19)
        var count = 0
        for _ in 0..<10_000 {
            let length = Int.random(in: 1..<40, using: &generator)
            var scalars = String.UnicodeScalarView()
            while scalars.count < length {
                let limits: [UInt32] = [0x80, 0x900, 0x3100, 0x1F700, 0x110000]
                let limit = limits[Int.random(in: 0..<limits.count, using: &generator)]
                if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) {
                    scalars.append(scalar)
                }
            }
            let items = [QueryItem(name: "id", value: "a"), QueryItem(name: "text", value: String(scalars))]
            guard let request = try? ImageRequest.parse(items) else { continue }
            count += 1
            let text = try #require(request.overlays.first?.text)
            #expect(CleanText.cleaned(text.words, keepsLines: true) == text.words)
            #expect(try ImageRequest.parse(QueryItems.parse(request.canonical)).canonical == request.canonical)
        }
        #expect(count > 5000)
    }

    @Test func lengthsOfTexts_followTheImage() throws {
        let wide = PixelSize(widthPx: 800, heightPx: 200)
        func measures(_ text: String, on size: PixelSize = wide) throws -> TextMeasures {
            TextMeasures(try #require(try overlays("text=" + text).first?.text), on: size)
        }
        let plain = try measures("x")
        #expect(plain.size == 12 && plain.width == 720 && plain.outline == 0 && plain.padding == 0)
        #expect(try measures("x|size:10p|width:50p|outline:red|background:red").size == 20)
        #expect(try measures("x|size:24|outline:red").outline == 2)
        #expect(try measures("x|size:10|background:red").padding == 4)
        // No letter is larger than the image, no line outside it.
        #expect(try measures("x|size:8192").size == 800)
        #expect(try measures("x|size:100").lineLimit == 1)
        #expect(try measures("x|size:10|lines:3").lineLimit == 3)
        #expect(try measures("x|size:10").lineLimit == 15)
        #expect(try measures("x|size:8192|width:1", on: PixelSize(widthPx: 1, heightPx: 1)).lineLimit == 1)
    }

    private func cost(
        _ query: String, on size: PixelSize = PixelSize(widthPx: 1000, heightPx: 1000)
    ) throws -> PredictedCost {
        let header = ImageHeader(format: .png, widthPx: size.widthPx, heightPx: size.heightPx)
        let request = try ImageRequest.parse(QueryItems.parse("id=a&format=png&" + query))
        guard case .plan(let plan) = try request.planning(for: header, accepting: Acceptance(only: .png)) else {
            throw ParameterFaults([])
        }
        return plan.predictedCost(header)
    }

    @Test func everyOverlayHasItsPrice() throws {
        let (none, one, two) = (try cost(""), try cost("overlay=x"), try cost("overlay=x&overlay=x"))
        #expect(two.microseconds - one.microseconds == one.microseconds - none.microseconds)
        #expect(two.byteCount > one.byteCount)
        #expect(try cost("overlay=x|rotate:3").microseconds > one.microseconds)
        #expect(try cost("overlay=x|tile:3").byteCount > one.byteCount)
        #expect(try cost("text=xxxx").microseconds > cost("text=x").microseconds)
    }

    /// They are drawn whole, also what juts out of a flat image.
    @Test func textsAreBoundedByTheirImage_andPricedByTheirBox() throws {
        let flat = PixelSize(widthPx: 8192, heightPx: 16)
        let huge = "text=WWWWW|size:3000|width:8192|rotate:1"
        let measures = TextMeasures(try #require(try overlays(huge).first?.text), on: flat)
        #expect(measures.pixelLimit == 4 * 8192 * 16 + 1_000_000)
        #expect(measures.pixelCount == Double(measures.pixelLimit))
        #expect(TextMeasures.pixelLimit(on: PixelSize(widthPx: 10_000, heightPx: 10_000)) == 64_000_000)
        #expect(TextMeasures.pixelLimit(on: PixelSize(widthPx: .max, heightPx: .max)) == 64_000_000)

        let beyond = measures.pixelLimit - 8192 * 16
        let (none, small, one) = (
            try cost("", on: flat), try cost("text=WWWWW|rotate:1", on: flat), try cost(huge, on: flat)
        )
        // 20 nanoseconds and 16 bytes for each pixel.
        #expect(one.microseconds - small.microseconds >= beyond / 50)
        #expect(one.byteCount - small.byteCount >= 10 * beyond)
        let eight = try cost(Array(repeating: huge, count: 8).joined(separator: "&"), on: flat)
        #expect(eight.microseconds - none.microseconds >= 7 * (one.microseconds - none.microseconds))
        #expect(eight.byteCount > one.byteCount)
    }

    @Test func ordinaryTexts_costWhatTheirImageCosts() throws {
        let none = try cost("").microseconds
        let plain = try cost("text=Veduta").microseconds
        #expect(try cost("text=Veduta|size:12p").microseconds == plain)
        for text in ["size:30p", "size:8p|background:black", "outline:black", "width:40p|lines:3"] {
            #expect(try cost("text=Veduta|" + text).microseconds - none <= 2 * (plain - none), "\(text)")
        }
        #expect(try cost("text=%E8%AA%9E%E8%AA%9E%E8%AA%9E").microseconds - none <= 2 * (plain - none))
        // The larger the letters, and the wider the ground around them, the more.
        let (large, larger) = (try cost("text=Veduta|size:60p"), try cost("text=Veduta|size:100p"))
        #expect(plain < large.microseconds && large.microseconds < larger.microseconds)
        #expect(large.byteCount < larger.byteCount)
        let ground = try cost("text=Veduta|background:black,1000")
        #expect(ground.microseconds > plain)
    }

    /// Texts and overlays beside a preset are signed in the order of drawing.
    @Test func signedForm_keepsTheOrder() throws {
        func signed(_ query: String) throws -> String { try ImageRequest.signedQuery(of: QueryItems.parse(query)) }
        #expect(try signed("text=b&overlay=a&preset=p&w=3&id=x") == "id=x&width=3&text=b&overlay=a&preset=p")
        #expect(try signed("overlay=a&text=b&w=3&id=x") == "id=x&width=3&overlay=a&text=b")
    }
}
