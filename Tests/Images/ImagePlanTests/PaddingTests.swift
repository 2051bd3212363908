import Colors
import Parameters
import Testing

@testable import ImagePlan

/// `pad` and `background=blur`.
@Suite(.timeLimit(.minutes(5))) struct PaddingTests {
    private func request(_ query: String) throws -> ImageRequest {
        try ImageRequest.parse(QueryItems.parse("id=a&" + query))
    }

    private func canonical(_ query: String) throws -> String { String(try request(query).canonical.dropFirst(5)) }

    private func plan(
        _ query: String, _ width: Int = 90, _ height: Int = 60, output: OutputFormat = .png
    ) throws -> ImagePlan {
        try request(query).plan(for: ImageHeader(format: .jpeg, widthPx: width, heightPx: height), output: output)
    }

    @Test(arguments: [
        ("pad=20", "pad=20"), ("pad=20,20,20,20", "pad=20"), ("pad=1,2,1", "pad=1,2"), ("pad=1,2,3,2", "pad=1,2,3"),
        ("pad=1,2,1,3", "pad=1,2,1,3"), ("pad=010,5.50p", "pad=10,5.5p"), ("pad=0p,3", "pad=0,3"),
        ("background=blur&pad=4", "pad=4&background=blur"),
        ("background=blur&w=9&h=9&fit=contain", "width=9&height=9&fit=contain&background=blur"),
        ("pad=4&dpr=2", "scale=2&pad=4"),
    ])
    func paddingHasOneText(query: String, expected: String) throws {
        #expect(try canonical(query) == expected)
        #expect(try canonical(expected) == expected)
    }

    /// What shows nothing is not said.
    @Test(arguments: ["pad=0", "pad=0,0p,0", "background=blur", "background=blur&pad=0", "pad=0&dpr=2"])
    func paddingOfNothing_isLeftOut(query: String) throws {
        #expect(try request(query).canonical == "id=a")
    }

    @Test(arguments: [
        "pad=-1", "pad=4097", "pad=1,2,3,4,5", "pad=1,,2", "pad=101p", "pad=1.5", "pad=a", "background=blurr",
    ])
    func otherLengths_areRefused(query: String) {
        #expect(throws: ParameterFaults.self) { try request(query) }
    }

    @Test func theResultIsLargerByIt() throws {
        #expect(
            try plan("width=30&pad=1,2,3,4&bg=red").steps == [
                .resize(PixelSize(widthPx: 30, heightPx: 20)),
                .pad(canvas: PixelSize(widthPx: 36, heightPx: 24), x: 4, y: 1, background: Color(rgb: 0xff0000)),
            ])
        #expect(
            try plan("width=30&pad=10p,0&scale=2").steps == [
                .resize(PixelSize(widthPx: 60, heightPx: 40)),
                .pad(canvas: PixelSize(widthPx: 60, heightPx: 48), x: 0, y: 4, background: .transparent),
            ])
        #expect(
            try plan("width=30&height=30&fit=contain&gravity=bottom&pad=1&scale=2", output: .jpeg).steps == [
                .resize(PixelSize(widthPx: 60, heightPx: 40)),
                .pad(canvas: PixelSize(widthPx: 64, heightPx: 64), x: 2, y: 22, background: .white),
            ])
    }

    @Test func theBlurredImage_takesThePlaceOfTheColor() throws {
        let canvas = PixelSize(widthPx: 30, heightPx: 30)
        let contained = "width=30&height=30&fit=contain&background=blur"
        #expect(
            try plan(contained, output: .jpeg).steps == [
                .resize(PixelSize(widthPx: 30, heightPx: 20)), .surround(canvas: canvas, x: 0, y: 5),
            ])
        // Nothing shows through, so JPEG is as good as others.
        let source = ImageHeader(format: .jpeg, widthPx: 90, heightPx: 60)
        let accepting = Acceptance { AcceptedQuality(quality: [.jpeg, .png].contains($0) ? 1 : 0, isExplicit: true) }
        guard case .plan(let blurred) = try request(contained).planning(for: source, accepting: accepting),
            case .plan(let clear) = try request("width=30&pad=3").planning(for: source, accepting: accepting)
        else { return #expect(Bool(false)) }
        #expect(blurred.encoding.formats == [.jpeg])
        #expect(clear.encoding.formats == [.png])
    }

    @Test func rulesOfSizes_holdForTheWholeResult() throws {
        let source = ImageHeader(format: .jpeg, widthPx: 900, heightPx: 600)
        func size(_ query: String, _ rules: SizeRules) throws -> PixelSize {
            var asked = try request(query)
            try asked.apply(rules)
            let planning = try asked.planning(
                for: source, accepting: Acceptance(only: .png), limits: ResultLimits(sizes: rules))
            guard case .plan(let plan) = planning else { throw UnansweredQuestion(planning: planning) }
            return PixelSize(widthPx: plan.outputWidthPx, heightPx: plan.outputHeightPx)
        }
        for pad in ["pad=50", "pad=50p", "pad=0,400", "pad=1,2,3,4", "pad=33p,0,0,7p&rotate=20"] {
            let limited = try size("width=300&\(pad)", SizeRules(sideLimitPx: 320))
            #expect(max(limited.widthPx, limited.heightPx) <= 320, "\(pad): \(limited)")
            let listed = try size("width=200&\(pad)", SizeRules(widthsPx: [50, 100, 200]))
            #expect([50, 100, 200].contains(listed.widthPx), "\(pad): \(listed)")
        }
        #expect(try size("width=300&pad=10", SizeRules(sideLimitPx: 320)) == PixelSize(widthPx: 320, heightPx: 220))
        var asked = try request("w=25&pad=3,10p")
        try asked.apply(SizeRules(widthsPx: [50, 100]))
        #expect(asked.canonical == "id=a&width=50&pad=6,10p")
    }

    @Test func aBlurredBackground_hasAPriceBeforeWork() throws {
        let source = ImageHeader(format: .jpeg, widthPx: 900, heightPx: 600)
        let cost = try plan("width=600&height=600&fit=contain&background=blur", 900, 600).predictedCost(source)
        let step = try #require(cost.steps.first { $0.name == "surround" })
        #expect(step.microseconds > 1000 && step.byteCount >= 2 * 3 * (600 * 600 + 600 * 400))
        let hidden = try plan("width=600&filter=blur:8:10p:10p:10p:10p", 900, 600).predictedCost(source)
        let whole = try plan("width=600&filter=blur:8", 900, 600).predictedCost(source)
        #expect(hidden.microseconds < whole.microseconds)
        #expect(hidden.steps.contains { $0.name == "filter blur:8:10p:10p:10p:10p" && $0.microseconds > 0 })
    }
}
