import CVips

/// Filters of single pixels, carried out in one pass. Leading curves become the table that 8-bit samples are read by.
struct PointProgram {
    enum Step {
        case curve(FilterCurve)
        case point(FilterPoint)
    }

    private var steps: [Step] = []
    private(set) var isGrey: Bool
    private var isGrayscaleAlone = false

    init(isGrey: Bool) { self.isGrey = isGrey }

    mutating func append(_ curve: FilterCurve) {
        isGrayscaleAlone = false
        if case .curve(let last)? = steps.last {
            steps[steps.count - 1] = .curve(last.followed(by: curve))
        } else if !steps.isEmpty, let line = curve.line {
            append(CVIPS_POINT_LINEAR, [line.factor, line.offset])
        } else {
            steps.append(.curve(curve))
        }
    }

    mutating func append(_ kind: cvips_point_kind, _ numbers: [Double] = []) { append(FilterPoint(kind, numbers)) }

    mutating func append(_ point: FilterPoint) {
        isGrayscaleAlone = false
        steps.append(.point(point))
        switch point.kind {
        case CVIPS_POINT_SUM, CVIPS_POINT_THRESHOLD: isGrey = true
        case CVIPS_POINT_SPREAD, CVIPS_POINT_PAINT: isGrey = false
        default: break
        }
    }

    /// Luminance: Rec. 709 weights in linear light, as in libvips and color science.
    mutating func appendGrayscale() {
        let isFirst = steps.isEmpty
        append(FilterCurve(SRGBCurve.decoded))
        append(CVIPS_POINT_SUM, Luma.weights)
        append(FilterCurve(SRGBCurve.encoded))
        isGrayscaleAlone = isFirst
    }

    func run(on image: consuming VipsImage, in context: RenderContext) throws(ImageError) -> VipsImage {
        guard !steps.isEmpty else { return image }
        let picture = try FilterImage(image, in: context)
        let isWide = picture.shape.is_wide != 0
        if isGrayscaleAlone, !isWide { return try picture.grey() }
        if !isWide, steps.count == 1, case .curve(let curve) = steps[0] { return try picture.mapped(by: curve) }
        var rest = steps[...]
        // Tables of 65,536 would take longer to make than most images to read.
        var entry: FilterCurve?
        if !isWide, case .curve(let curve)? = rest.first {
            entry = curve
            rest = rest.dropFirst()
        }
        let points = rest.map { step in
            switch step {
            case .point(let point): point
            case .curve(let curve): FilterPoint(curve, isWide: isWide)
            }
        }
        return try picture.carriedOut(entry, points, isGrey: isGrey)
    }
}

enum Luma {
    /// Of red, green and blue (Rec. 709).
    static let weights = [0.2126, 0.7152, 0.0722]
    private static let limit = 16383.0

    /// Weighted linear light of 8-bit samples, three tables of 256.
    static let linear: [UInt16] = weights.flatMap { weight in
        (0..<256).map { UInt16((SRGBCurve.decoded(Double($0) / 255) * weight * limit).rounded(.toNearestOrEven)) }
    }

    /// The 8-bit sample of every sum of `linear`.
    static let encoded: [UInt8] = (0...Int(limit) + 2).map {
        UInt8((FilterCurve.held(SRGBCurve.encoded(Double($0) / limit)) * 255).rounded())
    }
}

extension FilterImage {
    fileprivate func carriedOut(
        _ entry: FilterCurve?, _ points: [FilterPoint], isGrey: Bool
    ) throws(ImageError) -> VipsImage {
        let values = FloatMemory(entry?.table(size: 255) ?? [])
        let first = entry == nil ? nil : unsafe UnsafePointer(values.floats)
        let stride = entry?.colors.count == 3 ? 256 : 0
        let tables = FloatMemory(points.flatMap(\.table))
        var place = 0
        let raw = unsafe points.map { point in
            defer { place += point.table.count }
            return unsafe point.raw(table: tables.floats + place)
        }
        let result = shape(colorBands: isGrey ? 1 : 3, isWide: shape.is_wide != 0)
        return try unsafe made(result, isGrey ? CVIPS_GREY : CVIPS_RGB) {
            unsafe cvips_point_rows($0, $1, first, stride, raw, raw.count, result.bands, $3, $4, $2)
        }
    }

    /// 8 bits; maps each sample by a table.
    fileprivate func mapped(by curve: FilterCurve) throws(ImageError) -> VipsImage {
        let table = curve.table(size: 255).map { UInt8($0 * 255 + 0.5) }
        return try unsafe made(shape, model) {
            unsafe cvips_map_rows(
                $0.assumingMemoryBound(to: UInt8.self), $1, table, table.count > 256 ? 256 : 0, $3, $4,
                $2.assumingMemoryBound(to: UInt8.self))
        }
    }

    fileprivate func grey() throws(ImageError) -> VipsImage {
        try unsafe made(shape(colorBands: 1, isWide: false), CVIPS_GREY) {
            unsafe cvips_grey_rows(
                $0.assumingMemoryBound(to: UInt8.self), $1, Luma.linear, Luma.encoded, $3, $4,
                $2.assumingMemoryBound(to: UInt8.self))
        }
    }
}
