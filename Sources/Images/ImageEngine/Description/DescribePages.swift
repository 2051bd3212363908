package import Bytes
import CVips
package import ImagePlan

extension ImageEngine {
    /// What the pages of `source` behind page `after` are and look like, at most `limit` of them: each is decoded once, to
    /// some 160 pixels.
    ///
    /// Frames of an animation count as pages. A page behind the last one is none. `admit` is asked when the cost of all is
    /// known by the header of the first, and again where the others turn out to cost more. `shouldStop` is asked between pages
    /// and while one is decoded.
    ///
    /// Errors: those of `describe`, with the page that they are about. The same source has the same pages.
    package static func describePages(
        _ source: SharedBytes, after: Int, limit: Int, limits: ImageLimits,
        admit: (PredictedCost) -> Admission = Admission.always, shouldStop: @escaping @Sendable () -> Bool
    ) throws(PageListError) -> PageList {
        var listing: PageListing
        do throws(ImageError) {
            if shouldStop() { throw .cancelled }
            listing = try PageListing(
                source, after: after, limit: limit, limits: limits, admit: admit, shouldStop: shouldStop)
            try listing.admit(admit)
        } catch {
            throw PageListError(error: error.unless(shouldStop), page: nil)
        }
        do throws(ImageError) {
            try listing.read(admit)
        } catch {
            let error = error.unless(shouldStop)
            throw PageListError(error: error, page: error.isOfOnePage ? listing.next + 1 : nil)
        }
        return listing.list
    }
}

extension ImageError {
    /// Whether it is about the bytes of the page that was read.
    fileprivate var isOfOnePage: Bool {
        switch self {
        case .corrupt, .tooManyPixels, .tooManyScans, .unsupportedSampling, .tooLargeForDecoder: true
        default: false
        }
    }
}

/// The work of `describePages`: which pages, what they cost, and what has been read of them.
private struct PageListing {
    private let source: SharedBytes
    private let traits: SourceTraits
    private let options: RenderOptions
    private let shouldStop: @Sendable () -> Bool
    /// The page that is read next, from 0.
    private(set) var next: Int
    /// Behind the last page that is wanted.
    private var end: Int
    private(set) var list: PageList
    private let wantedCount: Int
    private let labels: [String?]
    /// What the pages up to here cost, and what has been admitted.
    private var spent: PredictedCost?
    private var admitted: PredictedCost?

    /// Nanoseconds that finding a page takes for each page of the document: libtiff goes through all directories, poppler
    /// through those before it. Measured on 9,000 pages.
    private static func findingNanoseconds(_ format: SourceFormat) -> Double { format == .pdf ? 4000 : 10_000 }

    /// Reads the header; nothing is decoded.
    init(
        _ original: SharedBytes, after: Int, limit: Int, limits: ImageLimits, admit: (PredictedCost) -> Admission,
        shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) {
        let source = try PackedDrawing.unpacked(original)
        self.source = source
        self.shouldStop = shouldStop
        options = RenderOptions(limits: limits)
        let opened = try Source(source, limits: limits, admit: admit, shouldStop: shouldStop)
        let traits = opened.traits
        let first = min(max(0, after), traits.pageCount)
        let count = min(max(0, limit), traits.pageCount - first)
        self.traits = traits
        (next, end, wantedCount) = (first, first + count, count)
        list = PageList(format: traits.format, pageCount: traits.pageCount, pages: [])
        // Names of TIFF pages alone are at hand: libvips tells none, neither those of a PDF.
        let isNamed = traits.format == .tiff && traits.pageCount > 1
        labels = isNamed ? ExifReader.pageNames(of: source.span, first..<(first + count)) : []
        withExtendedLifetime(source) {}
    }

    // MARK: Cost

    /// What listing the page with these traits costs.
    private func cost(_ traits: SourceTraits, page: Int) -> PredictedCost {
        var traits = traits
        // The largest page is not every page: together they draw no more than there is.
        if let drawing = traits.drawing, let all = drawing.documentElementCount {
            traits.drawing?.elementCount = min(drawing.elementCount, all / max(1, wantedCount))
        }
        let finding = PredictedCost(
            steps: [
                PredictedCost.Step(
                    "find page", nanoseconds: Self.findingNanoseconds(traits.format) * Double(traits.pageCount),
                    bytes: 0)
            ], frameCount: 1)
        let plan = Questions.overviewPlan(of: PixelRect(covering: traits.size), traits, pages: .one(page))
        return plan.predictedCost(traits).following(finding)
    }

