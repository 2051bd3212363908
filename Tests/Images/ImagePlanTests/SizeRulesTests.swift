import Parameters
import Testing

@testable import ImagePlan

/// `--sizes` and `--image-side`, as they change or refuse requests.
@Suite(.timeLimit(.minutes(5))) struct SizeRulesTests {
    private static let rounding = SizeRules(widthsPx: [50, 100, 200])
    private static let refusing = SizeRules(widthsPx: [50, 100, 200], roundsUp: false)

    /// The canonical text under `rules`, without the id.
    private func text(_ query: String, _ rules: SizeRules = rounding) throws -> Substring {
        var request = try ImageRequest.parse(QueryItems.parse("id=a&" + query))
        try request.apply(rules)
        return request.canonical.dropFirst("id=a&".count)
    }

    private func faulty(_ query: String, _ rules: SizeRules = rounding) throws -> [String] {
        do {
            return [String(try text(query, rules))]
        } catch let faults as ParameterFaults {
            return faults.faults.map(\.parameter)
        }
    }

    @Test func bothSides_areOfTheList() throws {
        #expect(try text("w=60&h=30&fit=cover") == "width=100&height=50&fit=cover")
        #expect(try text("h=60") == "height=100")
        // Whatever the height, there are no more keys than pairs in the list.
        let texts = try Set((1...400).map { try text("w=100&h=\($0)") })
        #expect(texts == ["width=100&height=50", "width=100&height=100", "width=100&height=200"])
        #expect(try text("w=40&h=20&dpr=2") == "width=100&height=50")
        #expect(try faulty("w=100&h=51", Self.refusing) == ["height"])
        #expect(try faulty("w=50&h=25&dpr=2", Self.refusing) == ["width=100&height=50"])
    }

    @Test func whatIsMeasuredInPixels_growsWithTheSides() throws {
        #expect(
            try text("w=25&radius=4&filter=blur:2,pixelate:3&overlay=b:top:3:-2:0.5")
                == "width=50&filter=blur:4,pixelate:6&radius=8&overlay=b:top:6:-4")
        let texts = try ["w=50&dpr=2&filter=blur:2", "w=100&filter=blur:4"].map { try text($0) }
        #expect(texts.allSatisfy { $0 == "width=100&filter=blur:4" })
    }

    /// The canonical text is what the cache and other servers know an image by, so it must be a request.
    @Test func lengthsThatOutgrowTheirLimits_areRefused() throws {
        #expect(try faulty("w=25&filter=blur:80") == ["filter"])
        #expect(try faulty("w=25&filter=median:9") == ["filter"])
        #expect(
            try text(
                "w=25&overlay=b:top:3:-2:25p|tile:5&text=x|size:10|outline:red,1.5|background:blue,2|width:30|offset:1,2"
            )
                == "width=50&overlay=b:top:6:-4:25p%7Ctile:10"
                + "&text=x%7Csize:20%7Coutline:ff0000,3%7Cbackground:0000ff,4%7Cwidth:60%7Coffset:2,4")
        #expect(try text("w=25&text=x|size:5p|outline:red") == "width=50&text=x%7Csize:5p%7Coutline:ff0000")
        #expect(try faulty("w=1&overlay=b:top:800:0") == ["overlay"])
        #expect(try faulty("w=1&text=x|size:900") == ["text"])
        #expect(try faulty("w=1&radius=800") == ["radius"])
        for query in ["w=25&filter=blur:50", "w=3&h=8192&radius=9", "w=199&overlay=b:top:1:1:9&dpr=0.7"] {
            let once = try text(query)
            #expect(try text(String(once)) == once, "\(query)")
        }
    }

    @Test func fitOutside_isRefusedUnderACap() throws {
        let cap = SizeRules(sideLimitPx: 100)
        #expect(try faulty("w=80&h=80&fit=outside", cap) == ["fit"])
        #expect(try faulty("w=80&h=80&fit=cover", cap) == ["width=80&height=80&fit=cover"])
        // With one side, all fits are the same.
        #expect(try faulty("w=80&fit=outside", cap) == ["width=80&height=100"])
    }
}
