import SeededRandom
import ImagePlan
import Parameters
import Testing

@Suite struct RequestTests {
    private func canonical(_ query: String) throws -> String {
        try ImageRequest.parse(QueryItems.parse(query)).canonical
    }

    private func faults(_ query: String) -> [ParameterFault] {
        do throws(ParameterFaults) {
            _ = try ImageRequest.parse(QueryItems.parse(query))
            return []
        } catch {
            return error.faults
        }
    }

    @Test(arguments: [
        ["id=a%20b.jpg&width=800&height=600", "h=600&w=800&id=a+b.jpg", "id=a+b.jpg&height=0600&w=800&scale=1.0&fit="],
        [
            "id=a/b&crop=16:9,top", "id=a%2Fb&crop=16%3A9%2Ctop", "crop=32:18,top&id=a/b",
            "id=a/b&crop=16:9&gravity=top",
        ],
        ["id=a&w=9&h=9&crop=top", "id=a&w=9&h=9&fit=cover&gravity=top", "id=a&w=9&h=9&crop=top&fit=cover&gravity=top"],
        ["id=a&bg=f00", "id=a&background=%23FF0000", "id=a&background=red", "id=a&bg=ff0000ff"],
        ["id=a&rotate=-90", "id=a&rotate=270", "id=a&rotate=270.0"],
        ["id=a", "id=a&rotate=auto", "id=a&rotate=360&enlarge=0&format=auto&bg=transparent", "id=a&fit=inside&dpr=2"],
        ["id=a&w=50p", "id=a&w=50.0p&fit=cover", "id=a&w=50p&gravity=top"],
        [
            "id=a&filter=sharpen,blur:1.5", "id=a&filter=sharpen:1,blur:1.50,brightness:0",
            "filter=sharpen%2Cblur%3A1.5&id=a",
        ],
        ["id=a&crop=0.0,0.5,1.0,0.5", "id=a&crop=0,.5,1,0.50"],
        ["id=a&format=png", "id=a&format=png&q=40"], ["id=a&crop=square", "id=a&crop=1:1", "id=a&crop=2.5:2.5"],
        ["id=a&crop=1.91:1", "id=a&crop=191:100", "id=a&crop=0.955:.5"],
        ["id=a&format=jpeg&q=80", "id=a&format=jpeg"], ["id=a&format=avif&q=55", "id=a&format=avif"],
        ["id=a", "id=a&crop=0.0,0,1,1"],
    ])
    func equalRequestsHaveOneCanonicalText(queries: [String]) throws {
        let texts = try queries.map(canonical)
        #expect(Set(texts).count == 1, "\(texts)")
    }

    @Test(arguments: [
        ["id=a", "id=A"], ["id=a&crop=0,0,1,1", "id=a"], ["id=a&rotate=none", "id=a"], ["id=a&flip=h", "id=a&flip=v"],
        ["id=e%CC%81", "id=%C3%A9"], ["id=a&format=jpeg", "id=a"],
        ["id=a&w=9&h=9&crop=9x9", "id=a&w=9&h=9&crop=9x9,top"],
        ["id=a&filter=grayscale,blur:1", "id=a&filter=blur:1,grayscale"], ["id=a&w=50", "id=a&w=50p"],
        // What the format will be is not settled, so neither is what 80 means.
        ["id=a&q=80", "id=a"], ["id=a&format=avif&q=80", "id=a&format=avif"],
    ])
    func differentRequestsDiffer(queries: [String]) throws {
        let requests = try queries.map { try ImageRequest.parse(QueryItems.parse($0)) }
        #expect(requests[0] != requests[1])
    }

    @Test func theWholeGrammarIsReadAndWritten() throws {
        let full =
            "id=a/b:c.jpg&width=800&height=50.5p&scale=1.5&fit=cover&enlarge=1&crop=-5,0,10,10&gravity=bottom-right"
            + "&rotate=90&flip=hv&filter=grayscale,blur:2.5,sharpen:0.5,brightness:-10,contrast:100"
            + "&background=ff000080&format=avif&quality=1"
        #expect(try canonical(full) == full)
    }

    @Test func canonicalTextIsIdempotentForRandomRequests() throws {
        var generator = SeededGenerator(state: 2)
        for _ in 0..<3000 {
            let query = randomQuery(&generator)
            let request = try ImageRequest.parse(QueryItems.parse(query))
            let again = try ImageRequest.parse(QueryItems.parse(request.canonical))
            if again.canonical != request.canonical || again != request {
                Issue.record("\(query) gives \(request.canonical), then \(again.canonical)")
            }
            // The canonical text means the same: it gives the same plan.
            let source = SourceTraits(format: .png, widthPx: 640, heightPx: 427, orientation: 6, hasAlpha: true)
            let plan = try? request.makePlan(for: source, output: .webp)
            #expect(plan == (try? again.makePlan(for: source, output: .webp)))
        }
    }

    /// A valid query with parameters in random order, each there in one of three cases.
    private func randomQuery(_ generator: inout SeededGenerator) -> String {
        let choices: [(String, [String])] = [
            ("width", ["1", "800", "33.30p", "8192"]), ("height", ["600", "50p", "07"]),
            ("dpr", ["2", "0.50", "1.25", "4"]), ("fit", Fit.allCases.map(\.rawValue)), ("enlarge", ["0", "1"]),
            ("crop", ["1,2,3,4", "0.1,0.20,.5,1", "0,0.0,1,1", "60x40", "60x40,left", "16:9", "1.91:1,top", "square"]),
            ("gravity", Gravity.allCases.map(\.rawValue)), ("rotate", ["auto", "none", "90", "-180", "360"]),
            ("flip", ["h", "v", "hv"]), ("filter", ["grayscale", "blur:1.10,contrast:0", "sharpen,brightness:-3.0"]),
            ("bg", ["red", "f00", "%23ff000000", "12345678"]), ("format", ["auto", "jpeg", "png", "webp", "avif"]),
            ("q", ["1", "080", "100"]),
        ]
        var items = ["id=a%C3%A9+%26.jpg"]
        for (name, values) in choices where Int.random(in: 0..<3, using: &generator) == 0 {
            items.append("\(name)=\(values[Int.random(in: 0..<values.count, using: &generator)])")
        }
        return items.shuffled(using: &generator).joined(separator: "&")
    }

