import ImagePlan
import Parameters
import Testing

@Suite(.timeLimit(.minutes(5))) struct NegotiationTests {
    /// What clients send: named types with their quality, and the quality of everything else.
    private func accepting(_ named: [OutputFormat: Double], others: Double = 0) -> Acceptance {
        Acceptance { format in AcceptedQuality(quality: named[format] ?? others, isExplicit: named[format] != nil) }
    }

    private var anything: Acceptance { accepting([:], others: 1) }
    private var browser: Acceptance { accepting([.avif: 1, .webp: 1], others: 0.8) }

    private func header(
        _ format: SourceFormat, _ width: Int = 800, _ height: Int = 600, alpha: Bool = false, pages: Int = 1,
        flat: Bool = false
    ) -> ImageHeader {
        ImageHeader(
            format: format, widthPx: width, heightPx: height, hasAlpha: alpha, pageCount: pages,
            isAnimated: pages > 1 && (format == .gif || format == .webp), isFlat: flat)
    }

    private func plan(
        _ query: String, _ source: ImageHeader, _ accepting: Acceptance, limits: ResultLimits = ResultLimits()
    ) throws -> ImagePlan {
        let request = try ImageRequest.parse(QueryItems.parse("id=a&" + query))
        let planning = try request.planning(for: source, accepting: accepting, limits: limits)
        guard case .plan(let plan) = planning else { throw UnansweredQuestion(planning: planning) }
        return plan
    }

    private func formats(_ query: String, _ source: ImageHeader, _ accepting: Acceptance) throws -> [OutputFormat] {
        try plan(query, source, accepting).encoding.formats
    }

    @Test func photographsAreLossy() throws {
        #expect(try formats("", header(.jpeg), anything) == [.jpeg])
        #expect(try formats("", header(.jpeg), browser) == [.avif, .webp])
        #expect(try formats("", header(.jpeg), accepting([.webp: 1], others: 0.8)) == [.webp])
        #expect(try formats("", header(.jpeg), accepting([.webp: 1, .jpeg: 1, .png: 1])) == [.webp, .jpeg])
        #expect(try formats("", header(.heic), anything) == [.jpeg])
        #expect(try formats("", header(.tiff), anything) == [.jpeg, .png])
    }

    /// `Accept: image/png,image/*;q=0.8` takes JPEG too: #15.19.
    @Test func photographsAreNotMadeIntoPNG_whereJPEGIsTaken() throws {
        let namingPNG = accepting([.png: 1], others: 0.8)
        #expect(try formats("", header(.jpeg), namingPNG) == [.jpeg])
        #expect(try formats("", header(.heic), namingPNG) == [.jpeg])
        // These may be drawings, which the pixels tell.
        for format in [SourceFormat.tiff, .png, .bmp] {
            #expect(try formats("", header(format), namingPNG) == [.jpeg, .png])
            #expect(try formats("", header(format, flat: true), namingPNG) == [.png])
            #expect(try formats("lossless=1", header(format), namingPNG) == [.png])
            #expect(try formats("mask=circle", header(format), namingPNG) == [.png])
            #expect(try formats("", header(format), accepting([.png: 1])) == [.png])
        }
        #expect(try formats("", header(.heic), accepting([.png: 1])) == [.png])
    }

    @Test func avifIsLeftOutAboveItsPixelBudget() throws {
        #expect(try formats("", header(.jpeg, 2000, 1000), browser) == [.avif, .webp])
        #expect(try formats("", header(.jpeg, 2000, 1001), browser) == [.webp])
        #expect(try formats("w=1000", header(.jpeg, 4000, 3000), browser) == [.avif, .webp])
        #expect(try formats("", header(.jpeg, 2000, 1001), accepting([.avif: 1], others: 0.5)) == [.jpeg])
        #expect(try formats("", header(.jpeg, 2000, 1001), accepting([.avif: 1])) == [.avif])
    }

    @Test func alphaIsKeptWhereItCanShow() throws {
        let source = header(.png, alpha: true)
        #expect(try formats("", source, anything) == [.png])
        #expect(try formats("", source, browser) == [.avif, .webp])
        #expect(try formats("bg=white", source, anything) == [.jpeg, .png])
        #expect(try formats("", source, accepting([.jpeg: 1])) == [.jpeg])
        #expect(try formats("mask=circle", header(.jpeg), anything) == [.png])
        #expect(try formats("radius=9&bg=red", header(.jpeg), anything) == [.jpeg])
        #expect(try formats("rotate=10", header(.jpeg), anything) == [.png])
        #expect(try formats("rotate=10,straighten", header(.jpeg), anything) == [.jpeg])
        #expect(try formats("w=9&h=9&fit=contain", header(.jpeg), anything) == [.png])
    }

    @Test func flatPicturesAreNotMadeIntoPhotographs() throws {
        #expect(try formats("", header(.png, flat: true), anything) == [.png])
        #expect(try formats("", header(.png, flat: true), browser) == [.webp])
        #expect(try formats("", header(.png, flat: true), accepting([.jpeg: 1])) == [.jpeg])
        #expect(try formats("", header(.gif, flat: true), accepting([.webp: 1, .png: 1])) == [.webp, .png])
    }

    @Test func lossless_isSentInWhatCanHoldIt() throws {
        #expect(try formats("lossless=1", header(.jpeg), anything) == [.png])
        #expect(try formats("lossless=1", header(.jpeg), browser) == [.webp])
        #expect(try formats("lossless=1", header(.jpeg), accepting([.jpeg: 1])) == [.png])
    }

    @Test func animationsNeverBecomeGIFWhereWebPIsAccepted() throws {
        let source = header(.gif, 100, 100, alpha: true, pages: 20, flat: true)
        #expect(try formats("", source, anything) == [.gif])
        #expect(try formats("", source, browser) == [.webp])
        #expect(try formats("", source, accepting([.gif: 1, .webp: 0.1])) == [.webp])
        #expect(try plan("", source, anything).pages == .first(20))
        #expect(try plan("", source, accepting([.jpeg: 1])).pages == .one(0))
        #expect(try formats("page=2", source, anything) == [.png])
        #expect(try formats("", header(.gif, flat: true), anything) == [.png])
        #expect(try formats("", header(.jpeg), accepting([.gif: 1])) == [.gif])
    }

    @Test func jpegXLIsSentOnlyToClientsThatNameNothingBetterKnown() throws {
        #expect(try formats("", header(.jpeg), accepting([.jxl: 1, .avif: 1], others: 0.5)) == [.avif])
        #expect(try formats("", header(.jpeg), accepting([.jxl: 1], others: 0.5)) == [.jxl])
        #expect(try formats("format=jxl", header(.jpeg), anything) == [.jxl])
    }

    @Test func theClientsPreferenceComesFirst() throws {
        #expect(try formats("", header(.jpeg), accepting([.avif: 0.5, .webp: 0.9], others: 0.8)) == [.webp])
        #expect(try formats("", header(.jpeg), accepting([.avif: 0.5], others: 0.8)) == [.jpeg])
        #expect(try formats("", header(.jpeg), accepting([.png: 1])) == [.png])
        #expect(try formats("", header(.jpeg), accepting([:])) == [.jpeg])
        #expect(try formats("format=webp", header(.jpeg), accepting([.jpeg: 1])) == [.webp])
    }

    @Test func formatsThatCannotHoldTheSize_areLeftOut() throws {
        #expect(try formats("", header(.jpeg, 7000, 7000), accepting([.webp: 1], others: 0.5)) == [.jpeg])
        #expect(try formats("", header(.jpeg, 16384, 100), accepting([.webp: 1, .jpeg: 1])) == [.jpeg])
    }

    @Test func theSourceMayStayWhereItsFormatIsAccepted() throws {
        #expect(try plan("", header(.jpeg), browser).encoding.acceptsSource)
        #expect(try plan("format=jpeg", header(.jpeg), browser).encoding.acceptsSource)
        #expect(try !plan("format=webp", header(.jpeg), browser).encoding.acceptsSource)
        #expect(try !plan("", header(.heic), browser).encoding.acceptsSource)
        #expect(try !plan("", header(.webp), anything).encoding.acceptsSource)
    }

    @Test func qualitiesAreNotForFormatsWithoutLoss() throws {
        #expect(try plan("q=40", header(.png, alpha: true), anything).encoding.quality == nil)
        #expect(try plan("q=40&format=png", header(.png), anything).encoding.quality == nil)
        #expect(try plan("q=40&format=gif", header(.png), anything).encoding.quality == nil)
        #expect(try plan("q=40", header(.png, alpha: true), browser).encoding.quality == .fixed(40))
    }

    @Test func framesBeyondTheLimits_areLeftOutWithTheReason() throws {
        let source = header(.gif, 100, 100, pages: 20)
        let few = ResultLimits(frameCount: 19, totalPixelCount: 1_000_000)
        let exact = ResultLimits(frameCount: 20, totalPixelCount: 200_000)
        let small = ResultLimits(frameCount: 20, totalPixelCount: 199_999)
        #expect(try plan("", source, browser, limits: exact).pages == .first(20))
        for limits in [few, small] {
            let plan = try plan("", source, browser, limits: limits)
            #expect(plan.pages == .one(0) && plan.omission == .limit)
            #expect(plan.encoding.formats == [.avif, .webp])
        }
        // Frames are counted at the size that they are sent in.
        #expect(try plan("w=99", source, browser, limits: small).omission == nil)
        #expect(try plan("page=1", source, browser, limits: few).omission == nil)
        #expect(try plan("format=jpeg", source, browser, limits: few).omission == nil)
        #expect(try plan("format=jpeg&pages=all", source, browser).omission == .format)
        #expect(try plan("format=gif", source, browser, limits: few).omission == .limit)
    }

    @Test func pagesOfDocumentsAreSentWhereTheyAreAskedFor() throws {
        let source = header(.tiff, pages: 3)
        #expect(try plan("format=tiff", source, anything).pages == .one(0))
        #expect(try plan("format=tiff&pages=all", source, anything).pages == .first(3))
        #expect(try plan("page=3", source, anything).pages == .one(2))
        #expect(throws: PlanError.pageOutside(page: 4, pageCount: 3)) { try plan("page=4", source, anything) }
    }
}
