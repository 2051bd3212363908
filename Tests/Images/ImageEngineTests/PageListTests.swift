import Bytes
import ImagePlan
import Synchronization
import Testing
import WrittenDocuments

@testable import ImageEngine

/// #15.24: what is known of each page of a document.
@Suite(.timeLimit(.minutes(5))) struct PageListTests {
    private func list(
        _ data: [UInt8], after: Int = 0, limit: Int = 100,
        admit: @escaping @Sendable (PredictedCost) -> Admission = Admission.always,
        shouldStop: @escaping @Sendable () -> Bool = { false }
    ) throws -> PageList {
        try engineStart.get()
        return try ImageEngine.describePages(
            SharedBytes(data), after: after, limit: limit, in: RenderContext(admission: admit, shouldStop: shouldStop))
    }

    private static let pages = [
        WrittenTIFF.Page(40, 30, grey: 10, name: "cover"), WrittenTIFF.Page(30, 40, grey: 250),
        WrittenTIFF.Page(20, 50, grey: 100, name: "iv", orientation: 6),
    ]

    @Test func pagesOfATIFF_haveTheirOwnSizesAndNames() throws {
        let all = try list(WrittenTIFF.bytes(Self.pages))
        #expect(all.format == .tiff && all.pageCount == 3)
        #expect(all.pages.map(\.number) == [1, 2, 3])
        let sizes = [(40, 30), (30, 40), (50, 20)].map { PixelSize(widthPx: $0.0, heightPx: $0.1) }
        #expect(all.pages.map(\.size) == sizes)
        #expect(all.pages.map(\.label) == ["cover", nil, "iv"])
        #expect(Set(all.pages.map(\.thumbHash)).count == 3)
        // Each hash is that of the page alone.
        for (page, own) in zip(Self.pages, all.pages) {
            let alone = try ImageEngine.describe(SharedBytes(WrittenTIFF.bytes([page])), in: RenderContext())
            #expect(alone.thumbHash == own.thumbHash && alone.size == own.size)
        }
    }

    @Test func someOfThem_areThoseOfAll() throws {
        let file = WrittenTIFF.bytes(
            (0..<9).map { WrittenTIFF.Page(30 + $0, 20, grey: UInt8(20 * $0), name: "p\($0)") })
        let all = try list(file).pages
        #expect(all.count == 9)
        #expect(try list(file, after: 2, limit: 3).pages == Array(all[2..<5]))
        #expect(try list(file, after: 8, limit: 200).pages == Array(all[8...]))
        for after in [9, 10, 100_000] { #expect(try list(file, after: after).pages.isEmpty) }
    }

    @Test func drawingsHaveTheSizesOfTheirPages() throws {
        let file = WrittenPDF.document([
            (200, 100, "1 0 0 rg 0 0 100 100 re f"), (100, 300, "0 0 1 rg 0 0 100 100 re f"),
        ])
        let all = try list(file)
        #expect(all.format == .pdf && all.pageCount == 2)
        #expect(all.pages.map(\.size.widthPx) == [200, 100] && all.pages.map(\.size.heightPx) == [100, 300])
        #expect(all.pages[0].thumbHash != all.pages[1].thumbHash && all.pages.allSatisfy { $0.label == nil })
        let labelled = WrittenPDF.document(
            [(20, 10, ""), (20, 10, "")], labels: "/PageLabels << /Nums [0 << /S /r >> 1 << /S /D >>] >>")
        #expect(try list(labelled).pages.map(\.label) == ["i", "1"])
        #expect(try list(labelled, after: 1).pages.map(\.label) == ["1"])
        let svg = Array(
            "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'><rect width='9' height='9'/></svg>".utf8)
        #expect(try list(svg).pages.map(\.size) == [PixelSize(widthPx: 30, heightPx: 20)])
    }

    @Test(.enabled(if: Shared.isPresent)) func pagesOfADocument_areAsItsDescriptionSays() throws {
        let bytes = try Shared.read("images/three_pages.pdf")
        let all = try list(bytes.withUnsafeBytes { Array($0) })
        let first = try ImageEngine.describe(bytes, in: RenderContext())
        #expect(all.pages.count == 3 && first.header.pageCount == 3)
        #expect(all.pages.first?.thumbHash == first.thumbHash && all.pages.first?.size == first.size)
    }

    @Test func framesOfAnAnimation_areItsPages() throws {
        try engineStart.get()
        let colors = [red, green, blue, red]
        let tall = try picture(30, 80, .png) { _, y in colors[y / 20] }
        let image = try Source.load(tall, .png)
        let gif = try image.encoded(
            as: .gif,
            settings: EncoderSettings(
                frames: FrameTiming(delaysMs: [100, 100, 100, 100], loopCount: 0, pageHeightPx: 20)),
            in: RenderContext())
        let data = gif.withUnsafeBytes { Array($0) }
        let all = try list(data)
        #expect(all.pageCount == 4 && all.pages.map(\.number) == [1, 2, 3, 4])
        #expect(all.pages.allSatisfy { $0.size == PixelSize(widthPx: 30, heightPx: 20) })
        #expect(Set(all.pages.prefix(3).map(\.thumbHash)).count == 3)
        #expect(all.pages[0].thumbHash == all.pages[3].thumbHash)
        #expect(try list(data, after: 2, limit: 2).pages == Array(all.pages[2...]))
        let first = try ImageEngine.describe(gif, in: RenderContext())
        #expect(first.thumbHash == all.pages[0].thumbHash)
    }

    @Test func levelsOfAPyramid_areOnePage() throws {
        let pyramid = [(64, 48), (32, 24), (16, 12)].map { WrittenTIFF.Page($0.0, $0.1) }
        #expect(try list(WrittenTIFF.bytes(pyramid)).pages.map(\.number) == [1])
    }

    /// libvips would parse all directories whenever a page is opened: with their 6,000 entries for each of the 200 pages here.
    @Test func deepPages_areReadAlone() throws {
        var pages = (0..<2000).map { WrittenTIFF.Page(8 + $0 % 5, 8, grey: UInt8($0 % 250), name: "p\($0)") }
        for index in pages.indices.dropLast(50) { pages[index].unknownEntryCount = 3 }
        let file = WrittenTIFF.bytes(pages)
        let last = try list(file, after: 1950)
        #expect(last.pageCount == 2000 && last.pages.map(\.number) == Array(1951...2000))
        #expect(last.pages.map(\.label) == (1950..<2000).map { "p\($0)" })
        #expect(last.pages.map(\.size.widthPx) == (1950..<2000).map { 8 + $0 % 5 })
        let alone = try Source(
            page: 1999, of: SharedBytes(file), like: Source(SharedBytes(file), limits: ImageLimits()).header,
            limits: ImageLimits())
        #expect(alone.image.pageCount == 1)
    }

    /// Each directory is parsed for its own page: what it costs is known by its length.
    @Test func longDirectories_haveTheirPrice() throws {
        func cost(entries: Int, inLevel count: Int = 0) throws -> Int {
            var page = WrittenTIFF.Page(64, 64)
            page.unknownEntryCount = entries
            page.levels = [WrittenTIFF.Page(32, 32)]
            page.levels[0].unknownEntryCount = count
            let asked = Mutex(0)
            _ = try list(WrittenTIFF.bytes([page, page]), limit: 2) { cost in
                asked.withLock { $0 = max($0, cost.microseconds) }
                return .now
            }
            return asked.withLock { $0 }
        }
        let plain = try cost(entries: 0)
        #expect(try cost(entries: 400) > plain + 20_000)
        #expect(try cost(entries: 0, inLevel: 400) > plain + 20_000)
        let error = #expect(throws: PageListError.self) { try cost(entries: 600) }
        #expect(error == PageListError(error: .corrupt(log: "a directory of 611 entries"), page: nil))
    }

    /// The reductions inside a page are those of this page, not of the first.
    @Test func levelsInsidePages_areOfTheirPage() throws {
        let pages = [UInt8(10), 240].map { grey in
            var page = WrittenTIFF.Page(1024, 768, grey: grey)
            page.levels = [WrittenTIFF.Page(512, 384, grey: grey)]
            return page
        }
        let all = try list(WrittenTIFF.bytes(pages)).pages
        #expect(all.count == 2 && all[0].thumbHash != all[1].thumbHash)
    }

    @Test func damagedPage_isNamed_andTheOthersCanBeHad() throws {
        var pages = Self.pages
        pages[1].isDamaged = true
        let file = WrittenTIFF.bytes(pages)
        let error = #expect(throws: PageListError.self) { try list(file) }
        #expect(error?.page == 2)
        guard case .corrupt = error?.error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try list(file, limit: 1).pages.map(\.number) == [1])
        #expect(try list(file, after: 2).pages.map(\.number) == [3])
        #expect(throws: PageListError(error: .unsupportedFormat, page: nil)) { try list(Array("no picture".utf8)) }
    }

    // MARK: Price

    /// The most pages that are asked for, of the longest document that is one: it is found out by its header that fewer do.
    @Test func whatWouldTakeTooLong_isLeftToTheNextAnswer() throws {
        var page = WrittenTIFF.Page(8, 8)
        page.unknownEntryCount = 300
        let file = WrittenTIFF.bytes([WrittenTIFF.Page](repeating: page, count: 400))
        let asked = Mutex<[PredictedCost]>([])
        let some = try list(file, limit: 200) { cost in
            asked.withLock { $0.append(cost) }
            return .now
        }
        #expect(some.pageCount == 400 && (1..<200).contains(some.pages.count))
        let costs = asked.withLock { $0 }
        #expect(costs.count == 1 && costs.allSatisfy { $0.microseconds <= PageList.microsecondLimit })
        // The same again, whoever asks.
        #expect(try list(file, limit: 200) == some)
    }

    @Test func pagesThatAreLargerThanTheFirst_areAskedForAgain_orLeftOut() throws {
        let file = WrittenTIFF.bytes([WrittenTIFF.Page(8, 8)] + (0..<3).map { _ in WrittenTIFF.Page(3000, 2000) })
        let asked = Mutex<[Int]>([])
        let all = try list(file) { cost in
            asked.withLock { $0.append(cost.microseconds) }
            return .now
        }
        let costs = asked.withLock { $0 }
        #expect(all.pages.count == 4 && costs.count > 1 && costs == costs.sorted())
        let error = #expect(throws: PageListError.self) { try list(file) { $0.microseconds > 20_000 ? .never : .now } }
        guard case .tooCostly = error?.error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.page == nil)
    }

    @Test func work_isStoppedBetweenPages() throws {
        let file = WrittenTIFF.bytes((0..<50).map { _ in WrittenTIFF.Page(64, 64) })
        let count = Mutex(0)
        let error = #expect(throws: PageListError.self) {
            try list(
                file,
                shouldStop: {
                    count.withLock { count in
                        count += 1
                        return count > 20
                    }
                })
        }
        #expect(error == PageListError(error: .cancelled, page: nil))
    }
}