    @Test(arguments: [
        "width=0", "width=8193", "width=-1", "width=1.5", "width=1e3", "width=%2B1", "width=p", "width=0p",
        "width=50%25",
        "width=1001p", "width=99999999999999999999999999", "width=%D9%A1%D9%A2", "width=%EF%BC%91", "w=abc",
        "height=0", "height=NaN", "height=0x10", "scale=0.49", "scale=4.01", "scale=x", "dpr=9", "fit=Cover",
        "fit=crop",
        "enlarge=yes", "enlarge=2", "crop=", "crop=1,2,3", "crop=1,2,3,4,5", "crop=0,0,0,5", "crop=0,0,5,-5",
        "crop=0,0,1.5,1", "crop=0.1,0.1,0,0.5", "crop=-0.1,0,0.5,0.5", "crop=10x", "crop=x10", "crop=0x10",
        "crop=16:0", "crop=16:9,middle", "crop=16:9:4", "crop=square,", "crop=9999999,0,1,1", "crop=a,b,c,d",
        "crop=99999999999999999999,0,1,1", "crop=1000000x1000001", "crop=top", "crop=attention", "crop=0.3x0.7",
        "gravity=middle", "gravity=attention", "gravity=0.5x0.5", "gravity=0.5x1.5", "rotate=361", "rotate=45",
        "rotate=-45", "rotate=90.5", "rotate=15,straighten", "rotate=left", "flip=x", "flip=vh", "filter=gray",
        "filter=blur", "filter=blur:0", "filter=blur:101", "filter=blur:", "filter=blur:1:2", "filter=grayscale:1",
        "filter=sharpen:11", "filter=brightness:101", "filter=contrast", "filter=grayscale,", "filter=,",
        "filter=sepia", "filter=a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q", "background=reddish", "background=12345", "bg=%23",
        "format=bmp", "format=JPEG", "format=gif", "quality=0", "quality=101", "q=50.5", "quality=auto",
        "quality=auto:0.9", "radius=5", "trim=10", "page=2", "overlay=x", "metadata=keep", "sig=abc",
    ])
    func everyMalformedValueNamesItsParameter(query: String) throws {
        let found = faults("id=a&" + query)
        let name = query.split(separator: "=").first.map(String.init)
        guard query != "crop=" else {
            #expect(found.isEmpty, "an empty value is absent")
            return
        }
        #expect(found.count == 1)
        #expect(found.first?.parameter == name)
        switch found.first?.reason {
        case .malformed(let allowed), .outOfRange(let allowed): #expect(!allowed.isEmpty)
        case .notSupportedYet, .incomplete: break
        default: Issue.record("\(String(describing: found.first))")
        }
    }

    @Test func threeBadParametersAreThreeFaults() {
        let found = faults("widht=100&height=0&id=a&rotate=45")
        #expect(found.map(\.parameter) == ["widht", "height", "rotate"])
        #expect(found.first?.reason == .unknown(suggestion: "width"))
        #expect(found.first?.message == "`widht` is not a parameter here; did you mean `width`?")
        #expect(found.last?.reason == .notSupportedYet(allowed: "auto, none or a multiple of 90 from -360 to 360"))
    }

    @Test func theIDIsRequiredAndBounded() {
        #expect(faults("width=1").map(\.reason) == [.missing])
        #expect(faults("id=&width=0").map(\.parameter) == ["width", "id"])
        #expect(faults("id=" + String(repeating: "a", count: 1024)).isEmpty)
        #expect(faults("id=" + String(repeating: "a", count: 1025)).map(\.parameter) == ["id"])
    }

    @Test func cropByGravityAloneNeedsABoxAndNoOtherFit() {
        #expect(faults("id=a&crop=top&w=9").map(\.reason) == [.incomplete(without: ["height"])])
        #expect(
            faults("id=a&crop=top&w=9&h=9&fit=inside&gravity=left").map(\.reason)
                == [.conflict(with: ["fit", "gravity"])])
        #expect(faults("id=a&crop=top&w=9&h=9&fit=nonsense").map(\.parameter) == ["fit"])
    }

    @Test func repeatedNamesAndAliases_areRefused() {
        #expect(faults("id=a&w=1&width=1").map(\.parameter) == ["width"])
        #expect(faults("id=a&id=b").map(\.reason) == [.repeated])
    }

    /// Random octets around valid pieces: an answer or faults, never a trap.
    @Test func rubbishNeverTraps() {
        var generator = SeededGenerator(state: 7)
        let pieces = [
            "id=", "a", "&", "width=", "crop=", "rotate=", "filter=", "blur:", "9999999999", "0.", ".", ",", "x", ":",
            "p",
            "-", "%", "%ff", "%20", "é", "+", "=", "\u{301}", "-9223372036854775808", "square", "q=", "scale=",
            "height=",
        ]
        for _ in 0..<4000 {
            let query = (0..<Int.random(in: 1..<14, using: &generator)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            }.joined()
            guard let items = try? QueryItems.parse(query), let request = try? ImageRequest.parse(items) else {
                continue
            }
            _ = try? request.makePlan(
                for: SourceTraits(format: .gif, widthPx: 3, heightPx: 1 << 30), output: .jpeg)
        }
    }
}
