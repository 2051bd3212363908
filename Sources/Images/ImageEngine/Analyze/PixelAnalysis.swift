import Bytes
import CVips
import ImagePlan

/// Answers a plan's queries from the pixels of one page; deterministic.
struct PixelAnalysis {
    let bytes: SharedBytes
    let header: ImageHeader
    var master: Master?
    let page: Int
    let context: RenderContext

    private static let overviewSidePx = 160

    /// Decodes the source once, for borders at full size, and twice if their color is in the last row.
    func result(of query: PixelQuery) throws(ImageError) -> PixelQueryResult {
        switch query {
        case .trim(let tolerance, let corner):
            guard master == nil else { throw .needsOriginal }
            let pass = ImagePlan(
                source: header.size, pages: .one(page), steps: [], output: header.size, encoding: Encoding(formats: [])
            ).predictedCost(header)
            try context.admit(pass.following(corner.isBottom ? pass : nil))
            func whole() throws(ImageError) -> VipsImage {
                try Source.load(bytes, header.format, page: page, shouldStop: context.shouldStop).readable()
            }
            let border = corner.isBottom ? try whole().lastPixel(of: corner, in: context) : nil
            let region = try whole().trimmed(corner: corner, border: border, tolerance: tolerance, in: context)
            return region.map { .region($0) } ?? .nothing
        case .focus(let interest, let region, let keeping):
            let map = InterestMap(try overview(of: region, lookingFor: interest), by: interest)
            guard let point = map.focus(keeping: keeping, of: region.size) else { return .nothing }
            return .point(x: point.x, y: point.y)
        }
    }

    func overview(of region: PixelRect, lookingFor interest: Interest) throws(ImageError) -> PixelBuffer {
        let plan = Self.overviewPlan(of: region, header, pages: .one(page))
        let used = try RenderSources(bytes).used(for: plan, by: master)
        let decoding = plan.predictedCost(header, decoding: used.header)
        let small = PixelSize(widthPx: plan.outputWidthPx, heightPx: plan.outputHeightPx)
        try context.admit(PredictedCost.looking(for: interest, in: small).following(decoding))
        let format = (used.header ?? header).format
        let image = try Source.load(used.sources.picture, format, page: page, shouldStop: context.shouldStop)
        // Not in linear light, for which a JPEG would be decoded at full size.
        var context = context
        context.options.usesLinearLight = false
        let resized = try Decoding.resized(
            Source(header: header, image: image), used.sources.picture, plan, scale: used.scale, in: context)
        return try PixelBuffer(rgbaOf: resized.image, in: context)
    }

    /// A plan of `region` (nil: all) at about 160 pixels, without encoding; its cost is that of all `pages`.
    static func overviewPlan(of region: PixelRect? = nil, _ header: ImageHeader, pages: PageSelection) -> ImagePlan {
        let region = region ?? PixelRect(covering: header.size)
        let small = region.size.scaled(
            by: min(1, Double(overviewSidePx) / Double(max(region.widthPx, region.heightPx))))
        return ImagePlan(
            source: header.size, pages: pages, steps: [.extract(region), .resize(small)], output: small,
            encoding: Encoding(formats: []))
    }
}

extension PixelSize {
    func scaled(by scale: Double) -> PixelSize {
        func side(_ count: Int) -> Int { max(1, Int((Double(count) * scale).rounded())) }
        return PixelSize(widthPx: side(widthPx), heightPx: side(heightPx))
    }
}

extension VipsImage {
    /// The pixel of the last row in `corner`. Pulls all rows once; 8 bits.
    fileprivate borrowing func lastPixel(
        of corner: ImageCorner, in context: RenderContext
    ) throws(ImageError) -> [UInt8] {
        var pixel: [UInt8] = []
        let last = heightPx - 1
        try unsafe eachRow(of: 32, in: context) { y, row in
            if y == last { pixel = unsafe samples(of: corner, row) }
        }
        return pixel
    }

    @unsafe private func samples(of corner: ImageCorner, _ row: UnsafePointer<UInt8>) -> [UInt8] {
        let first = unsafe row + (corner.isRight ? widthPx - 1 : 0) * bands
        return unsafe Array(UnsafeBufferPointer(start: first, count: bands))
    }

    /// The image without borders within `tolerance` of `border`, by default the first row's pixel in `corner`; nil if
    /// all is border. Alpha is premultiplied. Pulls all rows once; 8 bits.
    fileprivate borrowing func trimmed(
        corner: ImageCorner, border: [UInt8]?, tolerance: Int, in context: RenderContext
    ) throws(ImageError) -> PixelRect? {
        var border = border ?? []
        var (left, right) = (widthPx.cInt, Int32(0))
        var found: ClosedRange<Int>?
        let (width, bands, alpha) = (widthPx.cInt, bands.cInt, hasAlpha ? 1 as Int32 : 0)
        try unsafe eachRow(of: 32, in: context) { y, row in
            if border.isEmpty { border = unsafe samples(of: corner, row) }
            let differs = unsafe cvips_trim_row(row, width, bands, alpha, border, tolerance.cInt, &left, &right)
            if differs != 0 { found = (found?.lowerBound ?? y)...y }
        }
        guard let found, right > left else { return nil }
        return PixelRect(x: Int(left), y: found.lowerBound, widthPx: Int(right - left), heightPx: found.count)
    }
}
