import Bytes
import CVips
import ImagePlan

/// Finds out of pixels what a plan needs to know.
enum Questions {
    /// The longer side of the picture on which points of interest are looked for.
    static let overviewSidePx = 160

    /// Answers `question` about page `page`. Decodes the source once: a question of borders at full size, and twice where
    /// their color is that of the last row; one of interest as small as the loader can. Equal pictures get equal answers. `admit` is told what that costs before it begins, and
    /// throws where it is not to.
    static func answer(
        _ question: PictureQuestion, _ bytes: SharedBytes, master: Master? = nil, _ traits: SourceTraits, page: Int,
        options: RenderOptions, admit: (PredictedCost) throws(ImageError) -> Void,
        shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> PictureAnswer {
        switch question {
        case .trim(let tolerance, let corner):
            guard master == nil else { throw .needsOriginal }
            let pass = wholePlan(traits, page: page).predictedCost(traits)
            try admit(pass.following(corner.isBottom ? pass : nil))
            func whole() throws(ImageError) -> VipsImage {
                try Source.load(bytes, traits.format, page: page, shouldStop: shouldStop).readable()
            }
            let border = corner.isBottom ? try whole().lastPixel(of: corner, shouldStop: shouldStop) : nil
            let image = try whole()
            let region = try image.trimmed(
                corner: corner, border: border, tolerance: tolerance, shouldStop: shouldStop)
            return region.map { .region($0) } ?? .nothing
        case .focus(let interest, let region, let keeping):
            let overview = try overview(
                of: region, bytes, master: master, traits, page: page, options: options, admit: admit,
                shouldStop: shouldStop)
            let map = InterestMap(overview, by: interest)
            guard let point = map.focus(keeping: keeping, of: region.size) else { return .nothing }
            return .point(x: point.x, y: point.y)
        }
    }

    /// A small picture of `region` in sRGB, with alpha. `admit` as for `answer`.
    static func overview(
        of region: PixelRect, _ bytes: SharedBytes, master: Master? = nil, _ traits: SourceTraits, page: Int,
        options: RenderOptions, admit: (PredictedCost) throws(ImageError) -> Void,
        shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        let plan = overviewPlan(of: region, traits, pages: .one(page))
        let used = try RenderSources(bytes).used(for: plan, by: master)
        try admit(plan.predictedCost(traits, decoding: used.traits))
        let format = (used.traits ?? traits).format
        let image = try Source.load(used.sources.picture, format, page: page, shouldStop: shouldStop)
        let opened = Source(traits: traits, image: image)
        // What is only looked at needs no light, for which a JPEG would be decoded at full size.
        var options = options
        options.usesLinearLight = false
        let resized = try Decoding.resized(
            opened, used.sources.picture, plan, scale: used.scale, options: options, shouldStop: shouldStop)
        return try inRGBA(resized.image, shouldStop: shouldStop)
    }

    /// `image`, worked out, in sRGB with alpha.
    static func inRGBA(
        _ image: consuming VipsImage, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        var small = try image.inOutputColors()
        if small.model == CVIPS_GREY { small = try small.inSRGB() }
        if !small.hasAlpha { small = try small.withAlpha() }
        return try PixelBuffer(small, shouldStop: shouldStop)
    }

    // Pixels that are only looked at are encoded in no format.

    private static func wholePlan(_ traits: SourceTraits, page: Int) -> ImagePlan {
        let size = PixelSize(widthPx: traits.widthPx, heightPx: traits.heightPx)
        return ImagePlan(source: size, pages: .one(page), steps: [], output: size, encoding: Encoding(formats: []))
    }

    /// A plan of `region`, some 160 pixels large; its cost is that of all `pages`.
    static func overviewPlan(of region: PixelRect, _ traits: SourceTraits, pages: PageSelection) -> ImagePlan {
        let scale = min(1, Double(overviewSidePx) / Double(max(region.widthPx, region.heightPx)))
        func side(_ count: Int) -> Int { max(1, Int((Double(count) * scale).rounded())) }
        let small = PixelSize(widthPx: side(region.widthPx), heightPx: side(region.heightPx))
        return ImagePlan(
            source: PixelSize(widthPx: traits.widthPx, heightPx: traits.heightPx), pages: pages,
            steps: [.extract(region), .resize(small)], output: small, encoding: Encoding(formats: []))
    }
}

extension VipsImage {
    /// The samples of the pixel of the last row in `corner`. Pulls all rows once; 8 bits.
    fileprivate borrowing func lastPixel(
        of corner: PictureCorner, shouldStop: () -> Bool
    ) throws(ImageError) -> [UInt8] {
        let rows = try RowSource(self)
        var pixel: [UInt8] = []
        for top in stride(from: 0, to: heightPx, by: 32) {
            if shouldStop() { throw .cancelled }
            let count = min(32, heightPx - top)
            let strip = try unsafe rows.strip(left: 0, top: top, width: widthPx, height: count)
            if top + count == heightPx { pixel = unsafe samples(of: corner, strip.first + (count - 1) * strip.stride) }
        }
        return pixel
    }

    /// The samples of the pixel of `row` in `corner`.
    @unsafe private func samples(of corner: PictureCorner, _ row: UnsafePointer<UInt8>) -> [UInt8] {
        let first = unsafe row + (corner.isRight ? widthPx - 1 : 0) * bands
        return unsafe Array(UnsafeBufferPointer(start: first, count: bands))
    }

    /// What is left without borders whose samples differ from those of `border` by no more than `tolerance`, with alpha
    /// premultiplied; nil where all is border. Without `border` it is the pixel of the first row in `corner`. Pulls all rows
    /// once; 8 bits.
    fileprivate borrowing func trimmed(
        corner: PictureCorner, border: [UInt8]?, tolerance: Int, shouldStop: () -> Bool
    ) throws(ImageError) -> PixelRect? {
        let rows = try RowSource(self)
        let (width, height, bands) = (widthPx, heightPx, bands)
        var border = border ?? []
        var (left, right) = (Int32(clamping: width), Int32(0))
        var found: ClosedRange<Int>?
        for top in stride(from: 0, to: height, by: 32) {
            if shouldStop() { throw .cancelled }
            let count = min(32, height - top)
            let strip = try unsafe rows.strip(left: 0, top: top, width: width, height: count)
            if border.isEmpty { border = unsafe samples(of: corner, strip.first) }
            for index in 0..<count {
                let differs = unsafe cvips_trim_row(
                    strip.first + index * strip.stride, Int32(clamping: width), Int32(clamping: bands),
                    hasAlpha ? 1 : 0, border, Int32(clamping: tolerance), &left, &right)
                guard differs != 0 else { continue }
                let row = top + index
                found = (found?.lowerBound ?? row)...row
            }
        }
        guard let found, right > left else { return nil }
        return PixelRect(x: Int(left), y: found.lowerBound, widthPx: Int(right - left), heightPx: found.count)
    }
}
