import Bytes
import ImagePlan
import Parameters
import Testing
import WrittenDocuments

@testable import ImageEngine

/// What libtiff unpacks of a page is known, and has its price, before it does.
@Suite(.timeLimit(.minutes(5))) struct TIFFLayoutTests {
    private func header(_ page: WrittenTIFF.Page) throws -> ImageHeader {
        try engineStart.get()
        return try ImageEngine.probe(SharedBytes(WrittenTIFF.bytes([page])), limits: ImageLimits())
    }

    private func tiled(
        _ widthPx: Int, _ heightPx: Int, by tile: PixelSize, type: Int = 4
    ) -> WrittenTIFF.Page {
        var page = WrittenTIFF.Page(widthPx, heightPx)
        page.changes = [(tag: 322, type: type, value: tile.widthPx), (tag: 323, type: type, value: tile.heightPx)]
        return page
    }

    private func cost(_ header: ImageHeader) -> PredictedCost {
        ImagePlan(source: header.size, steps: [], output: header.size, encoding: Encoding(formats: []))
            .predictedCost(header)
    }

    private func layout(_ page: WrittenTIFF.Page) throws -> TIFFLayout {
        let file = SharedBytes(WrittenTIFF.bytes([page]))
        let found = TIFFPage(page: 0, of: file.span)
        return try #require(found).layout(ofLevel: nil)
    }

    /// A million tiles could point at the same bytes: these 10,000 million pixels had the price of a million. libtiff takes the
    /// sides of a tile as numbers of any type.
    @Test(arguments: [3, 4, 8, 9]) func tilesMuchLargerThanTheImage_areRefused(type: Int) throws {
        let page = tiled(1_000_000, 1, by: PixelSize(widthPx: 16, heightPx: 10_000), type: type)
        #expect(
            throws: ImageError.tooManyPixels(
                widthPx: 1_000_000, heightPx: 10_000, pageCount: 1, limit: 20_000_000)
        ) { try header(page) }
    }

    @Test func tilesMuchLargerThanALevel_areRefused_whereItIsRead() throws {
        var page = WrittenTIFF.Page(1024, 768)
        page.levels = [tiled(512, 384, by: PixelSize(widthPx: 10_000, heightPx: 10_000))]
        let file = SharedBytes(WrittenTIFF.bytes([page]))
        #expect(
            try renderError(file, "width=128")
                == .tooManyPixels(
                    widthPx: 10_000, heightPx: 10_000, pageCount: 1, limit: 4 * 512 * 384 + 16_000_000))
        // The page itself can be had.
        #expect(try renderError(file, "width=1000") == nil)
    }

    @Test func moreSamplesThanAPictureHas_areRefused() throws {
        func page(of samples: Int) -> WrittenTIFF.Page {
            var page = WrittenTIFF.Page(8, 8)
            page.changes = [(tag: 277, type: 3, value: samples)]
            return page
        }
        let most = try layout(page(of: 16))
        #expect(throws: Never.self) { try most.check() }
        for count in [17, 1000, 10_000] {
            #expect(throws: ImageError.unsupportedFormat) { try header(page(of: count)) }
        }
    }

    @Test func whatTilesOverhang_hasItsPrice() throws {
        let long = try header(tiled(3000, 1, by: PixelSize(widthPx: 16, heightPx: 1024)))
        #expect(long.unpackedByteCount == 3008 * 1024 * 3 && long.heldByteCount == 16 * 1024)
        // 3 million pixels, not 3,000.
        #expect(cost(long).microseconds > 20_000 && cost(long).byteCount >= 16 * 1024)
        // A level that may be read in place of the page.
        var page = WrittenTIFF.Page(256, 192)
        page.levels = [tiled(128, 96, by: PixelSize(widthPx: 2048, heightPx: 2048))]
        let level = try header(page)
        #expect(level.unpackedByteCount == 2048 * 2048 * 3 && cost(level).microseconds > 20_000)
        // One that is no smaller version of it, such as the photograph beside its preview, is never read.
        page.levels = [WrittenTIFF.Page(1024, 768)]
        #expect(try header(page).unpackedByteCount == 256 * 192 * 3)
    }

    @Test func samplesHaveTheirPrice_andAreHeld() throws {
        func counts(_ changes: [(tag: Int, type: Int, value: Int)]) throws -> [Int] {
            var page = WrittenTIFF.Page(100, 200)
            page.changes = changes
            let found = try layout(page)
            return [found.unpackedByteCount, found.heldByteCount].map { $0 / 100 }
        }
        // Long strips are read row by row, unless the samples are apart.
        let samples = (tag: 277, type: 3, value: 12)
        let wide = (tag: 258, type: 3, value: 16)
        #expect(try counts([]) == [600, 1])
        #expect(try counts([wide]) == [1200, 2])
        #expect(try counts([samples]) == [2400, 12])
        #expect(try counts([samples, wide]) == [4800, 24])
        #expect(try counts([samples, (tag: 284, type: 3, value: 2)]) == [2400, 2400])
        #expect(try counts([(tag: 278, type: 4, value: 100)]) == [600, 100])
        #expect(try counts([(tag: 258, type: 3, value: 1)]) == [600, 1])
    }

    @Test func ordinaryPages_costWhatTheyDid() throws {
        let pages = [
            WrittenTIFF.Page(1000, 700), tiled(1000, 1000, by: PixelSize(widthPx: 256, heightPx: 256)),
            tiled(1000, 700, by: PixelSize(widthPx: 512, heightPx: 512)),
        ]
        for page in pages {
            let known = try header(page)
            var plain = known
            (plain.unpackedByteCount, plain.heldByteCount) = (0, 0)
            #expect(known.unpackedByteCount > 0 && cost(known).microseconds == cost(plain).microseconds)
        }
    }

    /// The first page has few entries, the others many.
    @Test func allPagesAreCounted_notTheFirstAlone() throws {
        try engineStart.get()
        func microseconds(_ pages: [WrittenTIFF.Page]) throws -> Int {
            let request = try ImageRequest.parse(QueryItems.parse("id=x&format=tiff&pages=all"))
            return try ImageEngine.predictedCost(
                RenderSources(SharedBytes(WrittenTIFF.bytes(pages))), request: request,
                accepting: Acceptance(only: .tiff), in: RenderContext()
            ).microseconds
        }
        let plain = [WrittenTIFF.Page](repeating: WrittenTIFF.Page(64, 64), count: 20)
        var (long, wide) = (plain, plain)
        long[7].unknownEntryCount = 400
        wide[7] = tiled(64, 64, by: PixelSize(widthPx: 2048, heightPx: 2048))
        let ordinary = try microseconds(plain)
        #expect(try microseconds(long) > ordinary + 20 * 20_000)
        #expect(try microseconds(wide) > ordinary + 20 * 20_000)
    }
}
