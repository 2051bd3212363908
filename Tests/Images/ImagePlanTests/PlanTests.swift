import Colors
import ImagePlan
import Parameters
import Testing

@Suite(.timeLimit(.minutes(5))) struct PlanTests {
    private func plan(
        _ query: String, _ width: Int, _ height: Int, exif: Int = 1, hasAlpha: Bool = false,
        output: OutputFormat = .jpeg
    ) throws -> ImagePlan {
        let request = try ImageRequest.parse(QueryItems.parse("id=a&" + query))
        let source = ImageHeader(format: .jpeg, widthPx: width, heightPx: height, orientation: exif, hasAlpha: hasAlpha)
        return try request.plan(for: source, output: output)
    }

    private func size(_ query: String, _ width: Int, _ height: Int, exif: Int = 1) throws -> PixelSize {
        let plan = try plan(query, width, height, exif: exif)
        return PixelSize(widthPx: plan.outputWidthPx, heightPx: plan.outputHeightPx)
    }

    @Test(arguments: [
        ("", 4000, 3000), ("width=800", 800, 600), ("height=600", 800, 600), ("width=801", 801, 601),
        ("width=50p", 2000, 1500), ("width=33.3p", 1332, 999), ("width=50p&height=50p&fit=fill", 2000, 1500),
        ("width=800&height=600&fit=cover", 800, 600), ("width=800&height=800", 800, 600),
        ("width=800&height=800&fit=cover", 800, 800), ("width=800&height=800&crop=top", 800, 800),
        ("width=800&height=800&fit=outside", 1067, 800), ("width=800&height=800&fit=contain", 800, 800),
        ("width=800&height=100&fit=fill", 800, 100), ("width=8000", 4000, 3000), ("width=8000&enlarge=1", 8000, 6000),
        ("width=800&scale=2", 1600, 1200), ("width=800&scale=0.5", 400, 300), ("width=101&scale=1.5", 152, 114),
        ("scale=2", 4000, 3000), ("width=25p&scale=2", 2000, 1500),
        ("crop=square&width=100", 100, 100), ("crop=16:9", 4000, 2250), ("crop=9:16", 1688, 3000),
        ("crop=1.91:1&width=1200", 1200, 628), ("crop=600x400,top", 600, 400), ("crop=6000x400", 4000, 400),
        ("crop=0.25,0.25,0.5,0.5", 2000, 1500), ("crop=100,100,50,50&width=50p", 25, 25),
        ("rotate=90&width=300", 300, 400), ("rotate=-90&width=300&height=400&fit=cover", 300, 400),
        ("rotate=180&width=400", 400, 300),
    ])
    func sizesAreExact(query: String, width: Int, height: Int) throws {
        #expect(try size(query, 4000, 3000) == PixelSize(widthPx: width, heightPx: height))
    }

    /// The box is an upper bound for a source that is smaller than it, unless `enlarge=1`.
    @Test(arguments: [
        ("fit=inside", 200, 100), ("fit=cover", 200, 100), ("fit=outside", 200, 100), ("fit=fill", 200, 100),
        ("fit=contain", 400, 300), ("fit=inside&enlarge=1", 400, 200), ("fit=cover&enlarge=1", 400, 300),
        ("fit=outside&enlarge=1", 600, 300), ("fit=fill&enlarge=1", 400, 300), ("fit=contain&enlarge=1", 400, 300),
    ])
    func smallSourcesDoNotGrowUnlessAsked(query: String, width: Int, height: Int) throws {
        #expect(try size("width=400&height=300&" + query, 200, 100) == PixelSize(widthPx: width, heightPx: height))
    }

    @Test func coverCutsOnlyTheSideThatJutsOut() throws {
        #expect(try size("width=400&height=50&fit=cover", 200, 100) == PixelSize(widthPx: 200, heightPx: 50))
    }

    @Test func exifTurnsTheSourceBeforeSizing() throws {
        for exif in 1...8 {
            let isTurned = exif >= 5
            let expected = PixelSize(widthPx: 300, heightPx: isTurned ? 400 : 225)
            #expect(try size("width=300", 4000, 3000, exif: exif) == expected)
            #expect(try size("width=300&rotate=none", 4000, 3000, exif: exif).heightPx == 225)
        }
    }

    @Test func stepsComeInTheOrderThatTurnsTheSmallestPicture() throws {
        let plan = try plan(
            "rotate=90&crop=0,0,1500,2000&w=300&h=300&fit=cover&filter=blur:2,grayscale&scale=2&bg=red", 4000, 3000,
            hasAlpha: true, output: .png)
        #expect(
            plan.steps == [
                .extract(PixelRect(x: 250, y: 1500, widthPx: 1500, heightPx: 1500)),
                .resize(PixelSize(widthPx: 600, heightPx: 600)),
                .orient(Orientation(isMirrored: false, quarterTurns: 1)),
                .filter(.blur(sigma: 4)), .filter(.grayscale),
                .flatten(Color(red: 255, green: 0, blue: 0)),
            ])
        #expect(plan.outputWidthPx == 600 && plan.outputHeightPx == 600)
    }

    /// Cut after resizing, 267 × 200 pixels of 4000 × 3000 would be kept from column 33 on, which is 494 of the source.
    @Test func whatCoverKeeps_isCutOutExactly() throws {
        let plan = try plan("w=200&h=200&fit=cover", 4000, 3000)
        #expect(
            plan.steps == [
                .extract(PixelRect(x: 500, y: 0, widthPx: 3000, heightPx: 3000)),
                .resize(PixelSize(widthPx: 200, heightPx: 200)),
            ])
        // What grows is cut afterwards, where the picture is large.
        let grown = try self.plan("w=200&h=200&fit=cover&enlarge=1", 40, 30)
        #expect(
            grown.steps == [
                .resize(PixelSize(widthPx: 267, heightPx: 200)),
                .crop(PixelRect(x: 33, y: 0, widthPx: 200, heightPx: 200)),
            ])
    }

    @Test func nothingToDo_isNoStep() throws {
        #expect(try plan("", 10, 10).steps.isEmpty)
        #expect(try plan("width=10&crop=0,0,10,10&filter=contrast:0&rotate=360&flip=", 10, 10).steps.isEmpty)
        #expect(try plan("flip=hv&rotate=180", 10, 10).steps.isEmpty)
        #expect(try plan("flip=h", 10, 10, exif: 2).steps.isEmpty)
    }

    @Test func blursThatFollowEachOtherBecomeOne() throws {
        func filters(_ text: String) throws -> [ImageStep] { try plan("scale=2&filter=" + text, 9, 9).steps }
        #expect(try filters("blur:3,blur:4") == [.filter(.blur(sigma: 10))])
        #expect(try filters("blur:3,contrast:0,blur:4,grayscale") == [.filter(.blur(sigma: 10)), .filter(.grayscale)])
        #expect(
            try filters("blur:3,grayscale,blur:4")
                == [.filter(.blur(sigma: 6)), .filter(.grayscale), .filter(.blur(sigma: 8))])
        let most = try plan("scale=4&filter=" + [String](repeating: "blur:100", count: 16).joined(separator: ","), 9, 9)
        #expect(most.steps == [.filter(.blur(sigma: 1600))])
    }

    @Test func transparencyBecomesTheBackgroundWhereTheFormatHasNone() throws {
        let red = Color(red: 255, green: 0, blue: 0)
        #expect(try plan("", 9, 9, hasAlpha: true).steps == [.flatten(.white)])
        #expect(try plan("bg=red", 9, 9, hasAlpha: true).steps == [.flatten(red)])
        #expect(
            try plan("bg=ff000080", 9, 9, hasAlpha: true).steps
                == [.flatten(Color(red: 255, green: 127, blue: 127))])
        #expect(try plan("", 9, 9, hasAlpha: true, output: .png).steps.isEmpty)
        #expect(try plan("bg=red", 9, 9, hasAlpha: true, output: .png).steps == [.flatten(red)])
        #expect(try plan("bg=red", 9, 9, hasAlpha: false).steps.isEmpty)
        let padded = PixelSize(widthPx: 19, heightPx: 9)
        #expect(try plan("w=19&h=9&fit=contain", 9, 9).steps == [.pad(canvas: padded, x: 5, y: 0, background: .white)])
        #expect(
            try plan("w=19&h=9&fit=contain&gravity=right", 9, 9, output: .webp).steps
                == [.pad(canvas: padded, x: 10, y: 0, background: .transparent)])
    }

    @Test func qualityIsTheFormatsOwnUnlessAsked() throws {
        #expect(try plan("", 9, 9).encoding.quality == nil)
        #expect(try plan("q=30&format=avif", 9, 9).encoding == Encoding(formats: [.avif], quality: .fixed(30)))
        #expect(try plan("q=30", 9, 9, output: .png).encoding == Encoding(formats: [.png]))
    }

    @Test func loadShrinkLeavesEveryPixelThatIsNeeded() throws {
        #expect(try plan("width=800", 4000, 3000).loadShrinkLimit == 5)
        #expect(try plan("width=800&height=3000&fit=fill", 4000, 3000).loadShrinkLimit == 1)
        #expect(try plan("width=8000&enlarge=1", 4000, 3000).loadShrinkLimit == 1)
        #expect(try plan("", 4000, 3000).loadShrinkLimit == 1)
        #expect(try plan("crop=1001,501,2000,1000&width=500", 4000, 3000).loadShrinkLimit == 4)
    }

    @Test func fractionsThatShareAnEdgeShareItInPixels() throws {
        for side in 1...50 {
            let left = try plan("crop=0.0,0.0,0.3,1.0", side, 1).extract
            let right = try plan("crop=0.3,0.0,0.7,1.0", side, 1).extract
            if side > 1 { #expect(left.widthPx == right.x && right.x + right.widthPx == side) }
            #expect(left.widthPx >= 1 && right.widthPx >= 1)
        }
        #expect(throws: PlanError.cropOutside(widthPx: 9, heightPx: 9)) { try plan("crop=1.0,0.0,0.1,1.0", 9, 9) }
    }

    @Test func resultsOverTheLimit_areRefused() throws {
        func refusal(_ width: Int, _ height: Int, side: Int = 16384, area: Int = 50_000_000) -> PlanError {
            .outputTooLarge(widthPx: width, heightPx: height, sideLimitPx: side, areaLimitPx: area)
        }
        #expect(try size("", 16384, 1) == PixelSize(widthPx: 16384, heightPx: 1))
        #expect(throws: refusal(16385, 1)) { try plan("", 16385, 1) }
        #expect(throws: refusal(32768, 32768)) { try plan("w=8192&h=8192&scale=4&fit=contain", 9, 9) }
        #expect(throws: refusal(8_000_000, 800)) { try plan("w=800&h=800&fit=cover&enlarge=1", 10000, 1) }
        // The picture is over the limit only on its way down.
        #expect(try size("w=800&h=800&fit=cover", 40000, 1000) == PixelSize(widthPx: 800, heightPx: 800))
        #expect(try size("w=100&h=8192&scale=4&fit=inside&enlarge=1", 9, 9) == PixelSize(widthPx: 400, heightPx: 400))
        // WebP has 14 bits for a side.
        #expect(throws: refusal(16384, 1, side: 16383, area: 25_000_000)) { try plan("", 16384, 1, output: .webp) }
        #expect(try plan("", 16383, 1, output: .webp).outputWidthPx == 16383)
    }

    @Test(arguments: OutputFormat.allCases)
    func areasOverTheLimit_areRefused(_ output: OutputFormat) throws {
        let area = output.areaLimitPx
        func refusal(_ width: Int, _ height: Int) -> PlanError {
            .outputTooLarge(widthPx: width, heightPx: height, sideLimitPx: output.sideLimitPx, areaLimitPx: area)
        }
        let height = area / 10000
        #expect(try plan("", 10000, height, output: output).outputHeightPx == height)
        #expect(throws: refusal(10000, height + 1)) { try plan("", 10000, height + 1, output: output) }
        #expect(throws: refusal(16000, 16000)) { try plan("w=8000&scale=2&enlarge=1", 100, 100, output: output) }
        // Enlarged only to be cut: every pixel on the way counts, unless the source has as many.
        #expect(throws: refusal(16000, 8000)) {
            try plan("w=8000&h=4000&scale=2&fit=outside&enlarge=1", 200, 100, output: output)
        }
        #expect(throws: refusal(12800, 12000)) {
            try plan("w=1&h=6000&scale=2&fit=cover&enlarge=1", 1600, 1500, output: output)
        }
        #expect(try plan("w=1&h=8000&fit=cover", 10000, 10000, output: output).outputHeightPx == 8000)
    }

    @Test func impossibleSources_areRefusedWithoutTrapping() throws {
        for side in [0, -1, Int.max, Int.min, (1 << 30) + 1] {
            #expect(throws: PlanError.invalidSourceSize(widthPx: side, heightPx: 1)) { try plan("w=9", side, 1) }
            #expect(throws: PlanError.invalidSourceSize(widthPx: 1, heightPx: side)) { try plan("w=9", 1, side) }
        }
        for query in [
            "w=1000p&h=1000p&scale=4&enlarge=1", "w=1", "w=8192&scale=4&enlarge=1", "crop=0.000000001:100000",
            "crop=0.001:100000&w=9", "crop=100000:0.001&w=9", "h=0.01p&w=1000p&scale=4&fit=fill", "crop=1000000,0,9,9",
        ] {
            for source in [PixelSize(widthPx: 1 << 30, heightPx: 1 << 30), PixelSize(widthPx: 1, heightPx: 1 << 30)] {
                _ = try? plan(query, source.widthPx, source.heightPx)
                _ = try? plan(query, source.heightPx, source.widthPx)
            }
        }
    }
}
