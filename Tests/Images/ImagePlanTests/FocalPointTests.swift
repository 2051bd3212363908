import ImagePlan
import Parameters
import Testing

/// `gravity=focus`, the point that somebody stored for an image.
@Suite(.timeLimit(.minutes(5))) struct FocalPointTests {
    private func request(_ query: String, _ x: PlainDecimal = 0.8, _ y: PlainDecimal = 0.25) throws -> ImageRequest {
        var request = try ImageRequest.parse(QueryItems.parse("id=a&" + query))
        request.focalPoint = FocalPoint(x: x, y: y)
        return request
    }

    private func header(_ width: Int, _ height: Int, exif: Int = 1) -> ImageHeader {
        ImageHeader(format: .jpeg, widthPx: width, heightPx: height, orientation: exif)
    }

    @Test(arguments: [
        ("crop=40x40,focus", "crop=40x40,0.8x0.25"), ("crop=square&gravity=focus", "crop=square&gravity=0.8x0.25"),
        ("width=50&height=50&crop=focus,top", "width=50&height=50&crop=0.8x0.25"),
        ("width=20&height=60&fit=cover&gravity=focus", "width=20&height=60&fit=cover&gravity=0.8x0.25"),
    ])
    func theStoredPoint_isKeptAsOneInTheURLWouldBe(stored: String, written: String) throws {
        #expect(
            try request(stored).plan(for: header(200, 100), output: .png).steps
                == request(written).plan(for: header(200, 100), output: .png).steps)
    }

    /// The point is of the upright image; what the request does with it moves the point along.
    @Test func thePoint_movesWithTheImage_inAllWaysToLayIt() throws {
        let side = 100
        for exif in 1...8 {
            for (look, x, y) in [
                ("", 80, 25), ("&flip=h", 20, 25), ("&flip=v", 80, 75), ("&rotate=90", 75, 80), ("&rotate=180", 20, 75),
                ("&rotate=270", 25, 20), ("&rotate=90&flip=h", 75, 20),
            ] {
                let query = "crop=10x10,focus" + look
                let plan = try request(query).plan(for: header(side, side, exif: exif), output: .png)
                let orientation = try request(query).orientation(exif: exif)
                let stored = PixelRect(x: x - 5, y: y - 5, widthPx: 10, heightPx: 10)
                let whole = PixelSize(widthPx: side, heightPx: side)
                #expect(plan.extract == orientation.inverse.applied(to: stored, within: whole), "\(exif) \(look)")
            }
        }
        // As it is stored, an image that EXIF turns by a quarter shows the point elsewhere.
        let plan = try request("crop=10x10,focus&rotate=none").plan(for: header(side, side, exif: 6), output: .png)
        #expect(plan.extract == PixelRect(x: 20, y: 15, widthPx: 10, heightPx: 10))
    }

    @Test func aRegion_keepsWhatIsNearestToAPointOutsideIt() throws {
        let plan = try request("crop=0,0,100,100&width=20&height=40&fit=cover&gravity=focus")
            .plan(for: header(200, 100), output: .png)
        // Seen from the left half, the point is beyond its right edge.
        #expect(plan.extract == PixelRect(x: 50, y: 0, widthPx: 50, heightPx: 100))
    }

    @Test func withoutAPoint_pixelsDecideAsForAttention() throws {
        func question(_ query: String) throws -> PixelQuery? {
            let request = try ImageRequest.parse(QueryItems.parse("id=a&" + query))
            let planning = try request.planning(for: header(400, 300), accepting: Acceptance(only: .png))
            guard case .ask(let question) = planning else { return nil }
            return question
        }
        #expect(try question("crop=square,focus") == question("crop=square,attention"))
        #expect(try question("crop=square,focus") != nil)
        #expect(try request("crop=square,focus").placeWithoutPixels == nil)
        let alone = try ImageRequest.parse(QueryItems.parse("id=a&width=9&height=9&crop=focus,left"))
        #expect(alone.placeWithoutPixels == .left)
    }

    @Test func itsSpelling_isCanonical_andOfThePoint_nothingIs() throws {
        #expect(try request("w=9&h=9&crop=focus").canonical == "id=a&width=9&height=9&fit=cover&gravity=focus")
        #expect(try request("crop=16:9,focus,top").canonical == "id=a&crop=16:9,focus,top")
        #expect(try request("w=9&h=9&fit=contain&gravity=focus,top").canonical.hasSuffix("&gravity=top"))
        #expect(try request("crop=square,focus").usesFocalPoint && request("w=9&h=9&crop=focus").usesFocalPoint)
        #expect(try !request("w=9&gravity=focus").usesFocalPoint)
        #expect(throws: ParameterFaults.self) { try request("w=9&h=9&crop=focus,focus") }
    }
}
