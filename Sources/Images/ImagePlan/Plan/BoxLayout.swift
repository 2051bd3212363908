import Parameters

/// How an image of a known size is fitted to the box of a request. All sizes are of the turned image.
struct BoxLayout: Equatable {
    let resized: PixelSize
    let kept: PixelSize
    /// The size of what is kept unless `fit=contain`.
    let box: PixelSize
    /// Around the box.
    let margins: Margins

    var canvas: PixelSize { margins.around(box) }

    /// `source` may be cropped; each side is 1…2³⁰. A drawing may always grow, and `dpi` gives both sides of its box.
    init(_ source: PixelSize, _ request: ImageRequest, isDrawing: Bool = false) {
        var (width, height) = (request.width, request.height)
        if isDrawing, let dpi = request.dpi {
            let percent = BoxLength.percent(PlainDecimal(billionths: Int64(dpi) * 100_000_000_000 / 72))
            (width, height) = (percent, percent)
        }
        let boxWidth = Self.side(width, of: source.widthPx, scale: request.scale)
        let boxHeight = Self.side(height, of: source.heightPx, scale: request.scale)
        let asked = Self.size(of: source, boxWidth, boxHeight, request.fit)
        // Both sides are enlarged together, except when the fit distorts.
        let resized: PixelSize
        if request.mayEnlarge || isDrawing {
            resized = asked
        } else if request.fit == .fill, boxWidth != nil, boxHeight != nil {
            resized = PixelSize(
                widthPx: min(asked.widthPx, source.widthPx), heightPx: min(asked.heightPx, source.heightPx))
        } else {
            let isLarger = asked.widthPx > source.widthPx || asked.heightPx > source.heightPx
            resized = isLarger ? source : asked
        }
        self.resized = resized
        let box = PixelSize(widthPx: boxWidth ?? resized.widthPx, heightPx: boxHeight ?? resized.heightPx)
        let isBox = boxWidth != nil && boxHeight != nil
        kept =
            isBox && request.fit == .cover
            ? PixelSize(widthPx: min(box.widthPx, resized.widthPx), heightPx: min(box.heightPx, resized.heightPx))
            : resized
        let placed = isBox && request.fit == .contain ? box : kept
        self.box = placed
        margins = request.padding?.margins(around: placed, scale: request.scale) ?? Margins()
    }

    /// A side of the box in pixels, 1…2³¹, so that products with a source's side fit 64 bits.
    private static func side(_ length: BoxLength?, of sourceSide: Int, scale: PlainDecimal) -> Int? {
        let limit = 1 << 31
        switch length {
        case nil: return nil
        case .pixels(let count): return min(max(1, scale.multiplied(by: count) ?? limit), limit)
        case .percent(let percent):
            let side = percent.multiplied(by: scale)?.multiplied(by: sourceSide, dividedBy: 100)
            return min(max(1, side ?? limit), limit)
        }
    }

    private init(resized: PixelSize, kept: PixelSize, box: PixelSize, margins: Margins) {
        (self.resized, self.kept, self.box, self.margins) = (resized, kept, box, margins)
    }

    func with(_ margins: Margins) -> BoxLayout { BoxLayout(resized: resized, kept: kept, box: box, margins: margins) }

    /// The part of `source` to extract so that resizing fills `kept` exactly, unless the image is enlarged; cut
    /// afterwards it would lie up to half a pixel beside its place.
    func partSeen(of source: PixelSize) -> PixelSize? {
        guard kept != resized, resized.widthPx <= source.widthPx, resized.heightPx <= source.heightPx else {
            return nil
        }
        if source.widthPx * kept.heightPx > source.heightPx * kept.widthPx {
            let width = Self.inRatio(source.heightPx, kept.widthPx, kept.heightPx)
            return PixelSize(widthPx: min(width, source.widthPx), heightPx: source.heightPx)
        }
        let height = Self.inRatio(source.widthPx, kept.heightPx, kept.widthPx)
        return PixelSize(widthPx: source.widthPx, heightPx: min(height, source.heightPx))
    }

    var ofPartSeen: BoxLayout { BoxLayout(resized: kept, kept: kept, box: box, margins: margins) }

    private static func size(of source: PixelSize, _ width: Int?, _ height: Int?, _ fit: Fit) -> PixelSize {
        let byWidth = width.map { width in
            PixelSize(widthPx: width, heightPx: inRatio(width, source.heightPx, source.widthPx))
        }
        let byHeight = height.map { height in
            PixelSize(widthPx: inRatio(height, source.widthPx, source.heightPx), heightPx: height)
        }
        guard let byWidth, let byHeight else { return byWidth ?? byHeight ?? source }
        // Compares the two scales without dividing: width / source width <= height / source height.
        let isWidthTighter = byWidth.widthPx * source.heightPx <= byHeight.heightPx * source.widthPx
        switch fit {
        case .inside, .contain: return isWidthTighter ? byWidth : byHeight
        case .cover, .outside: return isWidthTighter ? byHeight : byWidth
        case .fill: return PixelSize(widthPx: byWidth.widthPx, heightPx: byHeight.heightPx)
        }
    }

    /// `length` × `part` ÷ `whole`, rounded half up, at least 1.
    private static func inRatio(_ length: Int, _ part: Int, _ whole: Int) -> Int {
        max(1, (2 * length * part + whole) / (2 * whole))
    }
}

extension ImageRequest {
    /// Whether its box needs more pixels than `region` has, which is turned as the result is.
    package func enlarges(_ region: PixelSize) -> Bool {
        let resized = BoxLayout(region, self).resized
        return resized.widthPx > region.widthPx || resized.heightPx > region.heightPx
    }
}
