import SeededRandom
import ImagePlan
import Parameters
import Testing

@Suite(.timeLimit(.minutes(5))) struct RequestTests {
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
        // Defaults that are sent are as good as absent (#15.9).
        ["id=a&w=9&h=9&crop=top", "id=a&w=9&h=9&crop=top&fit=inside&gravity=center"],
        ["id=a&bg=f00", "id=a&background=%23FF0000", "id=a&background=red", "id=a&bg=ff0000ff"],
        ["id=a&rotate=-90", "id=a&rotate=270", "id=a&rotate=270.0"],
        ["id=a", "id=a&rotate=auto", "id=a&rotate=360&enlarge=0&format=auto&bg=transparent", "id=a&fit=inside&dpr=2"],
        ["id=a&w=50p", "id=a&w=50.0p&fit=cover", "id=a&w=50p&gravity=top"],
        [
            "id=a&filter=sharpen,blur:1.5", "id=a&filter=sharpen:1,blur:1.50,brightness:0",
            "filter=sharpen%2Cblur%3A1.5&id=a",
        ],
        ["id=a&crop=0.0,0.5,1.0,0.5", "id=a&crop=0,.5,1,0.50"],
        ["id=a&format=png", "id=a&format=png&q=100", "id=a&format=png&lossless=1"],
        ["id=a&format=gif", "id=a&format=gif&q=40"],
        ["id=a&crop=square", "id=a&crop=1:1", "id=a&crop=2.5:2.5"],
        ["id=a&crop=1.91:1", "id=a&crop=191:100", "id=a&crop=0.955:.5"],
        ["id=a&format=jpeg&q=80", "id=a&format=jpeg"], ["id=a", "id=a&crop=0.0,0,1,1"],
        ["id=a&w=9&h=9&fit=cover&gravity=attention", "id=a&w=9&h=9&crop=smart", "id=a&w=9&h=9&crop=attention,center"],
        ["id=a&w=9&h=9&fit=cover", "id=a&w=9&h=9&fit=cover&gravity=0.5x0.50", "id=a&w=9&h=9&crop=.5x.5"],
        ["id=a&w=9&h=9&fit=contain&gravity=top", "id=a&w=9&h=9&fit=contain&gravity=entropy,top"],
        ["id=a&crop=16:9,attention,top", "id=a&crop=16:9&gravity=smart,top"],
        ["id=a&rotate=15", "id=a&rotate=-345", "id=a&rotate=15.0"], ["id=a&rotate=90", "id=a&rotate=90,straighten"],
        ["id=a&mask=circle", "id=a&mask=circle&radius=5&dpr=2"], ["id=a", "id=a&overlay=x:top:0:0:1:0&dpr=3"],
        ["id=a&overlay=x", "id=a&overlay=x:center", "id=a&overlay=x:center:0:0:1.0:1"],
        ["id=a&overlay=x%7Crotate:30", "id=a&overlay=x:center:0:0:1:1%7Crotate:-330.0", "id=a&overlay=x|ROTATE:30"],
        ["id=a&overlay=x&overlay=y", "id=a&overlay=x&overlay=z:top:0:0:1:0&overlay=y:center"],
        ["id=a&text=x", "id=a&text=%20x%20|size:6p|color:white|lines:100", "id=a&text=x%E2%80%8B|opacity:1&dpr=3"],
        ["id=a&overlay=x:center:0:0:25p", "id=a&overlay=x:center:0:0:25p&dpr=2"],
        ["id=a&bytes=80k", "id=a&bytes=80000", "id=a&bytes=0.08m"], ["id=a&bytes=1.5m", "id=a&bytes=1500k"],
        ["id=a&q=auto", "id=a&q=auto:80", "id=a&quality=auto:80.0"],
        ["id=a&format=png", "id=a&format=png&q=40", "id=a&format=png&q=100"],
        ["id=a&format=jpeg", "id=a&format=jpeg&effort=9"],
        ["id=a&format=webp", "id=a&format=webp&progressive=1&effort=&metadata=none&profile=srgb&lossless=0"],
        ["id=a&format=json", "id=a&format=json&w=9&h=9&fit=cover&filter=blur:2&q=auto"],
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
        ["id=a&q=80", "id=a"], ["id=a&format=png&effort=9", "id=a&format=png"], ["id=a&q=auto", "id=a&q=auto:79"],
        ["id=a&page=1", "id=a"], ["id=a&pages=all", "id=a"], ["id=a&radius=5", "id=a&radius=5&dpr=2"],
        ["id=a&rotate=15", "id=a&rotate=15,straighten"], ["id=a&explain=1", "id=a"], ["id=a&download=b", "id=a"],
        ["id=a&overlay=x:center:0:1", "id=a&overlay=x:center:0:1&dpr=2"], ["id=a&default=b", "id=a"],
        ["id=a&filter=noise:5:1", "id=a&filter=noise:5"], ["id=a&trim=0", "id=a"],
    ])
    func differentRequestsDiffer(queries: [String]) throws {
        let requests = try queries.map { try ImageRequest.parse(QueryItems.parse($0)) }
        #expect(requests[0] != requests[1])
    }

    @Test(arguments: [
        "id=a/b:c.jpg&width=800&height=50.5p&scale=1.5&fit=cover&enlarge=1&trim=12&crop=-5,0,10,10&gravity=attention,top"
            + "&rotate=90&flip=hv&filter=grayscale,blur:2.5,sharpen:0.5,brightness:-10,contrast:100"
            + "&background=ff000080&radius=12&overlay=https://h:80/logo.png:bottom-right:-5:7:25p:0.5&page=3&format=avif"
            + "&quality=1&bytes=80k&effort=4&metadata=copyright&profile=p3&default=b.png&download=c.avif&explain=1",
        "id=a&crop=16:9,0.25x1&rotate=7.5,straighten&mask=ellipse&overlay=l:top:1:2&pages=all&format=jpeg"
            + "&quality=auto:70.5&progressive=1&metadata=keep&profile=keep",
        "id=a&width=90&filter=sharpen&hdr=keep", "id=a&profile=p3&hdr=drop&default=b",
        "id=a&filter=unsharp:2:1:4,median:2,pixelate:8,noise:20:7,sepia:40,invert,threshold,posterize:4,tint:ff0000:40,"
            + "duotone:000000:ffffff,saturation:5,vibrance:5,highlights:-5,shadows:5,temperature:-5,hue:330",
        "id=a&filter=gamma:2.2,exposure:-0.5,normalize,equalize,clahe,vignette,edges,emboss,look:noir&format=webp&lossless=1",
        "id=a&format=json&default=b", "id=a&format=jxl&bytes=123",
    ])
    func theWholeGrammarIsReadAndWritten(full: String) throws {
        #expect(try canonical(full) == full)
    }

    /// #19: `hdr=keep` beside what never leaves a gain map is refused; `drop` changes nothing there.
    @Test(arguments: [
        "format=webp", "filter=grayscale", "filter=blur:3", "rotate=7", "radius=3", "mask=circle", "overlay=b",
        "text=b", "lossless=1", "pad=4", "colors=4",
    ])
    func gainMaps_areNotKeptBesideWhatDropsThem(query: String) throws {
        let found = faults("id=a&hdr=keep&" + query)
        #expect(found.map(\.parameter) == ["hdr"], "\(found)")
        #expect(try canonical("id=a&hdr=drop&" + query) == canonical("id=a&" + query))
        #expect(
            try canonical("id=a&hdr=keep&format=jpeg&filter=sharpen&rotate=90&flip=h")
                == "id=a&rotate=90&flip=h&filter=sharpen&format=jpeg&hdr=keep")
    }

    @Test func canonicalTextIsIdempotentForRandomRequests() throws {
        var random = RandomRequests(generator: SeededGenerator(state: 2))
        var count = 0
        for _ in 0..<5000 {
            let query = random.next()
            guard let request = try? ImageRequest.parse(QueryItems.parse(query)) else { continue }
            count += 1
            let again = try ImageRequest.parse(QueryItems.parse(request.canonical))
            if again.canonical != request.canonical || again != request {
                Issue.record("\(query) gives \(request.canonical), then \(again.canonical)")
            }
            // The canonical text means the same: it gives the same plan, or asks the same question.
            let source = ImageHeader(format: .png, widthPx: 640, heightPx: 427, orientation: 6, hasAlpha: true)
            let planning = try? request.planning(for: source, accepting: Acceptance(only: .webp))
            #expect(planning == (try? again.planning(for: source, accepting: Acceptance(only: .webp))))
        }
        #expect(count > 1500)
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
        "crop=0.3x1.7", "crop=16:9,attention,middle", "crop=16:9,top,left",
        "gravity=middle", "gravity=attention,middle", "gravity=0.5x1.5", "gravity=top,left", "gravity=0.5",
        "rotate=361",
        "rotate=15,straight", "rotate=,straighten", "rotate=none,straighten", "rotate=left", "flip=x", "flip=vh",
        "filter=gray",
        "filter=blur", "filter=blur:0", "filter=blur:101", "filter=blur:", "filter=blur:1:2", "filter=grayscale:1",
        "filter=sharpen:11", "filter=brightness:101", "filter=contrast", "filter=grayscale,", "filter=,",
        "filter=a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q", "background=reddish", "background=12345", "bg=%23",
        "format=bmp", "format=JPEG", "quality=0", "quality=101", "q=50.5", "quality=auto:29",
        "quality=auto:101", "quality=auto:", "quality=best", "radius=0", "radius=8193", "radius=51p", "radius=-1",
        "radius=1.5", "mask=square", "trim=256", "trim=-1", "trim=x", "page=0", "page=100001", "page=all", "pages=2",
        "overlay=:top", "overlay=x:middle", "overlay=x:top:5", "overlay=x:top:5:5:11", "overlay=x:top:5:5:0p",
        "overlay=x:top:5:5:1:2", "overlay=x:top:5:5:1:1:1", "overlay=x:top:1.5:0", "bytes=99", "bytes=101m",
        "overlay=x|rotate:361", "overlay=x|tile:-1", "overlay=x|tile:8193", "overlay=x|rotat:3",
        "overlay=x:middle|rotate:3",
        "overlay=x|rotate:3|rotate:4", "text=%20", "text=%E2%80%8B", "text=|size:3", "text=x|size", "text=x|size:",
        "text=x|", "text=x|size:0", "text=x|size:101p", "text=x|colr:red", "text=x|outline:red,0", "text=x|background:",
        "text=x|width:0p", "text=x|lines:0", "text=x|align:justify", "text=x|gravity:middle", "text=x|offset:3",
        "text=x|opacity:2", "text=x|rotate:x", "text=x|bold:yes", "text=x|color:red,3",
        "bytes=80kb", "hdr=yes",
        "bytes=100.5", "bytes=0.12345k", "bytes=k", "lossless=yes", "progressive=2", "effort=0", "effort=11",
        "metadata=all", "profile=adobe", "download=a/b", "download=..", "download=%22", "explain=2", "preset=none",
        "filter=sepia:101", "filter=tint:%23", "filter=tint:ff000080", "filter=look:none", "filter=blur(2",
        "filter=blur2)",
        "filter=blur((2))", "filter=median:1.5", "filter=unsharp:2:1:4:1", "filter=edges:1", "filter=noise:5:-1",
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
        let found = faults("widht=100&height=0&id=a&rotate=400")
        #expect(found.map(\.parameter) == ["widht", "height", "rotate"])
        #expect(found.first?.reason == .unknown(suggestion: "width"))
        #expect(found.first?.message == "`widht` is not a parameter here; did you mean `width`?")
        #expect(
            found.last?.reason
                == .outOfRange(
                    allowed:
                        "auto, none, or degrees from -360 to 360, followed by ,straighten to crop away the corners"
                ))
    }

    @Test(arguments: [
        ("lossless=1&format=jpeg", ["lossless"]), ("lossless=1&format=gif", ["lossless"]),
        ("lossless=1&q=5", ["lossless"]),
        ("bytes=80k&lossless=1", ["bytes"]), ("bytes=80k&format=png", ["bytes"]), ("q=auto&format=png", ["q"]),
        ("quality=auto&format=tiff", ["quality"]), ("q=auto&bytes=80k", ["bytes"]), ("page=1&pages=all", ["pages"]),
        ("format=json&explain=1", ["explain"]), ("format=json&page=1", ["page"]), ("pages=all&format=json", ["pages"]),
        ("format=json&download=a", ["download"]), ("format=json&explain=0", []), ("lossless=1&format=webp", []),
        ("bytes=80k&q=60", []),
        ("bytes=80k", []),
        ("lossless=0&format=jpeg", []), ("q=auto&format=jxl", []),
    ])
    func whatEncodersCannotDoTogether_isRefused(query: String, names: [String]) {
        let found = faults("id=a&" + query)
        #expect(found.map(\.parameter) == names)
        for fault in found {
            guard case .conflict = fault.reason else {
                Issue.record("\(fault)")
                continue
            }
        }
    }

    @Test func theIDIsRequiredAndBounded() {
        #expect(faults("width=1").map(\.reason) == [.missing])
        #expect(faults("id=&width=0").map(\.parameter) == ["width", "id"])
        #expect(faults("id=" + String(repeating: "a", count: 2048)).isEmpty)
        #expect(faults("id=" + String(repeating: "a", count: 2049)).map(\.parameter) == ["id"])
    }

    @Test func cropByGravityAloneNeedsABoxAndNoOtherFit() {
        #expect(faults("id=a&crop=top&w=9").map(\.reason) == [.incomplete(without: ["height"])])
        #expect(
            faults("id=a&crop=top&w=9&h=9&fit=fill&gravity=left").map(\.reason)
                == [.conflict(with: ["fit", "gravity"])])
        #expect(faults("id=a&crop=top&w=9&h=9&fit=nonsense").map(\.parameter) == ["fit"])
    }

    @Test func repeatedNamesAndAliases_areRefused() {
        #expect(faults("id=a&w=1&width=1").map(\.parameter) == ["width"])
        #expect(faults("id=a&id=b").map(\.reason) == [.repeated])
    }

    /// Random bytes around valid pieces: an answer or faults, never a trap.
    @Test func rubbishNeverTraps() {
        var generator = SeededGenerator(state: 7)
        let pieces = [
            "id=", "a", "&", "width=", "crop=", "rotate=", "filter=", "blur:", "9999999999", "0.", ".", ",", "x", ":",
            "p",
            "-", "%", "%ff", "%20", "é", "+", "=", "\u{301}", "-9223372036854775808", "square", "q=", "scale=",
            "overlay=", "text=", "|", "\\", "rotate:", "tile:", "gravity=", "(", ")", "tint", "auto", "straighten",
            "attention", "bytes=", "k", "m", "radius=",
            "trim=1",
            "preset=", "download=", "page=",
            "height=",
        ]
        for _ in 0..<6000 {
            let query = (0..<Int.random(in: 1..<14, using: &generator)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            }.joined()
            guard let items = try? QueryItems.parse(query), let request = try? ImageRequest.parse(items) else {
                continue
            }
            _ = try? request.plan(for: ImageHeader(format: .gif, widthPx: 3, heightPx: 1 << 30), output: .jpeg)
        }
    }
}
