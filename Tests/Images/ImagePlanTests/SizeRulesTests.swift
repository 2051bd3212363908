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

    // MARK: The result

    /// The size of the result of a JPEG of these sides under `rules`, or the parameter that is refused.
    private func result(
        _ query: String, _ source: PixelSize, _ rules: SizeRules, trimmed: PixelRect? = nil
    ) throws -> PixelSize {
        var request = try ImageRequest.parse(QueryItems.parse("id=a&" + query))
        try request.apply(rules)
        let header = ImageHeader(format: .jpeg, widthPx: source.widthPx, heightPx: source.heightPx)
        var analysis: AnalysisResults = [:]
        while true {
            let planning = try request.planning(
                for: header, accepting: Acceptance(only: .png), analysis: analysis, limits: ResultLimits(sizes: rules))
            switch planning {
            case .plan(let plan): return PixelSize(widthPx: plan.outputWidthPx, heightPx: plan.outputHeightPx)
            case .ask(let query): analysis[query] = trimmed.map { .region($0) } ?? .nothing
            }
        }
    }

    private static let parts = [
        "", "crop=0,0,123,77", "crop=3,5,700,9", "crop=0.1,0.1,0.31,0.77", "crop=900x333", "crop=16:9", "crop=1,1,3,3",
        "trim=9",
    ]
    private static let turns = [
        "", "rotate=30", "rotate=0.3", "rotate=45", "rotate=89.9", "rotate=271.5", "rotate=17,straighten",
    ]
    private static let boxes = [
        "", "w=60", "h=60", "w=100&h=50&fit=cover", "w=100&h=200&fit=contain", "w=90&h=200&fit=fill", "w=100&h=100",
        "w=200&dpr=0.5", "w=33&dpr=3&enlarge=1", "w=200&h=200&fit=cover&enlarge=1",
    ]
    private static let sources = [
        PixelSize(widthPx: 1000, heightPx: 700), PixelSize(widthPx: 317, heightPx: 911),
        PixelSize(widthPx: 40, heightPx: 90),
    ]

    /// Calls `check` with each query of the lists above, and each source.
    private func tryAll(_ check: (_ query: String, _ source: PixelSize) throws -> Void) rethrows {
        for source in Self.sources {
            for part in Self.parts {
                for turn in Self.turns {
                    for box in Self.boxes {
                        try check([part, turn, box].filter { !$0.isEmpty }.joined(separator: "&"), source)
                    }
                }
            }
        }
    }

    /// #17: a rotation grew beyond the cap.
    @Test(arguments: [100, 250, 1000]) func noResult_isLargerThanTheCap(limit: Int) throws {
        let cap = SizeRules(sideLimitPx: limit)
        try tryAll { query, source in
            do {
                let size = try result(query, source, cap)
                #expect(max(size.widthPx, size.heightPx) <= limit, "\(query) of \(source): \(size)")
            } catch is ParameterFaults {}
        }
        #expect(try result("rotate=30", Self.sources[0], cap).widthPx == min(limit, 1216), "as large as is allowed")
    }

    /// #17: crops and rotations had any size.
    @Test func everyResult_hasAListedSide_orIsTheWholeSource() throws {
        let trimmed = PixelRect(x: 2, y: 3, widthPx: 35, heightPx: 61)
        var refusalCount = 0
        try tryAll { query, source in
            do {
                let size = try result(query, source, Self.rounding, trimmed: trimmed)
                let list = Self.rounding.widthsPx
                let isListed = list.contains(size.widthPx) || query.contains("h=") && list.contains(size.heightPx)
                // A crop may be as large as the source.
                let isWhole =
                    !["crop", "trim", "rotate"].contains(where: query.contains)
                    || size == source && !query.contains("rotate")
                #expect(isListed || isWhole, "\(query) of \(source): \(size)")
            } catch let PlanError.sizeNotListed(width, height, ofHeight, list) {
                refusalCount += 1
                #expect((ofHeight ? height : width) < 50 && list == [50, 100, 200], "\(query) of \(source)")
            }
        }
        #expect(refusalCount > 0, "what is too small is refused")
    }

    @Test func partsAndRotations_areRoundedDown_orRefused() throws {
        let source = Self.sources[0]
        #expect(try result("crop=0,0,123,77", source, Self.rounding) == PixelSize(widthPx: 100, heightPx: 63))
        #expect(try result("rotate=30&w=100", source, Self.rounding).widthPx == 100)
        #expect(try result("rotate=90", source, Self.rounding) == PixelSize(widthPx: 700, heightPx: 1000))
        #expect(try result("crop=0,0,30,30&w=50&enlarge=1", source, Self.rounding).widthPx == 50)
        #expect(try result("crop=0,0,123,77&w=100", source, Self.refusing).widthPx == 100)
        for query in ["crop=0,0,123,77", "rotate=30&w=100", "crop=0,0,123,77&w=200"] {
            #expect(throws: PlanError.self, "\(query)") { try result(query, source, Self.refusing) }
        }
    }
}
