import Colors
import ImagePlan
import Parameters
import Testing

/// Focal points, questions about pixels, and turns by any angle.
private let topLeft = ImageCorner(isRight: false, isBottom: false)

@Suite(.timeLimit(.minutes(5))) struct PlacementTests {
    private func request(_ query: String) throws -> ImageRequest {
        try ImageRequest.parse(QueryItems.parse("id=a&" + query))
    }

    private func header(_ width: Int, _ height: Int, exif: Int = 1) -> ImageHeader {
        ImageHeader(format: .jpeg, widthPx: width, heightPx: height, orientation: exif)
    }

    private func question(
        _ query: String, _ source: ImageHeader, analysis: AnalysisResults = [:]
    ) throws -> PixelQuery? {
        let planning = try request(query).planning(for: source, accepting: Acceptance(only: .png), analysis: analysis)
        guard case .ask(let question) = planning else { return nil }
        return question
    }

    @Test(arguments: [
        ("0x0", 0), ("0.1x0.5", 0), ("0.25x0.5", 5), ("0.5x0.5", 30), ("0.501x0", 30), ("0.506x0", 31), ("0.9x0.5", 60),
        ("1x1", 60),
    ])
    func focalPointsStandAsNearToTheMiddleAsFits(gravity: String, x: Int) throws {
        let plan = try request("crop=40x50&gravity=" + gravity).plan(for: header(100, 50), output: .png)
        #expect(plan.extract == PixelRect(x: x, y: 0, widthPx: 40, heightPx: 50))
    }

    /// A focal point in the middle is the middle, for every pair of lengths.
    @Test func theFocalPointInTheMiddleIsTheMiddle() throws {
        for outer in 1...12 {
            for inner in 1...outer {
                var request = ImageRequest(id: "a")
                let size = PixelSize(widthPx: inner, heightPx: 1)
                request.crop = .size(size, .focus(x: 0.5, y: 0.5))
                let focused = try request.plan(for: header(outer, 1), output: .png).extract
                request.crop = .size(size, .center)
                #expect(try focused == request.plan(for: header(outer, 1), output: .png).extract)
            }
        }
    }

    @Test func nothingIsAskedWhereNothingHasToGo() throws {
        #expect(try question("crop=square,attention", header(50, 50)) == nil)
        #expect(try question("w=40&h=30&crop=attention", header(400, 300)) == nil)
        #expect(try question("w=40&h=30&fit=contain&gravity=attention", header(40, 40)) == nil)
    }

    @Test func questionsAreAskedInStoredCoordinates() throws {
        let whole = PixelRect(x: 0, y: 0, widthPx: 400, heightPx: 300)
        #expect(
            try question("w=100&h=100&crop=smart", header(400, 300))
                == .focus(.attention, region: whole, keeping: PixelSize(widthPx: 300, heightPx: 300)))
        // Seen 300 × 400, of which 300 × 200 is kept: stored that is 200 × 300.
        #expect(
            try question("w=150&h=100&fit=cover&gravity=entropy,top", header(400, 300, exif: 6))
                == .focus(.entropy, region: whole, keeping: PixelSize(widthPx: 200, heightPx: 300)))
        #expect(try question("trim=10&w=100", header(400, 300)) == .trim(tolerance: 10, corner: topLeft))
    }

    /// #15.18
    @Test func bordersAreThoseOfTheCornerThatIsSeen() throws {
        let seen = PixelGrid(labelled: PixelSize(widthPx: 8, heightPx: 6))
        for exif in 1...8 {
            let stored = Orientation(exif: exif).inverse.applied(to: seen.size)
            let grid = PixelGrid(labelled: stored)
            for (flip, turn) in [("", 0), ("&flip=h", 90), ("&flip=v", 180), ("&flip=hv", 270)] {
                let query = "trim=3&rotate=\(turn)\(flip)"
                guard
                    case .trim(_, let corner)? = try question(
                        query, header(stored.widthPx, stored.heightPx, exif: exif))
                else {
                    Issue.record("no question")
                    continue
                }
                let plan = try request("rotate=\(turn)\(flip)").plan(
                    for: header(stored.widthPx, stored.heightPx, exif: exif), output: .png)
                let row = grid.rows[corner.isBottom ? stored.heightPx - 1 : 0]
                let turned = try #require(grid.carryingOut(plan))
                #expect(row[corner.isRight ? stored.widthPx - 1 : 0] == turned.rows[0][0])
            }
        }
    }

    @Test func questionsFollowEachOther() throws {
        let source = header(400, 300)
        let query = "trim=10&crop=16:9,attention&w=90&h=90&fit=cover&gravity=entropy"
        let trim = PixelQuery.trim(tolerance: 10, corner: topLeft)
        var analysis: AnalysisResults = [trim: .region(PixelRect(x: 100, y: 50, widthPx: 160, heightPx: 180))]
        let crop = try question(query, source, analysis: analysis)
        #expect(
            crop
                == .focus(
                    .attention, region: PixelRect(x: 100, y: 50, widthPx: 160, heightPx: 180),
                    keeping: PixelSize(widthPx: 160, heightPx: 90)))
        analysis[try #require(crop)] = .point(x: 0.5, y: 1)
        let cover = try question(query, source, analysis: analysis)
        #expect(
            cover
                == .focus(
                    .entropy, region: PixelRect(x: 100, y: 140, widthPx: 160, heightPx: 90),
                    keeping: PixelSize(widthPx: 90, heightPx: 90)))
        analysis[try #require(cover)] = .point(x: 0, y: 0.5)
        let plan = try request(query).plan(for: source, output: .png, analysis: analysis)
        #expect(plan.steps == [.extract(PixelRect(x: 100, y: 140, widthPx: 90, heightPx: 90))])
    }

    /// Whatever way a picture is stored, the part around the same point of the scene is kept.
    @Test func answersTurnWithThePicture() throws {
        let seen = PixelGrid(labelled: PixelSize(widthPx: 8, heightPx: 6))
        for exif in 1...8 {
            let orientation = Orientation(exif: exif)
            let stored = orientation.inverse.applied(to: seen.size)
            let grid = PixelGrid(labelled: stored)
            let picture = grid.upright(exif: exif)
            for (column, row) in [(0, 0), (6, 1), (3, 4), (7, 5)] {
                let label = picture.rows[row][column]
                let (x, y) = (Double(label % 100) + 0.5, Double(label / 100) + 0.5)
                let answer = PixelQueryResult.point(x: x / Double(stored.widthPx), y: y / Double(stored.heightPx))
                let source = header(stored.widthPx, stored.heightPx, exif: exif)
                let request = try request("crop=3x3,attention")
                let asked = try #require(try question("crop=3x3,attention", source))
                let plan = try request.plan(for: source, output: .png, analysis: [asked: answer])
                let place = PixelRect(
                    x: min(max(column - 1, 0), 5), y: min(max(row - 1, 0), 3), widthPx: 3, heightPx: 3)
                #expect(grid.carryingOut(plan) == picture.cut(place), "EXIF \(exif), \(column), \(row)")
            }
        }
    }

    @Test func answersThatMakeNoSense_neverTrap() throws {
        let source = header(400, 300)
        let asked = try #require(try question("crop=square,attention,left", source))
        let left = PixelRect(x: 0, y: 0, widthPx: 300, heightPx: 300)
        for answer in [
            PixelQueryResult.nothing, .region(left), .point(x: .nan, y: 0), .point(x: .infinity, y: -.infinity),
        ] {
            let plan = try request("crop=square,attention,left").plan(
                for: source, output: .png, analysis: [asked: answer])
            #expect(plan.extract == left)
        }
        let far = try request("crop=square,attention").plan(
            for: source, output: .png,
            analysis: [
                .focus(
                    .attention, region: PixelRect(covering: PixelSize(widthPx: 400, heightPx: 300)), keeping: left.size):
                    .point(x: 1e300, y: -5)
            ])
        #expect(far.extract.x == 100)
        let regions = [
            PixelRect(x: Int.max, y: 0, widthPx: Int.max, heightPx: 1), PixelRect(x: 0, y: 0, widthPx: 0, heightPx: 0),
            PixelRect(x: -9, y: -9, widthPx: 9, heightPx: 9), PixelRect(x: 400, y: 0, widthPx: 1, heightPx: 1),
        ]
        for region in regions {
            let plan = try request("trim=1").plan(
                for: source, output: .png, analysis: [.trim(tolerance: 1, corner: topLeft): .region(region)])
            #expect(plan.steps.isEmpty)
        }
    }

    @Test func cropsCountFromTheTrimmedPicture() throws {
        let analysis: AnalysisResults = [
            .trim(tolerance: 0, corner: topLeft): .region(PixelRect(x: 50, y: 20, widthPx: 100, heightPx: 90))
        ]
        let plan = try request("trim=0&crop=10,10,20,20").plan(for: header(400, 300), output: .png, analysis: analysis)
        #expect(plan.extract == PixelRect(x: 60, y: 30, widthPx: 20, heightPx: 20))
        #expect(throws: PlanError.cropOutside(widthPx: 100, heightPx: 90)) {
            try request("trim=0&crop=100,0,9,9").plan(for: header(400, 300), output: .png, analysis: analysis)
        }
        // Stored upside down, the border on the left is seen on the right.
        let upsideDown = PixelQuery.trim(tolerance: 0, corner: ImageCorner(isRight: true, isBottom: true))
        let turned = try request("trim=0").plan(
            for: header(400, 300, exif: 3), output: .png,
            analysis: [upsideDown: .region(PixelRect(x: 50, y: 20, widthPx: 100, heightPx: 90))])
        #expect(turned.extract == PixelRect(x: 50, y: 20, widthPx: 100, heightPx: 90))
    }

    @Test(arguments: [
        ("45", 100, 100, 142, 142), ("30", 100, 50, 112, 94), ("-30", 100, 50, 112, 94), ("210", 100, 50, 112, 94),
        ("0.001", 100, 50, 101, 51), ("120", 100, 50, 94, 112), ("45,straighten", 100, 100, 70, 70),
        ("30,straighten", 100, 50, 53, 26), ("1,straighten", 1, 1, 1, 1), ("89.999", 10, 5, 6, 11),
    ])
    func turnsGrowOrStraighten(rotate: String, width: Int, height: Int, canvasWidth: Int, canvasHeight: Int) throws {
        let plan = try request("rotate=\(rotate)&bg=red").plan(for: header(width, height), output: .png)
        #expect(plan.outputWidthPx == canvasWidth && plan.outputHeightPx == canvasHeight)
        guard case .rotate(_, let canvas, let background)? = plan.steps.last else {
            Issue.record("\(plan.steps)")
            return
        }
        #expect(canvas == PixelSize(widthPx: canvasWidth, heightPx: canvasHeight))
        #expect(background == Color(red: 255, green: 0, blue: 0))
    }

    /// All four corners of what straightening keeps lie inside the turned picture, and all corners of the turned picture on
    /// the grown canvas.
    @Test func straightenedRectanglesLieInside() throws {
        for angle in stride(from: 1, to: 360, by: 7) where angle % 90 != 0 {
            for (width, height) in [(100, 100), (300, 40), (7, 90), (640, 480)] {
                let (sine, cosine) = (abs(sin(angle)), abs(sin(angle + 90)))
                let kept = try request("rotate=\(angle),straighten").plan(for: header(width, height), output: .png)
                let grown = try request("rotate=\(angle)").plan(for: header(width, height), output: .png)
                let (keptWidth, keptHeight) = (Double(kept.outputWidthPx), Double(kept.outputHeightPx))
                #expect(keptWidth * cosine + keptHeight * sine <= Double(width) + 1e-5 || kept.outputWidthPx == 1)
                #expect(keptWidth * sine + keptHeight * cosine <= Double(height) + 1e-5 || kept.outputHeightPx == 1)
                let across = Double(width) * cosine + Double(height) * sine
                #expect(Double(grown.outputWidthPx) >= across - 1e-5 && Double(grown.outputWidthPx) < across + 1)
            }
        }
    }

    /// The sine of whole degrees, by small rotations: another way than the one under test.
    private func sin(_ degrees: Int) -> Double {
        let step = Double.pi / 180 / 65536
        var (sine, cosine) = (step - step * step * step / 6, 1 - step * step / 2 + step * step * step * step / 24)
        for _ in 0..<16 { (sine, cosine) = (2 * sine * cosine, cosine * cosine - sine * sine) }
        var (resultSine, resultCosine) = (0.0, 1.0)
        for _ in 0..<degrees {
            (resultSine, resultCosine) =
                (resultSine * cosine + resultCosine * sine, resultCosine * cosine - resultSine * sine)
        }
        return resultSine
    }

    @Test func outlinesAndOverlaysAreScaledAndComeLast() throws {
        let source = header(100, 60)
        let query = "dpr=2&w=40&filter=invert&overlay=l:top:3:-4:0.5:0.25&radius=10&bg=red"
        #expect(
            try request(query).plan(for: source, output: .png).steps == [
                .resize(PixelSize(widthPx: 80, heightPx: 48)), .filter(.invert),
                .overlay(Overlay(id: "l", gravity: .top, x: 6, y: -8, size: .times(1), opacity: 0.25)),
                .mask(.rounded(radiusPx: 20)), .flatten(Color(red: 255, green: 0, blue: 0)),
            ])
        func steps(_ query: String, _ output: OutputFormat = .png) throws -> [ImageStep] {
            try request(query).plan(for: source, output: output).steps
        }
        #expect(try steps("radius=8000") == [.mask(.rounded(radiusPx: 30))])
        #expect(try steps("radius=10p") == [.mask(.rounded(radiusPx: 6))])
        #expect(try steps("mask=ellipse") == [.mask(.ellipse)])
        #expect(try steps("mask=ellipse&crop=square").last == .mask(.circle))
        #expect(try steps("mask=circle", .jpeg) == [.mask(.circle), .flatten(.white)])
        #expect(try steps("overlay=l:center:0:0:25p&dpr=2") == [.overlay(Overlay(id: "l", size: .percent(25)))])
    }

    @Test func turnedCanvasesOverTheLimit_areRefused() throws {
        #expect(throws: PlanError.self) {
            try request("rotate=45").plan(for: header(16000, 16000), output: .webp)
        }
        #expect(throws: PlanError.self) { try request("rotate=45").plan(for: header(6000, 6000), output: .png) }
        #expect(throws: Never.self) { try request("rotate=45,straighten").plan(for: header(6000, 6000), output: .png) }
    }
}