    /// What listing the frames up to `end` costs: all before them are decoded as well.
    private func costOfFrames(to end: Int) -> PredictedCost {
        Questions.overviewPlan(of: PixelRect(covering: traits.size), traits, pages: .first(end)).predictedCost(traits)
    }

    /// Asks for what all pages are expected to cost, and leaves out those that are too many.
    mutating func admit(_ admit: (PredictedCost) -> Admission) throws(ImageError) {
        guard next < end else { return }
        var cost: PredictedCost
        if traits.isAnimated {
            while end > next + 1, costOfFrames(to: end).microseconds > PageList.microsecondLimit {
                end = next + max(1, (end - next) / 2)
            }
            cost = costOfFrames(to: end)
        } else {
            let first = self.cost(traits, page: next)
            cost = first
            for _ in (next + 1)..<max(next + 1, end) {
                let more = first.following(cost)
                guard more.microseconds <= PageList.microsecondLimit else { break }
                cost = more
            }
        }
        cost = cost.holding(source.count)
        try admit(cost).check(cost)
        admitted = cost
    }

    /// Whether the page with these traits is still listed; asks where it costs more than was expected.
    private mutating func takes(
        _ traits: SourceTraits, _ admit: (PredictedCost) -> Admission
    ) throws(ImageError) -> Bool {
        let all = cost(traits, page: next).following(spent)
        if spent != nil, all.microseconds > PageList.microsecondLimit { return false }
        spent = all
        let held = all.holding(source.count)
        if let admitted, held.microseconds <= admitted.microseconds, held.byteCount <= admitted.byteCount {
            return true
        }
        try admit(held).check(held)
        admitted = held
        return true
    }

    // MARK: Pages

    mutating func read(_ admit: (PredictedCost) -> Admission) throws(ImageError) {
        guard next < end else { return }
        if traits.isAnimated { return try readFrames() }
        let start = next
        while next < end {
            if shouldStop() { throw .cancelled }
            let opened = try Source(page: next, of: source, like: traits, limits: options.limits)
            guard try takes(opened.traits, admit) else { return }
            let own = opened.traits
            let plan = Questions.overviewPlan(
                of: PixelRect(covering: own.size), own, pages: .one(next))
            // What is only looked at needs no light, for which a JPEG would be decoded at full size.
            let resized = try Decoding.resized(opened, source, plan, options: options, shouldStop: shouldStop)
            try add(resized.image, own, label: labels.isEmpty ? nil : labels[next - start])
        }
    }

    /// Frames build on each other, so they are read from one tall picture, from top to bottom.
    private mutating func readFrames() throws(ImageError) {
        let tall = try Source.load(source, traits.format, page: next, pageCount: end - next)
        let plan = Questions.overviewPlan(of: PixelRect(covering: traits.size), traits, pages: .one(0))
        for index in 0..<(end - next) {
            if shouldStop() { throw .cancelled }
            let frame = try tall.extracting(
                PixelRect(x: 0, y: index * traits.heightPx, widthPx: traits.widthPx, heightPx: traits.heightPx))
            let small = try Decoding.resized(frame, plan, options: options, shouldStop: shouldStop)
            try add(small, traits, label: nil)
        }
    }

    private mutating func add(
        _ small: consuming VipsImage, _ traits: SourceTraits, label: String?
    ) throws(ImageError) {
        let orientation = Orientation(exif: traits.orientation)
        let overview = try Questions.inRGBA(small, shouldStop: shouldStop)
        let upright = try PixelBuffer(overview.image().oriented(orientation), shouldStop: shouldStop)
        next += 1
        list.pages.append(
            PageDescription(
                number: next, size: orientation.applied(to: traits.size), label: label,
                thumbHash: ThumbHash.bytes(of: try SmallPicture(upright))))
    }
}

extension SourceTraits {
    /// Width and height of a page as stored.
    fileprivate var size: PixelSize { PixelSize(widthPx: widthPx, heightPx: heightPx) }
}

extension ExifReader {
    /// What the pages of `tiff` in `range`, from 0, are called (PageName, TIFF 6.0 §12); nil for those that have no name and
    /// those behind the last. O(end of the range).
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
