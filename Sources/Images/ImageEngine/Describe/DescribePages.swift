package import Bytes
import ImagePlan

extension ImageEngine {
    /// Describes at most `limit` pages after page `after`, or frames; each is decoded once, to about 160 pixels.
    /// `context` admits the total cost, estimated by the first header, and again if the other pages cost more.
    package static func describePages(
        _ source: SharedBytes, after: Int, limit: Int, in context: RenderContext
    ) throws(PageListError) -> PageList {
        var listing: PageListing
        do throws(ImageError) {
            try context.checkStop()
            listing = try PageListing(source, after: after, limit: limit, in: context)
            try listing.admit()
        } catch {
            throw PageListError(error: context.cause(of: error), page: nil)
        }
        do throws(ImageError) {
            try listing.read()
        } catch {
            let error = context.cause(of: error)
            throw PageListError(error: error, page: error.isOfOnePage ? listing.next + 1 : nil)
        }
        return listing.list
    }
}

extension ImageError {
    fileprivate var isOfOnePage: Bool {
        switch self {
        case .corrupt, .tooManyPixels, .tooManyScans, .unsupportedSampling, .unsupportedFormat, .tooLargeForDecoder:
            true
        default: false
        }
    }
}

private struct PageListing {
    private let source: SharedBytes
    private let header: ImageHeader
    private let context: RenderContext
    private(set) var next: Int
    private var end: Int
    private(set) var list: PageList
    private let wantedCount: Int
    /// The names of the pages from the first of the list on; empty where no page has one.
    private var labels: [String?] = []
    /// The cost of the pages so far, and the admitted cost.
    private var spent: PredictedCost?
    private var admitted: PredictedCost?

    /// To find a page of a PDF, per page: poppler goes through those before it. Measured on 9,000 pages.
    private static let findingNanoseconds = 4000.0

    init(_ original: SharedBytes, after: Int, limit: Int, in context: RenderContext) throws(ImageError) {
        let source = try CompressedSVG.unpacked(original)
        self.source = source
        // Not in linear light, for which a JPEG would be decoded at full size.
        var context = context
        context.options.usesLinearLight = false
        self.context = context
        let opened = try Source(source, in: context)
        let header = opened.header
        let first = min(max(0, after), header.pageCount)
        let count = min(max(0, limit), header.pageCount - first)
        self.header = header
        (next, end, wantedCount) = (first, first + count, count)
        list = PageList(format: header.format, pageCount: header.pageCount, pages: [])
        withExtendedLifetime(source) {}
    }

    private func cost(_ header: ImageHeader, page: Int) -> PredictedCost {
        var header = header
        // Not every page is the largest: together they draw no more than the document has.
        if let drawing = header.drawing, let all = drawing.documentElementCount {
            header.drawing?.elementCount = min(drawing.elementCount, all / max(1, wantedCount))
        }
        let decoding = PixelAnalysis.overviewPlan(header, pages: .one(page)).predictedCost(header)
        guard header.format == .pdf else { return decoding }
        let nanoseconds = Self.findingNanoseconds * Double(header.pageCount)
        let finding = PredictedCost(
            steps: [PredictedCost.Step("find page", nanoseconds: nanoseconds, bytes: 0)], frameCount: 1)
        return decoding.following(finding)
    }

    /// The cost of the frames up to `end`, including those before, which must be decoded.
    private func costOfFrames(to end: Int) -> PredictedCost {
        PixelAnalysis.overviewPlan(header, pages: .first(end)).predictedCost(header)
    }

    mutating func admit() throws(ImageError) {
        guard next < end else { return }
        var cost: PredictedCost
        if header.isAnimated {
            while end > next + 1, costOfFrames(to: end).microseconds > PageList.microsecondLimit {
                end = next + max(1, (end - next) / 2)
            }
            cost = costOfFrames(to: end)
        } else {
            let first = self.cost(header, page: next)
            cost = first
            for _ in (next + 1)..<max(next + 1, end) {
                let more = first.following(cost)
                guard more.microseconds <= PageList.microsecondLimit else { break }
                cost = more
            }
        }
        // The labels of a PDF are read in a pass of their own.
        if header.format == .pdf { cost = cost.following(.counting(.pdf, byteCount: source.count)) }
        cost = cost.holding(source.count)
        try context.admit(cost)
        admitted = cost
    }

    /// Whether the page with this header is still listed; asks again if it costs more than admitted.
    private mutating func takes(_ header: ImageHeader) throws(ImageError) -> Bool {
        let all = cost(header, page: next).following(spent)
        if spent != nil, all.microseconds > PageList.microsecondLimit { return false }
        spent = all
        let held = all.holding(source.count)
        if let admitted, held.microseconds <= admitted.microseconds, held.byteCount <= admitted.byteCount {
            return true
        }
        try context.admit(held)
        admitted = held
        return true
    }

    mutating func read() throws(ImageError) {
        guard next < end else { return }
        if header.isAnimated { return try readFrames() }
        let start = next
        labels = try readLabels()
        while next < end {
            try context.checkStop()
            let opened = try Source(page: next, of: source, like: header, limits: context.options.limits)
            guard try takes(opened.header) else { return }
            let own = opened.header
            let plan = PixelAnalysis.overviewPlan(own, pages: .one(next))
            let resized = try Decoding.resized(opened, source, plan, in: context)
            try add(resized.image, own, label: labels.isEmpty ? nil : labels[next - start])
        }
    }

    private func readLabels() throws(ImageError) -> [String?] {
        switch header.format {
        case .tiff where header.pageCount > 1: ExifReader.pageNames(of: source.span, next..<end)
        case .pdf: try PDFPageLabels.labels(of: source, next..<end, in: context)
        default: []
        }
    }

    /// Frames build on each other, so they are read from one tall image, from top to bottom.
    private mutating func readFrames() throws(ImageError) {
        let tall = try Source.load(source, header.format, page: next, pageCount: end - next)
        let plan = PixelAnalysis.overviewPlan(header, pages: .one(0))
        for index in 0..<(end - next) {
            try context.checkStop()
            try add(Decoding.resized(tall.frame(index, of: header.size), plan, in: context), header, label: nil)
        }
    }

    private mutating func add(_ small: consuming VipsImage, _ header: ImageHeader, label: String?) throws(ImageError) {
        let orientation = Orientation(exif: header.orientation)
        let overview = try PixelBuffer(rgbaOf: small, in: context)
        let upright = try PixelBuffer(overview.image().oriented(orientation), in: context)
        next += 1
        list.pages.append(
            PageDescription(
                number: next, size: orientation.applied(to: header.size), label: label,
                thumbHash: ThumbHash.bytes(of: try ThumbnailPixels(upright))))
    }
}

extension ExifReader {
    /// The names of the pages of `tiff` in `range`, from 0 (PageName, TIFF 6.0 §12). O(end of the range).
    fileprivate static func pageNames(of tiff: RawSpan, _ range: Range<Int>) -> [String?] {
        let none = [String?](repeating: nil, count: range.count)
        guard let reader = ExifReader(tiff: tiff), var start = reader.number(4) else { return none }
        var names = none
        for page in 0..<range.upperBound {
            guard start > 0 else { break }
            if page >= range.lowerBound {
                names[page - range.lowerBound] = reader.text(reader.entries(at: start)[0x011d])
            }
            guard let following = reader.directory(after: start) else { break }
            start = following
        }
        return names
    }
}
